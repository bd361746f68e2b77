import { useQuery } from '@tanstack/react-query'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { HubSection } from '../../../platform/web/ui/section.tsx'
import { useToday } from '../../../platform/web/use-today.ts'
import { streakQuery } from '../queries.ts'
import { ActivityCalendar } from './activity-calendar.tsx'
import { countByDay, lastWeeks, type PastTest } from './history.ts'
import { ScoreHistory } from './score-history.tsx'

/** The weeks that the calendar shows. */
const WEEKS = 12
/** The tests that the line shows at most: more would be a scribble. */
const MOST_TESTS = 60

interface Attempt extends PastTest {
  category: string
  difficulty: string
  testNumber: number
}

export interface ChartsProps {
  /** newest first, at least one */
  attempts: readonly Attempt[]
}

/** Score over time, and the days of practice. */
export function Charts({ attempts }: ChartsProps) {
  const latest = attempts.slice(0, MOST_TESTS).reverse()
  return (
    <div className="grid gap-x-14 nav:grid-cols-2">
      <HubSection
        title="Score over time"
        note={
          attempts.length > latest.length ? `Your latest ${latest.length} tests` : 'All your tests'
        }
      >
        <div className="pt-6">
          <ScoreHistory
            tests={latest.map((attempt) => ({
              ...attempt,
              name: `${attempt.category}, ${attempt.difficulty}, Test ${attempt.testNumber}`,
            }))}
          />
        </div>
      </HubSection>
      <HubSection title="Days practiced" note={`The last ${WEEKS} weeks`}>
        <Activity attempts={attempts} />
      </HubSection>
    </div>
  )
}

function Activity({ attempts }: { attempts: readonly Attempt[] }) {
  const today = useToday()
  const { data: streak } = useQuery(streakQuery())
  // Days of a brainteaser or a review count too; how often, only tests tell.
  const counts = countByDay(attempts, deviceTimeZone())
  for (const day of streak?.recentDays ?? []) if (!counts.has(day)) counts.set(day, 0)
  const weeks = lastWeeks(today, WEEKS)
  const daysOf = (days: readonly string[]) => days.filter((day) => counts.has(day)).length
  const days = daysOf(weeks.flat())
  const best = Math.max(...weeks.map(daysOf))
  return (
    <>
      <p className="pt-5 pb-4">
        <span className="font-medium font-serif text-[36px] leading-none">
          {days} <span className="text-[0.55em]">{days === 1 ? 'day' : 'days'}</span>
        </span>
        {best > 1 && <span className="hint"> · {best} in your best week</span>}
      </p>
      <ActivityCalendar weeks={weeks} counts={counts} today={today} />
    </>
  )
}
