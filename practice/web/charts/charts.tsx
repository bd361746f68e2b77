import { useQuery } from '@tanstack/react-query'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { localDay } from '../../../platform/local-day.ts'
import {
  dayName,
  daysBefore,
  deviceTimeZone,
  monthName,
  shortDate,
  weekOf,
} from '../../../platform/web/dates.ts'
import { HubSection } from '../../../platform/web/ui/section.tsx'
import { useToday } from '../../../platform/web/use-today.ts'
import { countOf } from '../../../platform/words.ts'
import type { getProgress } from '../../contract.ts'
import { streakQuery } from '../queries.ts'
import { SCORE_GUIDES, ScorePicture } from './score-picture.tsx'

const WEEKS = 12
/** More tests would make the line unreadable. */
const MOST_TESTS = 60

type Attempt = ResponseOf<typeof getProgress>['attempts'][number]
type PastTest = Pick<Attempt, 'completedAt' | 'percentage'>

export interface ChartsProps {
  attempts: readonly Attempt[]
}

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
  // Brainteasers and reviews also mark a day, but only tests count.
  const counts = countByDay(attempts, deviceTimeZone())
  for (const day of streak?.recentDays ?? []) if (!counts.has(day)) counts.set(day, 0)
  const weeks = lastWeeks(today, WEEKS)
  const activeOf = (days: readonly string[]) => days.filter((day) => counts.has(day))
  const active = activeOf(weeks.flat())
  const best = Math.max(...weeks.map((week) => activeOf(week).length))
  const width = LEFT + weeks.length * STEP
  const height = TOP + 7 * STEP
  return (
    <>
      <p className="pt-5 pb-4">
        <span className="font-medium font-serif text-[36px] leading-none">
          {active.length}{' '}
          <span className="text-[0.55em]">{active.length === 1 ? 'day' : 'days'}</span>
        </span>
        {best > 1 && <span className="hint"> · {best} in your best week</span>}
      </p>
      <figure className="relative">
        <svg
          aria-hidden="true"
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          className="h-auto max-w-full text-[12px]"
          fill="var(--ink-2)"
        >
          {DAY_LABELS.map((label, index) => (
            <text key={label} x={0} y={TOP + 2 * index * STEP + 13}>
              {label}
            </text>
          ))}
          {weeks.map((week, column) => (
            <g key={week[0]} transform={`translate(${LEFT + column * STEP} 0)`}>
              {isNewMonth(weeks, column) && <text y={11}>{monthName(week[6] ?? '')}</text>}
              {week.map((day, row) =>
                day > today ? null : (
                  <rect
                    key={day}
                    x={0.5}
                    y={TOP + row * STEP + 0.5}
                    width={CELL - 1}
                    height={CELL - 1}
                    rx={3}
                    fill={counts.has(day) ? 'var(--streak)' : 'none'}
                    stroke={counts.has(day) || day === today ? 'var(--streak)' : 'var(--line)'}
                  >
                    <title>{`${dayName(day)}: ${spoken(counts.get(day))}`}</title>
                  </rect>
                ),
              )}
            </g>
          ))}
        </svg>
        <figcaption className="sr-only">Days of practice, oldest first</figcaption>
        <ul className="sr-only">
          {active.map((day) => (
            <li key={day}>
              {dayName(day)}: {spoken(counts.get(day))}
            </li>
          ))}
        </ul>
      </figure>
    </>
  )
}

const CELL = 18
const STEP = 24
const LEFT = 34
const TOP = 20
const DAY_LABELS = ['Mon', 'Wed', 'Fri', 'Sun']

function spoken(count: number | undefined): string {
  if (count === undefined) return 'nothing finished'
  if (count === 0) return 'practiced'
  return countOf(count, 'test')
}

/** Whether to name a month over its first full week, if there is room before the next name. */
function isNewMonth(weeks: readonly (readonly string[])[], column: number): boolean {
  const monthOf = (index: number) => weeks[index]?.[6]?.slice(0, 7)
  if (column === 0) return monthOf(0) === monthOf(1)
  return monthOf(column) !== monthOf(column - 1)
}

/** With more tests, the dots would overlap. */
const MOST_DOTS = 40

function ScoreHistory({ tests }: { tests: readonly (PastTest & { name: string })[] }) {
  const last = tests.length - 1
  return (
    <figure className="relative">
      <div aria-hidden className="grid grid-cols-[30px_1fr]">
        <ScorePicture
          width={800}
          height={200}
          inset={8}
          lowest={0}
          highest={100}
          scores={tests.map(({ percentage }) => percentage)}
          guides={[100, ...SCORE_GUIDES, 0]}
          dotsOf={(index) => {
            if (index === last) return [['var(--accent)', 10]]
            return tests.length <= MOST_DOTS ? [['var(--ink)', 6]] : []
          }}
        />
        <span />
        <div className="hint mt-2 flex justify-between">
          {tests.length > 1 && <span>{shortDate(tests[0]?.completedAt ?? '')}</span>}
          <span className="ml-auto">{shortDate(tests[last]?.completedAt ?? '')}</span>
        </div>
      </div>
      <div className="sr-only">
        <table>
          <caption>Scores, oldest first</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Test</th>
              <th scope="col">Score</th>
            </tr>
          </thead>
          <tbody>
            {tests.map((test, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows never move
              <tr key={index}>
                <td>{shortDate(test.completedAt)}</td>
                <td>{test.name}</td>
                <td>{test.percentage}%</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

export function countByDay(tests: readonly PastTest[], timeZone: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { completedAt } of tests) {
    const day = localDay(Date.parse(completedAt), timeZone)
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return counts
}

export function lastWeeks(today: string, weeks: number): string[][] {
  return Array.from({ length: weeks }, (_, index) =>
    weekOf(daysBefore(today, 7 * (weeks - 1 - index))).map(({ day }) => day),
  )
}
