import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { useUnfinishedBuilt } from '../quiz/unfinished.ts'

const WAYS = [
  [URLS.build, 'Build a test', 'Your topics, levels and clock'],
  [URLS.drills, 'Drills', 'Timed mental math'],
  [URLS.cases, 'Cases', 'Five questions on one exhibit'],
  [URLS.aloud, 'Answer aloud', 'Record, compare, rate yourself'],
  [URLS.superday, 'Mock superday', 'A full practice round with a report'],
  [URLS.plan, 'Your plan', 'By the date of your interview'],
  [URLS.formulaSheet, 'Formula sheet', 'For the night before'],
] as const

/** What there is besides tests of ten (product 1.7.12). */
export function OtherWays() {
  const [begun] = useUnfinishedBuilt(useUser().id)
  return (
    <nav aria-label="More ways to practice" className="mt-14">
      <h2 className="border-ink border-b pb-3">More ways to practice</h2>
      <ul className="grid gap-x-10 sm:grid-cols-2 nav:grid-cols-3">
        {WAYS.map(([to, name, about]) => (
          <li key={to} className="border-line border-b">
            <Link
              to={to}
              className="flex min-h-[52px] flex-wrap items-baseline gap-x-3 py-3.5 hover:underline hover:underline-offset-4"
            >
              <span className="font-medium">{name}</span>
              <span className="hint">
                {to === URLS.build && begun ? `In progress, question ${begun.question}` : about}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
