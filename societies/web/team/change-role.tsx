import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { changeMember, staleMember } from '../../contract.ts'
import { listOf } from '../../number-words.ts'
import type { Role } from '../../roles.ts'
import { Conflicts } from '../console/conflicts.tsx'
import { useSociety } from '../console/console.tsx'
import { mergeChanges } from '../console/merge-changes.ts'
import { useProof } from '../console/proof.tsx'
import { mySocietiesQuery, societyAssessmentsQuery, societyKey } from '../console/queries.ts'
import { lastDay } from './end-of-day.ts'
import type { Member } from './queries.ts'
import { asked, namesOf, type Reach, ReachFields, RoleFields } from './reach.tsx'

/** What a role was when the form began with it. */
type Held = Pick<Member, 'role' | 'assessments' | 'until' | 'room'>

const heldOf = ({ role, assessments, until, room }: Held): Held => ({
  ...{ role, assessments, until, room },
})

const FIELD_NAMES: Readonly<Record<keyof Reach, string>> = {
  roles: 'Role',
  assessments: 'Where',
  lastDay: 'Last day',
  room: 'Room',
}

/** Another role, other assessments, another room or end, from the next call on (product 7.12.11). */
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
  const known = useQuery(societyAssessmentsQuery(society.id))
  const reachOf = (held: Held): Reach => ({
    roles: [held.role],
    assessments: held.assessments,
    lastDay: held.until ? lastDay(held.until, society.timeZone) : '',
    room: held.room ?? '',
  })
  const [was, setWas] = useState(() => heldOf(member))
  const [reach, setReach] = useState(() => reachOf(member))
  const [clash, setClash] = useState<{
    by: string
    theirs: Reach
    open: (keyof Reach)[]
  } | null>(null)
  const [role = was.role] = reach.roles as [Role?]
  const change = useMutation({
    mutationFn: () =>
      withProof(() =>
        call(changeMember, {
          params: { society: society.id, member: member.id },
          body: { was, role, ...asked(reach, society.timeZone) },
        }),
      ),
    onSuccess: () => {
      props.onDone()
      void queryClient.invalidateQueries({ queryKey: societyKey(society.id) })
      void queryClient.invalidateQueries(mySocietiesQuery)
    },
    onError: (error) => {
      if (!(error instanceof ApiFailure) || error.code !== 'stale') return
      const { data } = staleMember.safeParse(error.details)
      if (!data) return
      const theirs = reachOf(data.current)
      const { merged, conflicts } = mergeChanges(reachOf(was), reach, theirs)
      setClash({ by: data.changedBy, theirs, open: conflicts })
      setWas(heldOf(data.current))
      setReach(merged)
    },
  })
  const isPicked = (clash?.open.length ?? 0) === 0
  const isStale = change.error instanceof ApiFailure && change.error.code === 'stale'

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (isPicked && !change.isPending) change.mutate()
  }

  const words = (field: keyof Reach, one: Reach): string => {
    if (field === 'roles') return listOf(one.roles)
    if (field === 'lastDay') return one.lastDay || 'no end'
    if (field === 'room') return one.room || 'every room'
    return one.assessments === null
      ? 'all assessments'
      : listOf(namesOf(one.assessments, known.data ?? []))
  }

  return (
    <form onSubmit={onSubmit} noValidate name="change-role" className="flex flex-col gap-4">
      {clash && (
        <Conflicts
          by={clash.by}
          conflicts={clash.open.map((field) => ({
            ...{ field, name: FIELD_NAMES[field] },
            ...{ mine: words(field, reach), theirs: words(field, clash.theirs) },
          }))}
          onPick={(field, value) => {
            if (value === 'theirs') setReach({ ...reach, [field]: clash.theirs[field] })
            setClash({ ...clash, open: clash.open.filter((other) => other !== field) })
          }}
        />
      )}
      <RoleFields reach={reach} onChange={setReach} kind="radio" />
      <ReachFields society={society} reach={reach} onChange={setReach} />
      {isLastOwner && role !== 'owner' && (
        <p className="hint">
          The last owner stays one, so that somebody can let others in. Invite another owner first.
        </p>
      )}
      <p role="alert">{isStale ? null : change.error?.message}</p>
      <div className="flex flex-wrap gap-3">
        <button type="button" className="btn btn-ghost" onClick={props.onCancel}>
          Back
        </button>
        <button type="submit" className="btn" aria-disabled={!isPicked || change.isPending}>
          {change.isPending ? 'Saving…' : 'Save'}
        </button>
      </div>
    </form>
  )
}
