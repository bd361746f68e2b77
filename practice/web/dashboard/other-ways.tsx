import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { useUnfinishedBuilt } from '../quiz/unfinished.ts'
import { WAYS } from '../ways.ts'

/** Ways to practice other than tests of ten, from 900 px up. On phones the bar leads to /practice (product 1.7.12). */
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

/** The latest built test in progress, in one line (product 1.7.6). Topics would cost the dashboard too many bytes. */
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
