import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { useToday } from '../../../platform/web/use-today.ts'
import { meanPercentage } from '../../average-score.ts'
import { CATEGORIES } from '../../categories.ts'
import { DIFFICULTIES } from '../../difficulties.ts'
import { GREEN_FROM, YELLOW_FROM } from '../../scoring.ts'
import { streakQuery } from '../queries.ts'
import { ActivityCalendar } from './activity-calendar.tsx'
import { countByDay, lastWeeks, type PastTest } from './history.ts'
import { type Bar, ScoreBars } from './score-bars.tsx'
import { ScoreHistory } from './score-history.tsx'

/** The weeks that the calendar shows. */
const WEEKS = 12
/** The tests that the line shows at most: more would be a scribble. */
const MOST_TESTS = 60

const NOTCHES = `The notches stand at ${YELLOW_FROM}% and ${GREEN_FROM}%`

interface Attempt extends PastTest {
  category: string
  difficulty: string
  testNumber: number
}

export interface ChartsProps {
  /** newest first, at least one */
  attempts: readonly Attempt[]
}

/** Score over time, averages, and the days of practice. */
export function Charts({ attempts }: ChartsProps) {
  const latest = attempts.slice(0, MOST_TESTS).reverse()
  const bars = (names: readonly string[], nameOf: (attempt: Attempt) => string): Bar[] =>
    names.map((name) => {
      const own = attempts.filter((attempt) => nameOf(attempt) === name)
      return {
        name,
        percentage: meanPercentage(own.map((test) => test.percentage)),
        count: own.length,
      }
    })
  return (
    <>
      <ChartPart
        title="Score over time"
        note={
          attempts.length > latest.length ? `Your latest ${latest.length} tests` : 'All your tests'
        }
      >
        <ScoreHistory
          tests={latest.map((attempt) => ({
            ...attempt,
            name: `${attempt.category}, ${attempt.difficulty}, Test ${attempt.testNumber}`,
          }))}
        />
      </ChartPart>
      <ChartPart title="Average score by category" note={NOTCHES}>
        <ScoreBars bars={bars(CATEGORIES, (attempt) => attempt.category)} />
      </ChartPart>
      <ChartPart title="Average score by difficulty" note={NOTCHES}>
        <ScoreBars bars={bars(DIFFICULTIES, (attempt) => attempt.difficulty)} />
      </ChartPart>
      <ChartPart title="Days of practice" note={`The last ${WEEKS} weeks`}>
        <Activity attempts={attempts} />
      </ChartPart>
    </>
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
    <div className="flex flex-wrap-reverse items-end justify-between gap-x-12 gap-y-6">
      <ActivityCalendar weeks={weeks} counts={counts} today={today} />
      <div className="sm:text-end">
        <p className="font-medium font-serif text-[48px] leading-none tracking-[-0.025em]">
          {days} <span className="text-[0.5em]">{days === 1 ? 'day' : 'days'}</span>
        </p>
        <p className="mt-2 text-[15px] text-ink-2">
          with something finished
          {best > 1 && `, ${best} of them in your best week`}
        </p>
      </div>
    </div>
  )
}

function ChartPart(props: { title: string; note: string; children: ReactNode }) {
  return (
    <div className="pt-7">
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6">
        <h3>{props.title}</h3>
        <p className="hint">{props.note}</p>
      </div>
      {props.children}
    </div>
  )
}
