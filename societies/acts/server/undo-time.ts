import { withdrawMessages } from '../../../assessments/server/message-store.ts'
import {
  changeTimes,
  lockSittings,
  readSittings,
  setPlannedTime,
  type TimeChange,
} from '../../../assessments/server/time-store.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { act, type Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { KeptTime } from './change-time.ts'

/** The page offers it for ten seconds; a slow network may need more. */
const UNDO_MS = 20_000

const tooLate = () =>
  refuse(
    409,
    'undo_too_late',
    'This can’t be undone anymore. Too much time has passed, or someone changed the time since.',
  )

/**
 * Undoes one's own change of time of a moment ago, if each candidate whom it touched is still inside with the end
 * that it set, and the end before is still ahead (product 7.15.5).
 * Errors: 409 undo_too_late.
 * @param changed the request that changed the time
 */
export function undoTime(organiser: MemberInTest, changed: string): Promise<{ undone: number }> {
  // The call itself has no request id: under the one that it names, `act` would find the change.
  const undoing = { ...organiser, requestId: undefined }
  return act(undoing, 'undo-time', organiser.code, async (client) => {
    const { now } = organiser
    const { code } = await requireAssessment(client, organiser, 'change')
    const { action, kept } = await takeKept(client, organiser, changed)
    const { moves, plans, messages } = kept
    const { rows } = await client.query<{ id: string }>(
      'select candidate_id as id from attempts where id = any ($1::uuid[])',
      [moves.map(({ id }) => id)],
    )
    const candidates = [...new Set([...rows, ...plans].map(({ id }) => id))]
    const whose = { code, room: null, candidates }
    await lockSittings(client, whose)
    const sittings = await readSittings(client, whose)
    const attempts = new Map(sittings.map(({ attempt }) => [attempt?.id, attempt]))
    const changes = moves.map(({ id, was, becomes, givenBefore }): TimeChange => {
      const attempt = attempts.get(id)
      const isAsLeft = attempt?.submittedAt === null && attempt.deadlineAt.getTime() === becomes
      if (!isAsLeft || was <= now.getTime()) throw tooLate()
      const deadlineAt = new Date(was)
      return {
        attemptId: id,
        deadlineAt,
        incidentSeconds: givenBefore,
        pausedMs: null,
        kind: plans.length > 0 ? 'extra_time' : 'extended',
        detail: { seconds: Math.round((was - becomes) / 1000), deadlineAt, undone: true },
      }
    })
    for (const { id, before, after } of plans) {
      const sitting = sittings.find(({ candidateId }) => candidateId === id)
      const hasStarted = sitting?.attempt && !moves.some((one) => one.id === sitting.attempt?.id)
      if (sitting?.plannedSeconds !== after || hasStarted) throw tooLate()
      await setPlannedTime(client, [id], before, organiser.actor)
    }
    await changeTimes(client, changes, now)
    await withdrawMessages(client, code, messages, now)
    const undone = Math.max(moves.length, plans.length)
    return { result: { undone }, detail: { action, undone } }
  })
}

/** What a request of this member changed. Each is taken once, so undoing twice undoes once. */
async function takeKept(
  client: Client,
  { now, userId, code }: MemberInTest,
  requestId: string,
): Promise<{ action: string; kept: KeptTime }> {
  const { rows } = await client.query<{ action: string; kept: KeptTime }>(
    `update organiser_calls set answer = jsonb_set(answer, '{answer,done,canBeUndone}', 'false')
     where id = $1 and assessment = $2 and answer ->> 'by' = $3 and created_at >= $4
       and (answer #>> '{answer,done,canBeUndone}')::boolean
     returning action, answer -> 'answer' as kept`,
    [requestId, code, userId, new Date(now.getTime() - UNDO_MS)],
  )
  if (!rows[0]) throw tooLate()
  return rows[0]
}
