import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { changeMember, listMembers } from '../../contract.ts'
import { ChangedMeanwhile, isStale } from '../console/changed-meanwhile.tsx'
import { useSociety } from '../console/console.tsx'
import { ActForm } from '../kit/dialog-frame.tsx'
import { useAct } from '../kit/use-act.tsx'
import type { Member } from './people.ts'
import { asked, type Reach, ReachFields, RoleFields } from './reach.tsx'

/** What a role was when the form began with it. */
type Held = Pick<Member, 'role' | 'assessment' | 'room'>

const heldOf = ({ role, assessment, room }: Held): Held => ({ role, assessment, room })
const reachOf = ({ role, assessment, room }: Held): Reach => ({
  roles: [role],
  assessment,
  room: room ?? '',
})

/**
 * Another role, another test or another room, from the next call on (product 7.12.11).
 * @param props.hint below, when the role is another one
 */
export function ChangeRole(props: {
  member: Member
  hint: string
  onClose: () => void
  onDone: () => void
}) {
  const { member } = props
  const { society } = useSociety()
  const client = useQueryClient()
  const [was, setWas] = useState(() => heldOf(member))
  const [reach, setReach] = useState(() => reachOf(member))
  const [role = was.role] = reach.roles
  const change = useAct(
    () =>
      call(changeMember, {
        params: { society: society.id, member: member.id },
        body: { was, role, ...asked(reach) },
      }),
    props.onDone,
  )

  async function reload(): Promise<void> {
    const query = endpointQuery(listMembers, { params: { society: society.id } })
    const members = await client.fetchQuery({ ...query, staleTime: 0 })
    const now = members.find(({ id }) => id === member.id)
    if (now) {
      setWas(heldOf(now))
      setReach(reachOf(now))
    }
    change.reset()
  }

  return (
    <ActForm
      button={['Save', 'Saving…']}
      problem={isStale(change.failure) ? null : change.problem}
      isBusy={change.isBusy}
      onAct={() => change.run()}
      onClose={props.onClose}
    >
      <ChangedMeanwhile
        error={change.failure}
        typed={reach}
        onReload={reload}
        onPutBack={setReach}
      />
      <RoleFields reach={reach} onChange={setReach} kind="radio" />
      <ReachFields reach={reach} onChange={setReach} />
      {props.hint && role !== member.role && <p className="hint">{props.hint}</p>}
    </ActForm>
  )
}
