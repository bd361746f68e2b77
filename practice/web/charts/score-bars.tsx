import { Score } from '../score.tsx'
import { SCORE_GUIDES } from './score-picture.tsx'

export interface Bar {
  name: string
  /** null: nothing to measure yet */
  percentage: number | null
  /** how many tests it is the average of */
  count: number
}

/** Averages as bars with a notch where the colour of a score changes; every figure stands beside its bar as text. */
export function ScoreBars({ bars }: { bars: readonly Bar[] }) {
  return (
    <ul>
      {bars.map((bar) => (
        <li
          key={bar.name}
          className="grid grid-cols-[1fr_auto] items-center gap-x-5 gap-y-2 border-line border-b py-3 md:grid-cols-[290px_1fr_205px]"
        >
          <span>{bar.name}</span>
          <BarPicture percentage={bar.percentage ?? 0} />
          <span className="text-end text-[15px] max-md:col-start-2 max-md:row-start-1 md:text-start">
            {bar.percentage === null ? (
              <span className="text-ink-2">Not tried yet</span>
            ) : (
              <>
                <Score percentage={bar.percentage} />
                <span className="hint whitespace-nowrap max-md:block">
                  <span aria-hidden className="max-md:hidden">
                    {' · '}
                  </span>
                  {bar.count} {bar.count === 1 ? 'test' : 'tests'}
                </span>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

function BarPicture({ percentage }: { percentage: number }) {
  return (
    <svg aria-hidden="true" className="h-3 w-full max-md:col-span-2">
      <rect y={4} width="100%" height={4} rx={2} fill="var(--line)" />
      <rect y={4} width={`${percentage}%`} height={4} rx={2} fill="var(--ink)" />
      {SCORE_GUIDES.map((guide) => (
        <line
          key={guide}
          x1={`${guide}%`}
          x2={`${guide}%`}
          y1={0}
          y2={12}
          stroke="var(--line-strong)"
        />
      ))}
    </svg>
  )
}
