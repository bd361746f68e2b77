import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { useUnfinishedBuilt } from '../quiz/unfinished.ts'

/**
 * The latest built test begun on this device and not finished, in one line (product 1.7.6); nothing without one.
 * /build tells its topics: reading them here would take the dashboard over its size.
 */
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
