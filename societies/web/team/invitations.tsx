import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { Question } from '../../../platform/web/ui/dialog.tsx'
import { resendInvitation, revokeInvitation } from '../../contract.ts'
import { listOf } from '../../number-words.ts'
import { mayOf } from '../../role-words.ts'
import { spanUntil, zoneDay } from '../../zone-time.ts'
import { useSociety } from '../console/console.tsx'
import { useProof } from '../console/proof.tsx'
import { useNowMs } from '../console/use-now.ts'
import { type Invitation, invitationsQuery } from './queries.ts'
import { useWhere } from './reach.tsx'

/** Invitations that nobody has answered, and by a press those that are over. */
export function Invitations(props: { invitations: Invitation[]; onDone: (said: string) => void }) {
  const [areAll, setAll] = useState(false)
  const open = props.invitations.filter(isOpen)
  const shown = areAll ? props.invitations : open
  const closed = props.invitations.length - open.length
  return (
    <section aria-labelledby="invitations" className="mt-9.5">
      <div className="head">
        <h2 id="invitations">Invitations</h2>
        <span className="hint">kept for ever, closed but never erased</span>
      </div>
      {shown.length === 0 && (
        <p className="border-line border-b py-3.5 text-ink-2">Nobody is asked just now.</p>
      )}
      <ul>
        {shown.map((invitation) => (
          <Row key={invitation.id} invitation={invitation} onDone={props.onDone} />
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
    </section>
  )
}

/** Expired and withdrawn ones can be sent again, and so wait for somebody. */
const isOpen = ({ state }: Invitation) => state !== 'accepted' && state !== 'revoked'

function Row({ invitation, onDone }: { invitation: Invitation; onDone: (said: string) => void }) {
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
      {isOpen(invitation) && <Acts invitation={invitation} onDone={onDone} />}
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

function Acts({ invitation, onDone }: { invitation: Invitation; onDone: (said: string) => void }) {
  const { society } = useSociety()
  const withProof = useProof()
  const queryClient = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const params = { society: society.id, invitation: invitation.id }
  const again = () => queryClient.invalidateQueries(invitationsQuery(society.id))
  const resend = useMutation({
    mutationFn: () => withProof(() => call(resendInvitation, { params })),
    onSuccess: () => {
      onDone(`A new link goes to ${invitation.email}; the one before works no more.`)
      return again()
    },
  })
  const revoke = useMutation({
    mutationFn: () => call(revokeInvitation, { params }),
    onSuccess: () => {
      setIsAsking(false)
      onDone(`The invitation of ${invitation.email} is taken back.`)
      return again()
    },
  })
  return (
    <div className="md:text-right">
      <div className="flex gap-3.5 md:justify-end">
        <button
          type="button"
          className="link min-h-8 font-medium max-md:min-h-11"
          aria-disabled={resend.isPending}
          aria-label={`Send again to ${invitation.email}`}
          onClick={() => !resend.isPending && resend.mutate()}
        >
          {resend.isPending ? 'Sending…' : 'Send again'}
        </button>
        <button
          type="button"
          className="quiet-link min-h-8 max-md:min-h-11"
          aria-label={`Revoke the invitation of ${invitation.email}`}
          onClick={() => setIsAsking(true)}
        >
          {invitation.state === 'pending' ? 'Revoke' : 'Close'}
        </button>
      </div>
      <p role="alert" className="amber">
        {resend.error?.message}
      </p>
      <Question
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Take it back?"
        description={`The link that ${invitation.email} has works no more. The line stays in this list.`}
      >
        <button type="button" className="btn btn-ghost" onClick={() => setIsAsking(false)}>
          Keep it
        </button>
        <button
          type="button"
          className="btn"
          aria-disabled={revoke.isPending}
          onClick={() => !revoke.isPending && revoke.mutate()}
        >
          {revoke.isPending ? 'Taking back…' : 'Take it back'}
        </button>
        <p role="alert" className="basis-full">
          {revoke.error?.message}
        </p>
      </Question>
    </div>
  )
}
