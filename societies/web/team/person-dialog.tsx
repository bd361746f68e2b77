import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { endMember } from '../../contract.ts'
import { mayOf } from '../../role-words.ts'
import { useSociety } from '../console/console.tsx'
import { useProof } from '../console/proof.tsx'
import { mySocietiesQuery, societyKey } from '../console/queries.ts'
import { ChangeRole } from './change-role.tsx'
import { LeaveSociety } from './leave-society.tsx'
import { MemberAccount } from './member-account.tsx'
import type { Person } from './people.ts'
import type { Member } from './queries.ts'
import { useWhere } from './reach.tsx'

type Step = { name: 'look' } | { name: 'change' | 'end'; member: Member }
const LOOK: Step = { name: 'look' }

/** One member: each role with its two acts, and what concerns the person as a whole. */
export function PersonDialog(props: {
  person: Person | null
  onClose: () => void
  onDone: (said: string) => void
  /** whether the society would be left without an owner */
  isLastOwner: boolean
}) {
  const { person, onClose } = props
  // While it fades out it keeps what it showed.
  const [shown, setShown] = useState(person)
  const [step, setStep] = useState<Step>(LOOK)
  if (person && person !== shown) {
    setShown(person)
    if (person.userId !== shown?.userId) setStep(LOOK)
  }
  if (!shown) return null
  const close = () => {
    setStep(LOOK)
    onClose()
  }
  const done = (said: string) => {
    close()
    props.onDone(said)
  }
  return (
    <Dialog
      open={person !== null}
      onOpenChange={(open) => !open && close()}
      title={titleOf(step, shown)}
      description={step.name === 'look' ? shown.email : undefined}
    >
      {step.name === 'look' && (
        <Roles person={shown} isLastOwner={props.isLastOwner} onStep={setStep} />
      )}
      {step.name === 'change' && (
        <ChangeRole
          member={step.member}
          isLastOwner={props.isLastOwner && step.member.role === 'owner'}
          onCancel={() => setStep(LOOK)}
          onDone={() => done(`What ${shown.name} may was changed.`)}
        />
      )}
      {step.name === 'end' && (
        <EndRole
          person={shown}
          member={step.member}
          onCancel={() => setStep(LOOK)}
          onDone={() => done(`${shown.name} has this role no more.`)}
        />
      )}
    </Dialog>
  )
}

function titleOf(step: Step, { name }: Person): string {
  if (step.name === 'look') return name
  return step.name === 'change' ? `What ${name} may` : 'End this role?'
}

function Roles(props: { person: Person; isLastOwner: boolean; onStep: (step: Step) => void }) {
  const { person, isLastOwner, onStep } = props
  const user = useUser()
  const whereOf = useWhere()
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
              <button
                type="button"
                className="btn btn-ghost btn-small"
                onClick={() => onStep({ name: 'change', member })}
              >
                Change<span className="sr-only"> the role {member.role}</span>
              </button>
              {!(isLastOwner && member.role === 'owner') && (
                <button
                  type="button"
                  className="btn btn-ghost btn-small"
                  onClick={() => onStep({ name: 'end', member })}
                >
                  End<span className="sr-only"> the role {member.role}</span>
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {isLastOwner && (
        <p className="hint mt-3">
          The last owner stays one, so that somebody can let others in. Invite another owner first.
        </p>
      )}
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
  onCancel: () => void
  onDone: () => void
}) {
  const { person, member } = props
  const { society } = useSociety()
  const withProof = useProof()
  const queryClient = useQueryClient()
  const end = useMutation({
    mutationFn: () =>
      withProof(() => call(endMember, { params: { society: society.id, member: member.id } })),
    onSuccess: () => {
      props.onDone()
      void queryClient.invalidateQueries({ queryKey: societyKey(society.id) })
      void queryClient.invalidateQueries(mySocietiesQuery)
    },
  })
  return (
    <>
      <p>
        {person.name} may no longer {mayOf(member.role, member.room)}, from this moment on. What
        they did stays in the log.
      </p>
      <p role="alert" className="mt-3">
        {end.error?.message}
      </p>
      <div className="mt-5 flex flex-wrap gap-3">
        <button type="button" className="btn btn-ghost" onClick={props.onCancel}>
          Keep it
        </button>
        <button
          type="button"
          className="btn"
          aria-disabled={end.isPending}
          onClick={() => !end.isPending && end.mutate()}
        >
          {end.isPending ? 'Ending…' : 'End the role'}
        </button>
      </div>
    </>
  )
}
