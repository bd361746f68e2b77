import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { endMember, resetMemberFactor, signMemberOut } from '../../contract.ts'
import { mayOf } from '../../role-words.ts'
import { useSociety } from '../console/console.tsx'
import { ActForm } from '../kit/dialog-frame.tsx'
import { ActButton, useAct } from '../kit/use-act.tsx'
import { ChangeRole } from './change-role.tsx'
import { LeaveSociety } from './leave-society.tsx'
import type { Member, Person } from './people.ts'
import { useWhere } from './reach.tsx'

type Step = { name: 'look' } | { name: 'change' | 'end'; member: Member }
const LOOK: Step = { name: 'look' }
const LAST_OWNER =
  'The last owner stays one, so that somebody can let others in. Invite another owner first.'

/**
 * One member: each role with its two acts, and what concerns the person as a whole.
 * @param props.isLastOwner whether the society would be left without an owner
 */
export function PersonDialog(props: { person: Person; isLastOwner: boolean; onClose: () => void }) {
  const { person, isLastOwner, onClose } = props
  const [step, setStep] = useState<Step>(LOOK)
  const back = () => setStep(LOOK)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={
        step.name === 'look'
          ? person.name
          : step.name === 'change'
            ? `What ${person.name} may`
            : 'End this role?'
      }
      {...(step.name === 'look' && { description: person.email })}
    >
      {step.name === 'look' && <Roles person={person} isLastOwner={isLastOwner} onStep={setStep} />}
      {step.name === 'change' && (
        <ChangeRole
          member={step.member}
          hint={isLastOwner && step.member.role === 'owner' ? LAST_OWNER : ''}
          onClose={back}
          onDone={() => {
            toast.success(`What ${person.name} may was changed.`)
            onClose()
          }}
        />
      )}
      {step.name === 'end' && (
        <EndRole person={person} member={step.member} onBack={back} onClose={onClose} />
      )}
    </Dialog>
  )
}

function Roles(props: { person: Person; isLastOwner: boolean; onStep: (step: Step) => void }) {
  const { person, isLastOwner, onStep } = props
  const user = useUser()
  const whereOf = useWhere()
  const press = (member: Member, name: 'change' | 'end', word: string) => (
    <button
      type="button"
      className="btn btn-ghost btn-small"
      onClick={() => onStep({ name, member })}
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
              <p className="font-medium">May {mayOf(member.role, member.room)}</p>
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
      {person.userId !== user.id && <MemberAccount person={person} />}
      {person.userId === user.id && !isLastOwner && (
        <div className="mt-5">
          <LeaveSociety />
        </div>
      )}
    </>
  )
}

function EndRole(props: {
  person: Person
  member: Member
  onBack: () => void
  onClose: () => void
}) {
  const { person, member, onClose } = props
  const { society } = useSociety()
  const end = useAct(
    () => call(endMember, { params: { society: society.id, member: member.id } }),
    () => {
      toast.success(`${person.name} has this role no more.`)
      onClose()
    },
  )
  return (
    <ActForm
      button={['End the role', 'Ending…']}
      problem={end.problem}
      isBusy={end.isBusy}
      onAct={() => end.run()}
      onClose={props.onBack}
    >
      <p>
        {person.name} may no longer {mayOf(member.role, member.room)}, from this moment on. What
        they did stays in the log.
      </p>
    </ActForm>
  )
}

/** What an owner does for a member's account: end its sessions, take off a second factor that was lost (product 7.13.6). */
function MemberAccount({ person }: { person: Person }) {
  const { society } = useSociety()
  // Any of the person's roles stands for the person.
  const params = { society: society.id, member: person.roles[0]?.id ?? '' }
  const signOut = useAct(
    () => call(signMemberOut, { params }),
    () => toast.success(`${person.name} is signed out everywhere.`),
  )
  const reset = useAct(
    () => call(resetMemberFactor, { params }),
    () => toast.success(`${person.name} has no second factor any more, and a mail that says so.`),
  )
  const hasFactor = person.roles.some((role) => role.hasFactor)
  return (
    <section aria-label="Account" className="mt-5">
      <div className="flex flex-wrap gap-2">
        <ActButton act={signOut} className="btn btn-ghost btn-small">
          Sign out everywhere
        </ActButton>
        {hasFactor && (
          <ActButton act={reset} className="btn btn-ghost btn-small">
            Reset the second factor
          </ActButton>
        )}
      </div>
      <p className="hint mt-2">
        {hasFactor
          ? 'For a phone that was lost, or a computer that was left somewhere.'
          : 'For a computer that was left somewhere.'}
      </p>
    </section>
  )
}
