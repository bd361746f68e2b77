import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { resetMemberFactor, signMemberOut } from '../../contract.ts'
import { useSociety } from '../console/console.tsx'
import { useProof } from '../console/proof.tsx'
import { societyKey } from '../console/queries.ts'
import type { Person } from './people.ts'

/** What an owner does for a member's account: end its sessions, take off a second factor that was lost (product 7.13.6). */
export function MemberAccount({ person }: { person: Person }) {
  const { society } = useSociety()
  const withProof = useProof()
  const queryClient = useQueryClient()
  const [said, setSaid] = useState('')
  // Any of the person's roles stands for the person.
  const params = { society: society.id, member: person.roles[0]?.id ?? '' }
  const signOut = useMutation({
    mutationFn: () => withProof(() => call(signMemberOut, { params })),
    onMutate: () => setSaid(''),
    onSuccess: () => setSaid(`${person.name} is signed out everywhere.`),
  })
  const reset = useMutation({
    mutationFn: () => withProof(() => call(resetMemberFactor, { params })),
    onMutate: () => setSaid(''),
    onSuccess: () => {
      setSaid(`${person.name} has no second factor any more, and a mail that says so.`)
      void queryClient.invalidateQueries({ queryKey: societyKey(society.id) })
    },
  })
  const hasFactor = person.roles.some((role) => role.hasFactor)
  const isBusy = signOut.isPending || reset.isPending
  return (
    <section aria-label="Account" className="mt-5">
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-ghost btn-small"
          aria-disabled={isBusy}
          onClick={() => !isBusy && signOut.mutate()}
        >
          Sign out everywhere
        </button>
        {hasFactor && (
          <button
            type="button"
            className="btn btn-ghost btn-small"
            aria-disabled={isBusy}
            onClick={() => !isBusy && reset.mutate()}
          >
            Reset the second factor
          </button>
        )}
      </div>
      <p className="hint mt-2">
        {hasFactor
          ? 'For a phone that was lost, or a computer that was left somewhere.'
          : 'For a computer that was left somewhere.'}
      </p>
      <p role="status" className="mt-2">
        {said}
      </p>
      <p role="alert">{(signOut.error ?? reset.error)?.message}</p>
    </section>
  )
}
