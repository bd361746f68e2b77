import { type FormEvent, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf, listOf } from '../../../platform/words.ts'
import { listSocietyAssessments } from '../../kit/contract.ts'
import { nameForInvited, sentencesOf } from '../../kit/role-words.ts'
import { useSociety } from '../../kit/web/console/console.tsx'
import { AreaField, SelectField } from '../../kit/web/fields.tsx'
import { useAct } from '../../kit/web/use-act.tsx'
import { INVITATION_DAYS, INVITED_AT_ONCE, inviteMembers } from '../contract.ts'
import { readPastedAddresses } from '../pasted-addresses.ts'
import { asked, NO_REACH, ReachFields, RoleFields } from './reach.tsx'

const DAYS = [1, 3, INVITATION_DAYS.usual, 14, INVITATION_DAYS.most]

/** Asks people in: their addresses, what they may, and for what; and what they will read. */
export function InviteForm({ onSent }: { onSent: () => void }) {
  const { society } = useSociety()
  const [text, setText] = useState('')
  const [reach, setReach] = useState(NO_REACH)
  const [days, setDays] = useState<number>(INVITATION_DAYS.usual)
  const [missing, setMissing] = useState<string | null>(null)
  const { emails, unread } = readPastedAddresses(text)
  const invite = useAct(
    () =>
      call(inviteMembers, {
        params: { society: society.id },
        body: { emails, roles: reach.roles, expiresInDays: days, ...asked(reach) },
      }),
    (sent) => {
      setText('')
      setReach(NO_REACH)
      toast.success(
        sent.length === 1 ? `${sent[0]?.email} is invited.` : `${sent.length} people are invited.`,
      )
      onSent()
    },
  )
  const count = emails.length
  const known = useEndpoint(listSocietyAssessments, { params: { society: society.id } })
  const { assessment, room } = asked(reach)
  const found = known.data?.find(({ code }) => code === assessment)
  const test = found ? nameForInvited(found) : assessment

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    const problem =
      unread.length > 0
        ? `Correct or remove ${listOf(unread)}.`
        : count === 0
          ? 'Enter at least one address.'
          : count > INVITED_AT_ONCE
            ? `You can invite at most ${INVITED_AT_ONCE} people at once.`
            : reach.roles.length === 0
              ? 'Choose what they may do.'
              : null
    setMissing(problem)
    if (!problem) invite.run()
  }

  return (
    <form onSubmit={onSubmit} noValidate name="invite" className="flex flex-col gap-4">
      <AreaField
        label="Addresses"
        rows={3}
        spellCheck={false}
        autoCapitalize="none"
        value={text}
        onChange={setText}
        hint={
          unread.length > 0
            ? `Not read as an address: ${listOf(unread)}.`
            : count === 0
              ? 'Paste them from your mail program: with names, commas or semicolons, or one per line.'
              : `${countOf(count, 'address', 'addresses')}.`
        }
      />
      <RoleFields reach={reach} onChange={setReach} kind="checkbox" />
      {reach.roles.length > 0 && <ReachFields reach={reach} onChange={setReach} />}
      <SelectField
        label="The link works for"
        options={DAYS.map((one) => [String(one), countOf(one, 'day')])}
        value={String(days)}
        onChange={(value) => setDays(Number(value))}
      />
      {reach.roles.length > 0 && (
        <figure>
          <figcaption className="label">They will read</figcaption>
          <blockquote className="border-ink border-l-2 pl-3.5 text-[13.5px]">
            {sentencesOf({ roles: reach.roles, room, test }).join(' ')}
          </blockquote>
        </figure>
      )}
      <p role="alert" className="text-[13.5px]">
        {missing ?? invite.problem}
      </p>
      <button type="submit" className="btn w-full" aria-disabled={invite.isBusy}>
        {invite.isBusy
          ? 'Sending…'
          : count > 1
            ? `Send ${count} invitations`
            : 'Send the invitation'}
      </button>
    </form>
  )
}
