import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { changeMember } from '../../contract.ts'
import { useSociety } from '../console/console.tsx'
import { useProof } from '../console/proof.tsx'
import { mySocietiesQuery, societyKey } from '../console/queries.ts'
import type { Member } from './queries.ts'
import { asked, type Reach, ReachFields, RoleFields } from './reach.tsx'

/** Another role, another test or another room, from the next call on (product 7.12.11). */
export function ChangeRole(props: {
  member: Member
  isLastOwner: boolean
  onCancel: () => void
  onDone: () => void
}) {
  const { member, isLastOwner } = props
  const { society } = useSociety()
  const withProof = useProof()
  const queryClient = useQueryClient()
  const was = { role: member.role, assessment: member.assessment, room: member.room }
  const [reach, setReach] = useState<Reach>({
    ...{ roles: [was.role], assessment: was.assessment, room: was.room ?? '' },
  })
  const [role = was.role] = reach.roles
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: societyKey(society.id) })
    void queryClient.invalidateQueries(mySocietiesQuery)
  }
  const change = useMutation({
    mutationFn: () =>
      withProof(() =>
        call(changeMember, {
          params: { society: society.id, member: member.id },
          body: { was, role, ...asked(reach) },
        }),
      ),
    onSuccess: () => {
      props.onDone()
      refresh()
    },
  })
  const isStale = change.error instanceof ApiFailure && change.error.code === 'stale'

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (!change.isPending) change.mutate()
  }

  return (
    <form onSubmit={onSubmit} noValidate name="change-role" className="flex flex-col gap-4">
      <RoleFields reach={reach} onChange={setReach} kind="radio" />
      <ReachFields society={society.id} reach={reach} onChange={setReach} />
      {isLastOwner && role !== 'owner' && (
        <p className="hint">
          The last owner stays one, so that somebody can let others in. Invite another owner first.
        </p>
      )}
      <p role="alert">{change.error?.message}</p>
      <div className="flex flex-wrap gap-3">
        <button
          type="button"
          className="btn btn-ghost"
          onClick={() => {
            if (isStale) refresh()
            props.onCancel()
          }}
        >
          {isStale ? 'Reload' : 'Back'}
        </button>
        <button type="submit" className="btn" aria-disabled={change.isPending}>
          {change.isPending ? 'Saving…' : 'Save'}
        </button>
      </div>
    </form>
  )
}
