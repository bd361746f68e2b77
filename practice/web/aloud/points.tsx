import { Check } from 'lucide-react'
import type { SpokenPrompt } from '../../aloud/spoken-prompt.ts'

/** Six points, ticked by the person: nothing is judged by the machine (product 3.13.7). */
export function Points(props: {
  points: SpokenPrompt['points']
  said: readonly number[]
  onTick: (point: number) => void
}) {
  return (
    <section aria-labelledby="points">
      <div className="section-head aloud-head">
        <h2 id="points">Did you say it?</h2>
        <p className="fig text-[28px]" role="status">
          {props.said.length}
          <span className="hint font-sans tracking-normal"> of {props.points.length}</span>
        </p>
      </div>
      <ul>
        {props.points.map(({ say, note }, index) => {
          const point = index + 1
          return (
            <li key={say}>
              <label className="point">
                <input
                  type="checkbox"
                  checked={props.said.includes(point)}
                  onChange={() => props.onTick(point)}
                />
                <span aria-hidden className="point-box">
                  <Check size={14} strokeWidth={3} />
                </span>
                <span>
                  {say}
                  {note && <span className="hint block">{note}</span>}
                </span>
                <span aria-hidden className="point-key">
                  {point}
                </span>
              </label>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
