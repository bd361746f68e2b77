import { Link } from 'react-router'
import { createAccountUrl } from '../../../platform/urls.ts'
import { useUser } from '../../../platform/web/session.tsx'

/** For a guest: what would be lost, and how it is kept (product 3.5.15, 2.4.6). */
export function KeepThis() {
  const user = useUser()
  if (!user.is_anonymous) return null
  return (
    <section aria-labelledby="keep" className="keep-this print:hidden">
      <div>
        <h2 id="keep" className="text-[25px]">
          Save your progress
        </h2>
        <p className="running mt-1 max-w-[68ch] text-[15px] text-ink-2">
          You are here as a guest: this result, your mistakes and your day streak go when the
          session ends. An account keeps all of it.
        </p>
      </div>
      <Link to={createAccountUrl} className="btn btn-ghost">
        Create Free Account
      </Link>
    </section>
  )
}
