import { shortDate } from '../../../../platform/web/dates.ts'
import type { Preset } from '../../../drill/presets.ts'
import { paceByMinute } from '../../../drill/report.ts'
import { LineChart } from './line-chart.tsx'

type Answered = readonly { tookMs: number; isRight: boolean }[]

/** Right answers by minute, against the time before. */
export function Pace(props: {
  preset: Preset
  now: Answered
  last: Answered | undefined
  lastAt: string | undefined
}) {
  const { preset, last, lastAt } = props
  const { limitSeconds } = preset
  const counts = paceByMinute(props.now, limitSeconds)
  const before = last && paceByMinute(last, limitSeconds)
  const points = (list: readonly number[]) =>
    [0, ...list].map((y, x) => ({ x: (x * limitSeconds) / list.length, y }))
  const end = (list: readonly number[]) => list.at(-1) ?? 0
  const marks = Math.min(5, limitSeconds / 60 + 1)
  return (
    <section aria-labelledby="pace">
      <div className="section-head">
        <h2 id="pace" className="text-[23px]">
          Pace
        </h2>
        <p className="hint">
          right answers by {limitSeconds > 240 ? 'minute' : 'quarter of a minute'}
        </p>
      </div>
      <LineChart
        label={`Right answers so far: ${counts.join(', ')}.${before ? ` Last time: ${before.join(', ')}.` : ''}`}
        lines={[
          { points: points(counts), figure: end(counts), words: 'this time' },
          ...(before && lastAt
            ? [{ points: points(before), figure: end(before), words: shortDate(lastAt) }]
            : []),
        ]}
        right={limitSeconds}
        below={Array.from({ length: marks }, (_, index) => {
          const at = (index * limitSeconds) / (marks - 1)
          const minutes = Math.round((at / 60) * 10) / 10
          return { x: at, text: index === marks - 1 ? `${minutes} min` : `${minutes}` }
        })}
      />
    </section>
  )
}
