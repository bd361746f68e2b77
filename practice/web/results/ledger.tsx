import { useQuery } from '@tanstack/react-query'
import { localDay } from '../../../platform/local-day.ts'
import { deviceTimeZone, longDate, spokenDuration, weekOf } from '../../../platform/web/dates.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { percentageOf } from '../../scoring.ts'
import { streakMessage } from '../../streak.ts'
import { resultsQuery, streakQuery } from '../queries.ts'
import { useWaitingResults } from '../use-outbox.tsx'
import { minutesAndSeconds, paceOf } from './pace.ts'
import type { ResultsData } from './results-data.ts'

/** Change, best, pace and streak in one row (product 3.5.11). What isn't known is a dash. */
export function Ledger({ data, percentage }: { data: ResultsData; percentage: number }) {
  const { data: streak } = useQuery(streakQuery())
  const history = useHistory(data, percentage)
  const pace = paceOf(data)
  return (
    <dl className="ledger mt-8 print:hidden">
      <div>
        <dt>
          {history.before === undefined
            ? 'change'
            : history.before === null
              ? data.testNumber === null
                ? 'your mistakes, once more'
                : 'first attempt'
              : `points since ${longDate(history.before.completedAt)}`}
        </dt>
        <dd>
          <span className="fig">
            {history.before ? signed(percentage - history.before.percentage) : '–'}
          </span>
        </dd>
      </div>
      <div>
        <dt>
          {history.best === undefined || history.best === null
            ? 'best so far'
            : history.best < percentage
              ? `new best, was ${history.best}%`
              : 'best so far'}
        </dt>
        <dd>
          <span className="fig">
            {history.before === undefined ? '–' : Math.max(history.best ?? 0, percentage)}
            {history.before !== undefined && <small>%</small>}
          </span>
        </dd>
      </div>
      <div>
        <dt>{pace ? `a question, ${spokenDuration(pace.wholeMs)} in all` : 'a question'}</dt>
        <dd>
          <span className="fig">{pace ? minutesAndSeconds(pace.eachMs) : '–'}</span>
        </dd>
      </div>
      <div className="ledger-streak">
        <dt>{streak ? streakMessage(streak.currentStreak) : 'day streak'}</dt>
        <dd>
          <span className="fig">{streak?.currentStreak ?? '–'}</span>
          <WeekDays practised={new Set(streak?.recentDays)} isKnown={streak !== undefined} />
        </dd>
      </div>
    </dl>
  )
}

/** With a sign that is one: '+10', '−20', '0'. */
function signed(points: number): string {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0'
}

/**
 * The attempts at this test before the one shown, waiting ones included.
 * `before` and `best` are undefined until they are known and null where there is none.
 */
function useHistory(data: ResultsData, percentage: number) {
  const user = useUser()
  const { category, difficulty, testNumber, attemptId, completedAt } = data
  const saved = useQuery({
    ...resultsQuery(category, difficulty),
    enabled: testNumber !== null,
  })
  const waiting = useWaitingResults(user.id, category, difficulty)
  if (testNumber === null) return { before: null, best: null }
  if (!saved.data) return { before: undefined, best: undefined }
  const earlier = [...waiting.map((item) => ({ ...item, ...item.body })), ...saved.data]
    .filter((attempt) => attempt.testNumber === testNumber && attempt.id !== attemptId)
    .filter((attempt) => completedAt === undefined || attempt.completedAt < completedAt)
    .map((attempt) => ({
      completedAt: attempt.completedAt,
      percentage: percentageOf(attempt.score, attempt.totalQuestions),
    }))
    .sort((a, b) => (a.completedAt < b.completedAt ? 1 : -1))
  const best = earlier.length === 0 ? null : Math.max(...earlier.map((one) => one.percentage))
  return { before: earlier[0] ?? null, best, percentage }
}

/** The days of this week: full when practised, open today, a line else. */
function WeekDays({ practised, isKnown }: { practised: ReadonlySet<string>; isKnown: boolean }) {
  const today = localDay(Date.now(), deviceTimeZone())
  return (
    <ol aria-label="This week" className="week-days">
      {weekOf(today).map(({ name, day }) => {
        const isPractised = practised.has(day)
        return (
          <li
            key={day}
            className={`${day === today ? 'is-today' : ''} ${isPractised ? 'is-done' : ''}`}
          >
            <span aria-hidden>{name.slice(0, 1)}</span>
            <span className="sr-only">
              {day === today ? `${name}, today` : name}
              {isKnown &&
                `: ${isPractised ? 'practiced' : day > today ? 'to come' : 'not practiced'}`}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
