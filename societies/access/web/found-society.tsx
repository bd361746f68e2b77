import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { verifyAddress } from '../../../accounts/contract.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { societyUrl, URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import type { listMySocieties } from '../../kit/contract.ts'
import { mySocietiesQuery } from '../../kit/web/console/queries.ts'
import { TextField } from '../../kit/web/fields.tsx'
import { ActButton, useAct } from '../../kit/web/use-act.tsx'
import { foundSociety, SOCIETY_NAME_LENGTH } from '../contract.ts'

/** Of /organise: shows the form also to members of a society. */
export const FOUND_HASH = '#found'

type Founding = ResponseOf<typeof listMySocieties>['founding']

/** Founding a society, or why one can't and what helps. */
export function FoundSociety({ founding, isFirst }: { founding: Founding; isFirst: boolean }) {
  return (
    <section className="mt-8 border-ink border-t pt-5">
      <h2>{isFirst ? 'Found a society' : 'Found another society'}</h2>
      {founding === 'open' && <NameForm />}
      {founding === 'closed' && (
        <p className="mt-2 text-ink-2">
          The operator of this server creates societies. Ask them for a society or an invitation.
        </p>
      )}
      {founding === 'account_needed' && (
        <>
          <p className="mt-2 text-ink-2">
            You are here as a guest, and a guest cannot be a member. An account keeps what you have
            done here.
          </p>
          <Link to={`${URLS.personalHub}#create-account`} className="btn mt-4">
            Make an account
          </Link>
        </>
      )}
      {founding === 'address_unverified' && <VerifyAddress />}
    </section>
  )
}

/** A link to the account's own address; opened and confirmed, it leads back here (product 2.6.13). */
function VerifyAddress() {
  // It may be confirmed already, in another tab; then the list that is read again says so.
  const link = useAct(() => call(verifyAddress, {}))
  return (
    <>
      <p className="mt-2 mb-4 text-ink-2">
        Please verify your e-mail address first, so that candidates can trust who asks them.
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
        {found.isBusy ? 'Founding…' : 'Found a society'}
      </button>
    </form>
  )
}

/** What is wrong with the name of a society, in a sentence; the server looks again (product 7.7.2). */
export function nameProblem(name: string): string | null {
  const length = name.trim().length
  if (length < 2) return 'Enter a name of at least two letters.'
  return /^[\p{L}\p{M}\p{N} .,&'’()+–:-]+$/u.test(name.trim())
    ? null
    : 'Use only letters, digits and . , & ’ ( ) + – : -'
}
