import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { usePlace } from '../console/use-act.ts'

/** Leads from results or analysis to the comparison of forms and sessions. */
export function SessionsLink() {
  const { society, code } = usePlace()
  return (
    <Link to={assessmentUrl(society, code, 'sessions')} className="btn btn-ghost">
      Forms and sessions
    </Link>
  )
}
