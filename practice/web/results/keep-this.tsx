import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { useUser } from '../../../platform/web/session.tsx'

/** For a guest, once: what would be lost, and what keeps it (product 3.5.13). */
export function KeepThis() {
  const user = useUser()
  if (!user.is_anonymous) return null
  return (
    <section
      aria-labelledby="keep-this"
      className="mt-9 grid items-center gap-x-10 gap-y-4 rounded-md bg-sunken px-[26px] py-[22px] sm:grid-cols-[1fr_auto] print:hidden"
    >
      <div>
        <h2 id="keep-this" className="text-[25px]">
          Keep this
        </h2>
        <p className="mt-1 max-w-[68ch] text-[15px] text-ink-2">
          As a guest you lose your results, your streak and what is due when this session ends. An
          account keeps all of it, from this test on.
        </p>
      </div>
      <Link to={`${URLS.personalHub}#create-account`} className="btn btn-ghost">
        Create Free Account
      </Link>
    </section>
  )
}
