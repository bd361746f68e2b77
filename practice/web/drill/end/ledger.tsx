import { longDate } from '../../../../platform/web/dates.ts'
import type { Drill, DrillSummary } from '../../../contract/drills.ts'
import { StreakCell } from '../../streak-week.tsx'

/** The figures of a drill in one row, the streak last. */
export function Ledger({ drill, last }: { drill: Drill; last: DrillSummary | undefined }) {
  const count = drill.answers.length
  const answeredMs = drill.answers.reduce((sum, { tookMs }) => sum + tookMs, 0)
  return (
    <dl className="ledger">
      <div>
        <dt>{last ? `points since ${monthAndDay(last.startedAt)}` : 'drill of this kind'}</dt>
        <dd>
          <span className="fig">{last ? change(drill.score - last.score) : '1st'}</span>
        </dd>
      </div>
      <div>
        <dt>seconds a sum</dt>
        <dd>
          <span className="fig">{(answeredMs / count / 1_000).toFixed(1)}</span>
        </dd>
      </div>
      <div>
        <dt>of those answered, right</dt>
        <dd>
          <span className="fig">
            {Math.round((drill.correct / count) * 100)}
            <small>%</small>
          </span>
        </dd>
      </div>
      <StreakCell />
    </dl>
  )
}

const change = (points: number) => (points === 0 ? '±0' : points > 0 ? `+${points}` : `−${-points}`)
/** 'November 17' */
const monthAndDay = (iso: string) => longDate(iso).replace(/, \d+$/, '')
