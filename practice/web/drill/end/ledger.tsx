import { useQuery } from '@tanstack/react-query'
import { localDay } from '../../../../platform/local-day.ts'
import { deviceTimeZone, longDate, weekOf } from '../../../../platform/web/dates.ts'
import type { Drill, DrillSummary } from '../../../contract/drills.ts'
import { streakMessage } from '../../../streak.ts'
import { streakQuery } from '../../queries.ts'

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

function StreakCell() {
  const { data: streak } = useQuery(streakQuery())
  const today = localDay(Date.now(), deviceTimeZone())
  const practised = new Set(streak?.recentDays)
  return (
    <div className="ledger-streak min-h-[92px]">
      <dt>{streak ? streakMessage(streak.currentStreak) : ' '}</dt>
      <dd>
        <span className="fig">
          {streak?.currentStreak ?? '–'}
          <span className="sr-only"> days in a row</span>
        </span>
        <ol className="week-days" aria-label="This week">
          {weekOf(today).map(({ name, day }) => (
            <li
              key={day}
              className={`${practised.has(day) ? 'is-done' : ''} ${day === today ? 'is-today' : ''}`}
            >
              <span aria-hidden>{name.slice(0, 1)}</span>
              <span className="sr-only">
                {name}: {practised.has(day) ? 'practiced' : 'not practiced'}
              </span>
            </li>
          ))}
        </ol>
      </dd>
    </div>
  )
}

const change = (points: number) => (points === 0 ? '±0' : points > 0 ? `+${points}` : `−${-points}`)
/** 'November 17' */
const monthAndDay = (iso: string) => longDate(iso).replace(/, \d+$/, '')
