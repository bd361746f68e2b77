import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { INVITATION_DAYS, INVITED_AT_ONCE, inviteMembers } from '../../contract.ts'
import { listOf } from '../../number-words.ts'
import { readPastedAddresses } from '../../pasted-addresses.ts'
import { nameForInvited, sentencesOf } from '../../role-words.ts'
import { useSociety } from '../console/console.tsx'
import { useProof } from '../console/proof.tsx'
import { societyAssessmentsQuery } from '../console/queries.ts'
import { invitationsQuery } from './queries.ts'
import { asked, NO_REACH, ReachFields, RoleFields } from './reach.tsx'

const DAYS = [1, 3, INVITATION_DAYS.usual, 14, INVITATION_DAYS.most]

/** Asks people in: their addresses, what they may, and for what; and what they will read. */
export function InviteForm({ onSent }: { onSent: (said: string) => void }) {
  const { society } = useSociety()
  const withProof = useProof()
  const id = useId()
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const [reach, setReach] = useState(NO_REACH)
  const [days, setDays] = useState<number>(INVITATION_DAYS.usual)
  const [missing, setMissing] = useState<string | null>(null)
  const { emails, unread } = readPastedAddresses(text)
  const invite = useMutation({
    mutationFn: () =>
      withProof(() =>
        call(inviteMembers, {
          params: { society: society.id },
          body: {
            ...{ emails, roles: reach.roles, expiresInDays: days },
            ...asked(reach),
          },
        }),
      ),
    onSuccess: (sent) => {
      setText('')
      setReach(NO_REACH)
      onSent(
        sent.length === 1 ? `${sent[0]?.email} is invited.` : `${sent.length} people are invited.`,
      )
      return queryClient.invalidateQueries(invitationsQuery(society.id))
    },
  })
  const count = emails.length

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (invite.isPending) return
    const problem = problemOf({ count, unread, reach })
    setMissing(problem)
    if (!problem) invite.mutate()
  }

  return (
    <form onSubmit={onSubmit} noValidate name="invite" className="flex flex-col gap-4">
      <div>
        <label className="label" htmlFor={id}>
          Addresses
        </label>
        <textarea
          id={id}
          rows={3}
          className="field w-full"
          value={text}
          spellCheck={false}
          autoCapitalize="none"
          aria-describedby={`${id}-hint`}
          onChange={(event) => setText(event.target.value)}
        />
        <p id={`${id}-hint`} className="hint mt-1">
          {unread.length > 0
            ? `Not read as an address: ${listOf(unread)}.`
            : count === 0
              ? 'As your mail program has them: with names, commas, semicolons or a line each.'
              : `${count} ${count === 1 ? 'address' : 'addresses'}.`}
        </p>
      </div>
      <RoleFields reach={reach} onChange={setReach} kind="checkbox" />
      {reach.roles.length > 0 && (
        <ReachFields society={society.id} reach={reach} onChange={setReach} />
      )}
      <div>
        <label className="label" htmlFor={`${id}-days`}>
          The link works for
        </label>
        <select
          id={`${id}-days`}
          className="field"
          value={days}
          onChange={(event) => setDays(Number(event.target.value))}
        >
          {DAYS.map((one) => (
            <option key={one} value={one}>
              {one} {one === 1 ? 'day' : 'days'}
            </option>
          ))}
        </select>
      </div>
      {reach.roles.length > 0 && <Preview reach={reach} />}
      <p role="alert" className="text-[13.5px]">
        {missing ?? invite.error?.message}
      </p>
      <button type="submit" className="btn w-full" aria-disabled={invite.isPending}>
        {invite.isPending
          ? 'Sending…'
          : count > 1
            ? `Send ${count} invitations`
            : 'Send the invitation'}
      </button>
    </form>
  )
}

function problemOf(typed: {
  count: number
  unread: string[]
  reach: typeof NO_REACH
}): string | null {
  const { count, unread, reach } = typed
  if (unread.length > 0) return `Please mend or remove: ${listOf(unread)}.`
  if (count === 0) return 'Please give at least one address.'
  if (count > INVITED_AT_ONCE) return `${INVITED_AT_ONCE} people can be invited at once.`
  if (reach.roles.length === 0) return 'Please choose what they may.'
  return null
}

/** What the invited person will read. */
function Preview({ reach }: { reach: typeof NO_REACH }) {
  const { society } = useSociety()
  const known = useQuery(societyAssessmentsQuery(society.id))
  const { assessment, room } = asked(reach)
  const found = known.data?.find(({ code }) => code === assessment)
  const test = found ? nameForInvited(found) : assessment
  const sentences = sentencesOf({ roles: reach.roles, room, test })
  return (
    <figure>
      <figcaption className="label">They will read</figcaption>
      <blockquote className="border-ink border-l-2 pl-3.5 text-[13.5px]">
        {sentences.join(' ')}
      </blockquote>
    </figure>
  )
}
