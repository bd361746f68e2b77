import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { verifyAddress } from '../../../accounts/contract.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { societyUrl, URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { useTitle } from '../../../platform/web/ui/page.tsx'
import { Redirect } from '../../../platform/web/ui/skeleton.tsx'
import { listOf } from '../../../platform/words.ts'
import type { listMySocieties } from '../../kit/contract.ts'
import { mayOf } from '../../kit/role-words.ts'
import { MineLoaded, Standing } from '../../kit/web/console/frame.tsx'
import { mySocietiesQuery } from '../../kit/web/console/queries.ts'
import { TextField } from '../../kit/web/fields.tsx'
import { ActButton, useAct } from '../../kit/web/use-act.tsx'
import { FOUND_HASH, foundSociety, nameProblem, SOCIETY_NAME_LENGTH } from '../contract.ts'

type Mine = ResponseOf<typeof listMySocieties>

/** /organise: the account's societies, or how to get one. With a single society it redirects there (product 7.12.2). */
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
        Then you get results that you can explain.
      </p>
      <section className="mt-8 border-ink border-t pt-5">
        <h2>I was invited</h2>
        <p className="mt-2 text-ink-2">
          Open the link in the email. It shows who invited you and what you can do there.
        </p>
        <Link
          to={URLS.organizeInvitation}
          className="link mt-3 inline-flex items-center max-md:min-h-11"
        >
          I opened it before in this tab
        </Link>
      </section>
    </>
  )
}

function List({ societies }: Pick<Mine, 'societies'>) {
  return (
    <>
      <h1>Your societies</h1>
      <ul className="mt-6 border-ink border-t">
        {societies.map(({ id, name, roles }) => (
          <li key={id} className="border-line border-b">
            <Link to={societyUrl(id)} className="block min-h-11 py-3.5 hover:bg-sunken">
              <span className="font-serif text-[20px]">{name}</span>
              <span className="block text-ink-2">
                You can {listOf([...new Set(roles.map(({ role, room }) => mayOf(role, room)))])}.
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

function FoundSociety({ founding, isFirst }: { founding: Mine['founding']; isFirst: boolean }) {
  return (
    <section className="mt-8 border-ink border-t pt-5">
      <h2>{isFirst ? 'Create a society' : 'Create another society'}</h2>
      {founding === 'open' && <NameForm />}
      {founding === 'closed' && (
        <p className="mt-2 text-ink-2">
          The operator of this server creates societies. Ask them for a society or an invitation.
        </p>
      )}
      {founding === 'account_needed' && (
        <>
          <p className="mt-2 text-ink-2">
            You are signed in as a guest, and guests can’t be members. An account keeps what you
            have done here.
          </p>
          <Link to={`${URLS.personalHub}#create-account`} className="btn mt-4">
            Create an account
          </Link>
        </>
      )}
      {founding === 'address_unverified' && <VerifyAddress />}
    </section>
  )
}

/** Sends a verification link to the account's address. The link leads back here (product 2.6.13). */
function VerifyAddress() {
  // The address may already be verified in another tab. The refetched list then shows it.
  const link = useAct(() => call(verifyAddress, {}))
  return (
    <>
      <p className="mt-2 mb-4 text-ink-2">
        Verify your email address first, so that candidates can trust the sender.
      </p>
      <ActButton act={link} busy="Sending…" className="btn">
        Send me a link
      </ActButton>
      <p role="status" className="mt-3">
        {link.done?.isVerified === false &&
          `A link is on its way to ${link.done.email}. Open it here, and come back.`}
      </p>
    </>
  )
}

function NameForm() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [missing, setMissing] = useState<string | null>(null)
  const found = useAct(
    () => call(foundSociety, { body: { name: name.trim() } }),
    async (society) => {
      await queryClient.invalidateQueries(mySocietiesQuery)
      await navigate(societyUrl(society.id))
    },
  )

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    const problem = nameProblem(name)
    setMissing(problem)
    if (!problem) found.run()
  }

  return (
    <form onSubmit={onSubmit} noValidate name="found-society" className="mt-2 grid gap-4">
      <p className="text-ink-2">You become its owner and can invite others.</p>
      <TextField
        label="Name of the society"
        value={name}
        maxLength={SOCIETY_NAME_LENGTH}
        autoComplete="organization"
        error={missing ?? found.problem}
        onChange={(event) => setName(event.target.value)}
      />
      <button type="submit" className="btn w-fit" aria-disabled={found.isBusy}>
        {found.isBusy ? 'Creating…' : 'Create a society'}
      </button>
    </form>
  )
}
