import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { useUnfinishedBuilt } from '../quiz/unfinished.ts'

export const WAYS: Record<string, readonly (readonly [to: string, name: string, about: string])[]> =
  {
    'Tests and questions': [
      [URLS.build, 'Build a test', 'Choose topics, levels and clock'],
      [URLS.drills, 'Drills', 'Timed mental math'],
      [URLS.cases, 'Cases', 'Five questions on one exhibit'],
    ],
    Interview: [
      [URLS.aloud, 'Answer aloud', 'Record, compare, rate yourself'],
      [URLS.superday, 'Mock superday', 'A full practice round with a report'],
      [URLS.plan, 'Your plan', 'Up to your interview date'],
      [URLS.formulaSheet, 'Formula sheet', 'For the night before'],
    ],
  }

/** Ways to practice other than tests, from 900 px up. Phones have /practice in the bar (product 1.7.12). */
export function OtherWays() {
  return (
    <nav aria-label="More ways to practice" className="mt-14 max-nav:hidden">
      <h2 className="border-ink border-b pb-3">More ways to practice</h2>
      <ul className="grid grid-cols-3 gap-x-10">
        {Object.values(WAYS)
          .flat()
          .map(([to, name, about]) => (
            <li key={to} className="border-line border-b">
              <Link
                to={to}
                className="flex min-h-[52px] flex-wrap items-baseline gap-x-3 py-3.5 hover:underline hover:underline-offset-4"
              >
                <span className="font-medium">{name}</span>
                <span className="hint">{about}</span>
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  )
}

/** The latest custom test in progress (product 1.7.6). Topics would add too many bytes to the dashboard. */
export function BuiltInProgress() {
  const user = useUser()
  const [latest] = useUnfinishedBuilt(user.id)
  if (!latest) return null
  return (
    <p className="running mt-4 mb-6">
      In progress:{' '}
      <Link to={`${URLS.builtTest}?${latest.search}`} className="quiet-link">
        Continue the test you built, question {latest.question}
      </Link>
    </p>
  )
}
