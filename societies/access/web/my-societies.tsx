import { Link, useLocation } from 'react-router'
import { societyUrl, URLS } from '../../../platform/urls.ts'
import { useTitle } from '../../../platform/web/ui/page.tsx'
import { Redirect } from '../../../platform/web/ui/skeleton.tsx'
import { listOf } from '../../../platform/words.ts'
import { mayOf } from '../../kit/role-words.ts'
import type { MySociety } from '../../kit/web/console/queries.ts'
import { MineLoaded, Standing } from '../../kit/web/console/standing.tsx'
import { FOUND_HASH, FoundSociety } from './found-society.tsx'

/** /organise: one's societies, or how one begins; who has one is led straight on (product 7.12.2). */
export function MySocieties() {
  useTitle('Your societies')
  const { hash } = useLocation()
  return (
    <MineLoaded>
      {({ societies, founding }) => {
        const [only] = societies
        if (only && societies.length === 1 && hash !== FOUND_HASH) {
          return <Redirect to={societyUrl(only.id)} />
        }
        return (
          <Standing>
            <div className="max-w-[760px]">
              {only ? <List societies={societies} /> : <Introduction />}
              <FoundSociety founding={founding} isFirst={!only} />
            </div>
          </Standing>
        )
      }}
    </MineLoaded>
  )
}

function Introduction() {
  return (
    <>
      <h1>Run your society’s recruitment test</h1>
      <p className="mt-3 text-[15px] text-ink-2">
        Write or import the questions, add your candidates, and see who needs help during the test.
        Afterwards you have results that you can explain.
      </p>
      <section className="mt-8 border-ink border-t pt-5">
        <h2>I was invited</h2>
        <p className="mt-2 text-ink-2">
          Open the link in the mail. It shows who invites you, to what, and what you may there.
        </p>
        <Link to={URLS.organiseInvitation} className="link mt-3 inline-block">
          I opened it before in this tab
        </Link>
      </section>
    </>
  )
}

function List({ societies }: { societies: MySociety[] }) {
  return (
    <>
      <h1>Your societies</h1>
      <ul className="mt-6 border-ink border-t">
        {societies.map(({ id, name, roles }) => (
          <li key={id} className="border-line border-b">
            <Link to={societyUrl(id)} className="block min-h-11 py-3.5 hover:bg-sunken">
              <span className="font-serif text-[20px]">{name}</span>
              <span className="block text-ink-2">
                You may {listOf([...new Set(roles.map(({ role, room }) => mayOf(role, room)))])}.
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
