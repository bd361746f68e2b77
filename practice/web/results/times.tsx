import { Check, X } from 'lucide-react'
import { minutesAndSeconds } from './pace.ts'

/** Height of the longest stem, as long as what took longest. */
const LONGEST_PX = 76
const SHORTEST_PX = 12

/**
 * The ten answers as a picture: a stem as long as each took, the verdict on top; each leads to its question
 * (product 3.5.12).
 */
export function Times(props: { times: readonly number[]; marks: readonly boolean[] }) {
  const { times, marks } = props
  const longest = Math.max(...times)
  const average = times.reduce((sum, ms) => sum + ms, 0) / times.length
  const heightOf = (ms: number) => SHORTEST_PX + (LONGEST_PX - SHORTEST_PX) * (ms / longest)
  return (
    <figure className="mt-6 print:hidden">
      <figcaption className="hint flex justify-between gap-6">
        <span>Time for each question</span>
        <span>dotted: your average, {minutesAndSeconds(average)}</span>
      </figcaption>
      <ol className="stems">
        <li aria-hidden className="stems-average" style={{ bottom: 44 + heightOf(average) }} />
        {times.map((ms, index) => {
          const isRight = marks[index] === true
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a stem is its place
            <li key={index}>
              <a
                href={`#q${index + 1}`}
                className={isRight ? 'stem-right' : 'stem-wrong'}
                aria-label={`Question ${index + 1}: ${isRight ? 'correct' : 'incorrect'}, ${Math.round(ms / 1000)} seconds`}
              >
                <span className="stem-mark">
                  {isRight ? <Check size={13} aria-hidden /> : <X size={13} aria-hidden />}
                </span>
                <span className="stem" style={{ height: heightOf(ms) }} />
                <span className="stem-number">{index + 1}</span>
                <span className="hint">{minutesAndSeconds(ms)}</span>
              </a>
            </li>
          )
        })}
      </ol>
    </figure>
  )
}
