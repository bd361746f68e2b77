import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { verifyAddress } from '../../../accounts/contract.ts'
import { societyUrl, URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { foundSociety, SOCIETY_NAME_LENGTH } from '../../contract.ts'
import { mySocietiesQuery } from '../console/queries.ts'
import { TextField } from '../kit/fields.tsx'

/** Of /organise: shows the founding also to who has a society already. */
export const FOUND_HASH = '#found'

type Founding = 'open' | 'closed' | 'account_needed' | 'address_unverified'

/** Founding a society, or why one can't and what helps. */
export function FoundSociety({ founding, isFirst }: { founding: Founding; isFirst: boolean }) {
  return (
    <section className="mt-8 border-ink border-t pt-5">
      <h2>{isFirst ? 'Found a society' : 'Found another society'}</h2>
      {founding === 'open' ? <NameForm /> : <WhyNot founding={founding} />}
    </section>
  )
}

function WhyNot({ founding }: { founding: Exclude<Founding, 'open'> }) {
  switch (founding) {
    case 'closed':
      return (
        <p className="mt-2 text-ink-2">
          Societies are made by whoever runs this server. Please ask there, or for an invitation.
        </p>
      )
    case 'account_needed':
      return (
        <>
          <p className="mt-2 text-ink-2">
            You are here as a guest, and a guest cannot be a member. An account keeps what you have
            done here.
          </p>
          <Link to={`${URLS.personalHub}#create-account`} className="btn mt-4">
            Make an account
          </Link>
        </>
      )
    case 'address_unverified':
      return <VerifyAddress />
  }
}

/** A link to the account's own address; opened and confirmed, it leads back here (product 2.6.13). */
function VerifyAddress() {
  const queryClient = useQueryClient()
  const link = useMutation({
    mutationFn: () => call(verifyAddress, {}),
    // Confirmed meanwhile, in another tab.
    onSuccess: ({ isVerified }) => isVerified && queryClient.invalidateQueries(mySocietiesQuery),
  })
  return (
    <>
      <p className="mt-2 text-ink-2">
        Please verify your e-mail address first, so that candidates can trust who asks them.
      </p>
      <button
        type="button"
        className="btn mt-4"
        aria-disabled={link.isPending}
        onClick={() => !link.isPending && link.mutate()}
      >
        {link.isPending ? 'Sending…' : 'Send me a link'}
      </button>
      <p role="status" className="mt-3">
        {link.data?.isVerified === false &&
          `A link is on its way to ${link.data.email}. Open it here, and come back.`}
      </p>
      <p role="alert">{link.error?.message}</p>
    </>
  )
}

function NameForm() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [missing, setMissing] = useState<string | null>(null)
  const found = useMutation({
    mutationFn: () => call(foundSociety, { body: { name: name.trim() } }),
    onSuccess: async (society) => {
      await queryClient.invalidateQueries(mySocietiesQuery)
      await navigate(societyUrl(society.id))
    },
  })
  const isBusy = found.isPending || found.isSuccess

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const problem = nameProblem(name)
    setMissing(problem)
    if (!problem) found.mutate()
  }

  return (
    <form onSubmit={onSubmit} noValidate name="found-society" className="mt-2 grid gap-4">
      <p className="text-ink-2">You become its owner, and invite the others.</p>
      <TextField
        label="Name of the society"
        value={name}
        maxLength={SOCIETY_NAME_LENGTH}
        autoComplete="organization"
        error={missing ?? found.error?.message}
        onChange={(event) => setName(event.target.value)}
      />
      <button type="submit" className="btn w-fit" aria-disabled={isBusy}>
        {isBusy ? 'Founding…' : 'Found a society'}
      </button>
    </form>
  )
}

/** What is wrong with the name of a society, in a sentence; the server looks again (product 7.7.2). */
export function nameProblem(name: string): string | null {
  const length = name.trim().length
  if (length < 2) return 'Please give the name, at least two letters.'
  return /^[\p{L}\p{M}\p{N} .,&'’()+–:-]+$/u.test(name.trim())
    ? null
    : 'Please use letters, digits and the signs of a name alone: . , & ’ ( ) + – : -'
}
