import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { changeMember } from '../../contract.ts'
import { ChangedMeanwhile, isStale } from '../console/changed-meanwhile.tsx'
import { useSociety } from '../console/console.tsx'
import { useProof } from '../console/proof.tsx'
import { mySocietiesQuery, societyKey } from '../console/queries.ts'
import { type Member, membersQuery } from './queries.ts'
import { asked, type Reach, ReachFields, RoleFields } from './reach.tsx'

/** What a role was when the form began with it. */
type Held = Pick<Member, 'role' | 'assessment' | 'room'>

const heldOf = ({ role, assessment, room }: Held): Held => ({ role, assessment, room })

const reachOf = ({ role, assessment, room }: Held): Reach => ({
  ...{ roles: [role], assessment, room: room ?? '' },
})

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
  const [was, setWas] = useState(() => heldOf(member))
  const [reach, setReach] = useState(() => reachOf(member))
  const [role = was.role] = reach.roles
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
      void queryClient.invalidateQueries({ queryKey: societyKey(society.id) })
      void queryClient.invalidateQueries(mySocietiesQuery)
    },
  })

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (!change.isPending) change.mutate()
  }

  async function reload(): Promise<void> {
    const members = await queryClient.fetchQuery({ ...membersQuery(society.id), staleTime: 0 })
    const now = members.find(({ id }) => id === member.id)
    if (now) {
      setWas(heldOf(now))
      setReach(reachOf(now))
    }
    change.reset()
  }

  return (
    <form onSubmit={onSubmit} noValidate name="change-role" className="flex flex-col gap-4">
      <ChangedMeanwhile error={change.error} typed={reach} onReload={reload} onPutBack={setReach} />
      <RoleFields reach={reach} onChange={setReach} kind="radio" />
      <ReachFields society={society.id} reach={reach} onChange={setReach} />
      {isLastOwner && role !== 'owner' && (
        <p className="hint">
          The last owner stays one, so that somebody can let others in. Invite another owner first.
        </p>
      )}
      <p role="alert">{isStale(change.error) ? null : change.error?.message}</p>
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
