import { shortDate } from '../../../../platform/web/dates.ts'
import type { Drill, DrillSummary } from '../../../contract/drills.ts'
import { LineChart } from './line-chart.tsx'

/** More would be a scribble. */
const SHOWN = 40

/** One's own scores in this drill, the oldest first, this one last. */
export function Curve({ drills, drill }: { drills: readonly DrillSummary[]; drill: Drill }) {
  const shown = [...drills, drill].slice(-SHOWN)
  const scores = shown.map(({ score }) => score)
  const first = shown[0]
  return (
    <section aria-labelledby="curve">
      <div className="section-head">
        <h2 id="curve" className="text-[23px]">
          Your scores
        </h2>
        <p className="hint">
          {shown.length === 1 ? 'the first of them' : `the last ${shown.length}, one dot each`}
        </p>
      </div>
      {shown.length === 1 ? (
        <p className="mt-4 text-ink-2">A second drill makes a line of it.</p>
      ) : (
        <LineChart
          label={`Your scores, oldest first: ${scores.join(', ')}.`}
          lines={[
            { points: scores.map((y, x) => ({ x, y })), figure: drill.score, words: 'this time' },
          ]}
          right={shown.length - 1}
          hasDots
          below={[
            { x: 0, text: first ? shortDate(first.startedAt) : '' },
            { x: shown.length - 1, text: `${shortDate(drill.startedAt)} ` },
          ]}
        />
      )}
    </section>
  )
}
