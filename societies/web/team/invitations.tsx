import { useState } from 'react'
import { spanUntil } from '../../../platform/durations.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { listOf } from '../../../platform/words.ts'
import { type listInvitations, resendInvitation, revokeInvitation } from '../../contract.ts'
import { mayOf } from '../../role-words.ts'
import { zoneDay } from '../../zone-time.ts'
import { useSociety } from '../console/console.tsx'
import { useNowMs } from '../console/use-now.ts'
import { ActionDialog } from '../kit/ask.tsx'
import { Section } from '../kit/section.tsx'
import { ActButton, useAct } from '../kit/use-act.tsx'
import { useWhere } from './reach.tsx'

export type Invitation = ResponseOf<typeof listInvitations>[number]

/** Invitations that nobody has answered, and by a press those that are over. */
export function Invitations(props: { invitations: Invitation[] }) {
  const [areAll, setAll] = useState(false)
  const open = props.invitations.filter(isOpen)
  const shown = areAll ? props.invitations : open
  const closed = props.invitations.length - open.length
  return (
    <Section title="Invitations" hint="kept for ever, closed but never erased" className="mt-9.5">
      {shown.length === 0 && (
        <p className="border-line border-b py-3.5 text-ink-2">Nobody is asked just now.</p>
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
          {areAll ? 'Only those that are open' : `All ${props.invitations.length}, closed ones too`}
        </button>
      )}
    </Section>
  )
}

/** Expired and withdrawn ones can be sent again, and so wait for somebody. */
const isOpen = ({ state }: Invitation) => state !== 'accepted' && state !== 'revoked'

function Row({ invitation }: { invitation: Invitation }) {
  const { society } = useSociety()
  const nowMs = useNowMs(60_000)
  const whereOf = useWhere()
  const day = (iso: string) => zoneDay(iso, society.timeZone, nowMs)
  const verb = invitation.state === 'accepted' ? 'may' : isOpen(invitation) ? 'will' : 'would'
  return (
    <li className="border-line border-b py-3.5 text-[13.5px] md:grid md:grid-cols-[204px_minmax(0,1fr)_152px_170px] md:gap-x-5">
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
        <State invitation={invitation} day={day} nowMs={nowMs} />
        <p className="hint">{sentWords(invitation, nowMs)}</p>
      </div>
      {isOpen(invitation) && <Acts invitation={invitation} />}
    </li>
  )
}

/** A mail leaves within a minute; one that has not after ten waits for the mail server. */
const SLOW_MS = 10 * 60_000

function sentWords({ sentCount, state, createdAt }: Invitation, nowMs: number): string {
  if (sentCount === 0) {
    if (state !== 'pending') return 'its mail never left'
    return nowMs - Date.parse(createdAt) < SLOW_MS
      ? 'its mail leaves within a minute, by itself'
      : 'its mail waits for the mail server, and is tried again by itself'
  }
  return sentCount === 1 ? 'sent once' : `sent ${sentCount} times`
}

function State(props: { invitation: Invitation; day: (iso: string) => string; nowMs: number }) {
  const { invitation, day, nowMs } = props
  const { state, expiresAt, acceptedAt, revokedAt } = invitation
  switch (state) {
    case 'pending':
      return <p>expires in {spanUntil(Date.parse(expiresAt) - nowMs)}</p>
    case 'expired':
      return <p className="amber font-semibold">expired {day(expiresAt)}</p>
    case 'withdrawn':
      return <p className="amber font-semibold">withdrawn: its sender is no owner now</p>
    case 'accepted':
      return <p>accepted {acceptedAt && day(acceptedAt)}</p>
    case 'revoked':
      return <p>revoked {revokedAt && day(revokedAt)}</p>
  }
}

function Acts({ invitation }: { invitation: Invitation }) {
  const { society } = useSociety()
  const [isAsking, setIsAsking] = useState(false)
  const { id, email } = invitation
  const params = { society: society.id, invitation: id }
  const resend = useAct(
    () => call(resendInvitation, { params }),
    () => toast.success(`A new link goes to ${email}; the one before works no more.`),
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
      <button
        type="button"
        className="quiet-link min-h-8 max-md:min-h-11"
        aria-label={`Revoke the invitation of ${email}`}
        onClick={() => setIsAsking(true)}
      >
        {invitation.state === 'pending' ? 'Revoke' : 'Close'}
      </button>
      {isAsking && (
        <ActionDialog
          title="Revoke the invitation?"
          text={`The link that ${email} has no longer works. The line stays in this list.`}
          endpoint={revokeInvitation}
          input={{ params }}
          button={['Revoke the invitation', 'Revoking…']}
          done={`The invitation of ${email} is revoked.`}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  )
}
