import { useState } from 'react'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { mayOf } from '../../kit/role-words.ts'
import { ActionDialog } from '../../kit/web/ask.tsx'
import { ChangedMeanwhile, isStale, useReadForm } from '../../kit/web/console/changed-meanwhile.tsx'
import { useSociety } from '../../kit/web/console/console.tsx'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { ActButton, useAct } from '../../kit/web/use-act.tsx'
import {
  changeMember,
  endMember,
  listMembers,
  resetMemberFactor,
  signMemberOut,
} from '../contract.ts'
import { asked, LeaveSociety, type Reach, ReachFields, RoleFields, useWhere } from './reach.tsx'

type Member = ResponseOf<typeof listMembers>[number]

export interface Person {
  userId: string
  name: string
  email: string
  /** Active roles. */
  roles: Member[]
  /** Roles that were ended or expired with their test. */
  past: Member[]
}

type Step = { what: 'change' | 'end'; member: Member }
const LAST_OWNER = 'A society needs an owner. Invite another one first.'

export function PersonDialog(props: { person: Person; isLastOwner: boolean; onClose: () => void }) {
  const { person, isLastOwner, onClose } = props
  const { society } = useSociety()
  const [step, setStep] = useState<Step | null>(null)
  const back = () => setStep(null)
  const done = (sentence: string) => {
    toast.success(sentence)
    onClose()
  }
  if (step?.what === 'end') {
    const { id, role, room } = step.member
    return (
      <ActionDialog
        title="End this role?"
        text={`${person.name} can no longer ${mayOf(role, room)}, starting now. Their actions stay in the log.`}
        endpoint={endMember}
        input={{ params: { society: society.id, member: id } }}
        button={['End the role', 'Ending…']}
        done={() => done(`${person.name} no longer has this role.`)}
        onClose={back}
      />
    )
  }
  if (step) {
    return (
      <ChangeRole
        title={`What ${person.name} can do`}
        member={step.member}
        isLastOwner={isLastOwner}
        onClose={back}
        onDone={() => done(`${person.name}’s role was changed.`)}
      />
    )
  }
  return (
    <Dialog open onOpenChange={onClose} title={person.name} description={person.email}>
      <Roles person={person} isLastOwner={isLastOwner} onStep={setStep} />
    </Dialog>
  )
}

function Roles(props: { person: Person; isLastOwner: boolean; onStep: (step: Step) => void }) {
  const { person, isLastOwner, onStep } = props
  const user = useUser()
  const whereOf = useWhere()
  const press = (member: Member, what: Step['what'], word: string) => (
    <button
      type="button"
      className="btn btn-ghost btn-small"
      onClick={() => onStep({ what, member })}
    >
      {word}
      <span className="sr-only"> the role {member.role}</span>
    </button>
  )
  return (
    <>
      <ul className="border-line border-t">
        {person.roles.map((member) => (
          <li key={member.id} className="flex flex-wrap gap-x-4 gap-y-2 border-line border-b py-3">
            <div className="min-w-0 flex-1 basis-50">
              <p className="font-medium">Can {mayOf(member.role, member.room)}</p>
              <p className="hint">{whereOf(member)}</p>
            </div>
            <div className="flex items-start gap-2">
              {press(member, 'change', 'Change')}
              {!(isLastOwner && member.role === 'owner') && press(member, 'end', 'End')}
            </div>
          </li>
        ))}
      </ul>
      {isLastOwner && <p className="hint mt-3">{LAST_OWNER}</p>}
      {person.userId !== user.id ? (
        <MemberAccount person={person} />
      ) : (
        !isLastOwner && (
          <div className="mt-5">
            <LeaveSociety />
          </div>
        )
      )}
    </>
  )
}

const reachOf = ({ role, assessment, room }: Member): Reach => ({
  roles: [role],
  assessment,
  room: room ?? '',
})

/** Changes a role, its test or its room, effective from the next request (product 7.12.11). */
function ChangeRole(props: {
  title: string
  member: Member
  isLastOwner: boolean
  onClose: () => void
  onDone: () => void
}) {
  const { society } = useSociety()
  const { id } = props.member
  const members = endpointQuery(listMembers, { params: { society: society.id } })
  const form = useReadForm(props.member, reachOf, members, (all) =>
    all.find((one) => one.id === id),
  )
  const { read: was, typed: reach, setTyped: setReach } = form
  const [role = was.role] = reach.roles
  const change = useAct(
    () =>
      call(changeMember, {
        params: { society: society.id, member: was.id },
        body: {
          was: { role: was.role, assessment: was.assessment, room: was.room },
          role,
          ...asked(reach),
        },
      }),
    props.onDone,
  )

  return (
    <DialogFrame
      title={props.title}
      button={['Save', 'Saving…']}
      problem={isStale(change.failure) ? null : change.problem}
      isBusy={change.isBusy}
      onAct={() => change.run()}
      onClose={props.onClose}
    >
      <ChangedMeanwhile save={change} typed={reach} onReload={form.reload} onPutBack={setReach} />
      <RoleFields reach={reach} onChange={setReach} kind="radio" />
      <ReachFields reach={reach} onChange={setReach} />
      {props.isLastOwner && was.role === 'owner' && role !== 'owner' && (
        <p className="hint">{LAST_OWNER}</p>
      )}
    </DialogFrame>
  )
}

/** An owner can end a member's organizer sessions, and remove a lost second factor (product 7.13.6). */
function MemberAccount({ person }: { person: Person }) {
  const { society } = useSociety()
  // The endpoint accepts the id of any of the person's roles.
  const params = { society: society.id, member: person.roles[0]?.id ?? '' }
  const signOut = useAct(
    () => call(signMemberOut, { params }),
    () => toast.success(`${person.name} was signed out of the console.`),
  )
  const reset = useAct(
    () => call(resetMemberFactor, { params }),
    () => toast.success(`${person.name}’s second factor was removed. They are notified by email.`),
  )
  const hasFactor = person.roles.some((role) => role.hasFactor)
  return (
    <section aria-label="Account" className="mt-5">
      <div className="flex flex-wrap gap-2">
        <ActButton act={signOut} className="btn btn-ghost btn-small">
          Sign out of the console
        </ActButton>
        {hasFactor && (
          <ActButton act={reset} className="btn btn-ghost btn-small">
            Reset the second factor
          </ActButton>
        )}
      </div>
      <p className="hint mt-2">For {hasFactor && 'a lost phone, or '}a computer left behind.</p>
    </section>
  )
}
