import { type FormEvent, useState } from 'react'
import { spanUntil } from '../../../platform/durations.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { countOf, listOf } from '../../../platform/words.ts'
import { mayOf, nameForInvited, sentencesOf } from '../../kit/role-words.ts'
import { AskButton } from '../../kit/web/ask.tsx'
import { useSociety } from '../../kit/web/console/console.tsx'
import { useNowMs } from '../../kit/web/console/use-now.ts'
import { AreaField, SelectField } from '../../kit/web/fields.tsx'
import { Section } from '../../kit/web/section.tsx'
import { ActButton, useAct } from '../../kit/web/use-act.tsx'
import { zoneDay } from '../../kit/zone-time.ts'
import {
  INVITATION_DAYS,
  INVITED_AT_ONCE,
  inviteMembers,
  type listInvitations,
  resendInvitation,
  revokeInvitation,
} from '../contract.ts'
import { readPastedAddresses } from '../pasted-addresses.ts'
import { asked, NO_REACH, ReachFields, RoleFields, useTests, useWhere } from './reach.tsx'

export type Invitation = ResponseOf<typeof listInvitations>[number]

export function Invitations(props: { invitations: Invitation[] }) {
  const [areAll, setAll] = useState(false)
  const open = props.invitations.filter(isOpen)
  const shown = areAll ? props.invitations : open
  const closed = props.invitations.length - open.length
  return (
    <Section title="Invitations" hint="kept for good, also when closed" className="mt-9.5">
      {shown.length === 0 && (
        <p className="border-line border-b py-3.5 text-ink-2">No open invitations.</p>
      )}
      <ul>
        {shown.map((invitation) => (
          <Row key={invitation.id} invitation={invitation} />
        ))}
      </ul>
      {closed > 0 && (
        <button
          type="button"
          className="quiet-link mt-4 min-h-8 text-[13.5px] max-md:min-h-11"
          aria-expanded={areAll}
          onClick={() => setAll(!areAll)}
        >
          {areAll ? 'Show open only' : `All ${props.invitations.length}, including closed ones`}
        </button>
      )}
    </Section>
  )
}

/** Expired and withdrawn invitations can be sent again. */
const isOpen = ({ state }: Invitation) => state !== 'accepted' && state !== 'revoked'

function Row({ invitation }: { invitation: Invitation }) {
  const { society } = useSociety()
  const nowMs = useNowMs(60_000)
  const whereOf = useWhere()
  const day = (iso: string) => zoneDay(iso, society.timeZone, nowMs)
  const { state, expiresAt, acceptedAt, revokedAt } = invitation
  const verb = state === 'accepted' ? 'can' : isOpen(invitation) ? 'will' : 'would'
  return (
    <li className="border-line border-b py-3.5 text-[13.5px] md:grid md:grid-cols-[236px_minmax(0,1fr)_152px_170px] md:gap-x-5">
      <div className="min-w-0">
        <h3 className="truncate font-sans text-[14.5px]! tracking-normal" title={invitation.email}>
          <span className="font-semibold">{invitation.email}</span>
        </h3>
        <p className="hint">
          by {invitation.invitedBy}, {day(invitation.createdAt)}
        </p>
      </div>
      <p className="text-pretty text-ink-2 max-md:mt-1.5">
        {verb}{' '}
        <b className="font-semibold text-ink">
          {listOf(invitation.roles.map((role) => mayOf(role, invitation.room)))}
        </b>
        , {whereOf(invitation)}
      </p>
      <div className="max-md:mt-1.5">
        <p className={state === 'expired' || state === 'withdrawn' ? 'amber font-semibold' : ''}>
          {
            {
              pending: `expires in ${spanUntil(Date.parse(expiresAt) - nowMs)}`,
              expired: `expired ${day(expiresAt)}`,
              withdrawn: 'withdrawn: its sender is no longer an owner',
              accepted: `accepted ${acceptedAt && day(acceptedAt)}`,
              revoked: `revoked ${revokedAt && day(revokedAt)}`,
            }[state]
          }
        </p>
        <p className="hint">{sentWords(invitation, nowMs)}</p>
      </div>
      {isOpen(invitation) && <Acts invitation={invitation} />}
    </li>
  )
}

/** Mails leave within a minute. After ten minutes, a mail is probably waiting for the mail server. */
const SLOW_MS = 10 * 60_000

function sentWords({ sentCount, state, createdAt }: Invitation, nowMs: number): string {
  if (sentCount > 0) return sentCount === 1 ? 'sent once' : `sent ${sentCount} times`
  if (state !== 'pending') return 'its email was never sent'
  return nowMs - Date.parse(createdAt) < SLOW_MS
    ? 'will be sent within a minute'
    : 'its email is waiting for the mail server and is retried'
}

function Acts({ invitation }: { invitation: Invitation }) {
  const { society } = useSociety()
  const { id, email } = invitation
  const params = { society: society.id, invitation: id }
  const resend = useAct(
    () => call(resendInvitation, { params }),
    () => toast.success(`A new link is on its way to ${email}. The old one no longer works.`),
  )
  return (
    <div className="flex flex-wrap gap-3.5 md:justify-end">
      <ActButton
        act={resend}
        busy="Sending…"
        label={`Send again to ${email}`}
        className="link min-h-8 font-medium max-md:min-h-11"
      >
        Send again
      </ActButton>
      <AskButton
        words={invitation.state === 'pending' ? 'Revoke' : 'Close'}
        label={`Revoke the invitation of ${email}`}
        className="quiet-link min-h-8 max-md:min-h-11"
        title="Revoke the invitation?"
        text={`The link sent to ${email} no longer works. The invitation stays in this list.`}
        endpoint={revokeInvitation}
        input={{ params }}
        button={['Revoke the invitation', 'Revoking…']}
        done={`The invitation of ${email} is revoked.`}
      />
    </div>
  )
}

const DAYS = [1, 3, INVITATION_DAYS.usual, 14, INVITATION_DAYS.most]

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
  const { assessment, room } = asked(reach)
  const found = useTests().find(({ code }) => code === assessment)
  const test = found ? nameForInvited(found) : assessment

  function problemOf(): string | null {
    if (unread.length > 0) return `Correct or remove ${listOf(unread)}.`
    if (count === 0) return 'Enter at least one address.'
    if (count > INVITED_AT_ONCE) return `You can invite at most ${INVITED_AT_ONCE} people at once.`
    return reach.roles.length === 0 ? 'Choose at least one role.' : null
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    const problem = problemOf()
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
            ? `Not recognized as an address: ${listOf(unread)}.`
            : count === 0
              ? 'Paste them from your email program: with names, commas or semicolons, or one per line.'
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
