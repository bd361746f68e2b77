import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { changeMember } from '../../contract.ts'
import { useSociety } from '../console/console.tsx'
import { useProof } from '../console/proof.tsx'
import { mySocietiesQuery, societyKey } from '../console/queries.ts'
import { lastDay } from './end-of-day.ts'
import type { Member } from './queries.ts'
import { asked, type Reach, ReachFields, RoleFields } from './reach.tsx'

/** Another role, other assessments, another room or end, from the next call on. */
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
  const [reach, setReach] = useState<Reach>({
    roles: [member.role],
    assessments: member.assessments,
    lastDay: member.until ? lastDay(member.until, society.timeZone) : '',
    room: member.room ?? '',
  })
  const [role] = reach.roles
  const change = useMutation({
    mutationFn: () =>
      withProof(() =>
        call(changeMember, {
          params: { society: society.id, member: member.id },
          body: { role: role ?? member.role, ...asked(reach, society.timeZone) },
        }),
      ),
    onSuccess: () => {
      props.onDone()
      void queryClient.invalidateQueries({ queryKey: societyKey(society.id) })
      void queryClient.invalidateQueries(mySocietiesQuery)
    },
  })

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (!change.isPending) change.mutate()
  }

  return (
    <form onSubmit={onSubmit} noValidate name="change-role" className="flex flex-col gap-4">
      <RoleFields reach={reach} onChange={setReach} kind="radio" />
      <ReachFields society={society} reach={reach} onChange={setReach} />
      {isLastOwner && role !== 'owner' && (
        <p className="hint">
          The last owner stays one, so that somebody can let others in. Invite another owner first.
        </p>
      )}
      <p role="alert">{change.error?.message}</p>
      <div className="flex flex-wrap gap-3">
        <button type="button" className="btn btn-ghost" onClick={props.onCancel}>
          Back
        </button>
        <button type="submit" className="btn" aria-disabled={change.isPending}>
          {change.isPending ? 'Saving…' : 'Save'}
        </button>
      </div>
    </form>
  )
}
