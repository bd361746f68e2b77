import { beforeEach, describe, expect, it } from 'vitest'
import { DAY, freshPulse, moveClock, startedSeat } from '../../../tests/rig/assessment-rig.ts'
import { acceptLateIn, attemptOf } from '../../../tests/rig/organizer-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { referenceOf } from '../../reference.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const HOUR = 3_600_000

/** A candidate who submitted every answer except the one chosen in an outage at the end. */
async function handedIn() {
  const started = await startedSeat(rig)
  const { seat, items, candidate } = started
  const [first, second, third, last] = items
  await seat.save([{ questionId: first?.id ?? 0, choice: 'A', revision: 1, at: 1_000 }])
  await seat.save([{ questionId: first?.id ?? 0, choice: 'B', revision: 2, at: 2_000 }])
  const rest = [second, third].map((item) => ({
    ...{ questionId: item?.id ?? 0, choice: 'C', revision: 1, at: 3_000 },
  }))
  await seat.save(rest)
  const attempt = await attemptOf(rig, candidate.id)
  const reference = referenceOf(attempt)
  const read = (token = seat.token) =>
    rig.call('GET', `/api/attempts/${reference}/record`, { token })
  const comment = (text: string, token = seat.token) =>
    rig.call('PUT', `/api/attempts/${reference}/comment`, { token, body: { text } })
  return { ...started, attempt, read, comment, lastItem: last?.id ?? 0 }
}

const close = (attemptId: string) =>
  rig.db.$client.query(
    `with closed as (
       update attempts set submitted_at = deadline_at, submit_reason = 'deadline' where id = $1
       returning id, candidate_id, deadline_at
     )
     insert into attempt_events (candidate_id, attempt_id, kind, at_ms, detail, received_at)
     select candidate_id, id, 'submitted', 1200000, '{"reason":"deadline"}', deadline_at from closed`,
    [attemptId],
  )

describe('the receipt for answers', () => {
  it('stays the same while the answers do, and shows when and why it changed', async () => {
    const { read, attempt, lastItem, candidate, code } = await handedIn()
    await moveClock(rig, 1_250_000)
    await close(attempt.id)
    const before = (await read()).body.receipts
    expect(before).toMatchObject([{ why: 'submitted' }])
    expect(before[0].code).toMatch(/^[0-9A-F]{4} [0-9A-F]{4} [0-9A-F]{4}$/)
    expect((await read()).body.receipts).toEqual(before)
    // An outage delayed the answer, so it is accepted.
    await rig.db.$client.query(
      `insert into attempt_events (candidate_id, attempt_id, kind, at_ms, detail, received_at)
       values ($1, $2, 'late_answer', 1190000, $3, $4)`,
      [
        ...[candidate.id, attempt.id],
        JSON.stringify({ questionId: lastItem, choice: 'D', revision: 1 }),
        rig.clock.now,
      ],
    )
    await rig.db.$client.query(
      'insert into service_outages (started_at, ended_at) values ($1, $2)',
      [new Date(DAY.getTime() + 1_180_000), new Date(DAY.getTime() + 1_210_000)],
    )
    const { accepted } = await acceptLateIn(rig, code)
    expect(accepted).toBe(1)
    const after = (await read()).body.receipts
    expect(after).toMatchObject([before[0], { why: 'late_accepted' }])
    expect(after[1].code).not.toBe(before[0].code)
    // A choice changed directly in the database gives a different receipt.
    await rig.db.$client.query(
      `update attempt_answers set choice = 'A' where attempt_id = $1 and item_id = $2`,
      [attempt.id, lastItem],
    )
    expect((await read()).body.receipts.at(-1).code).not.toBe(after[1].code)
    await freshPulse(rig)
  })
})

describe("a candidate's comment to the society", () => {
  it('can be written and changed for 48 hours after the end, and is never removed', async () => {
    const { comment, read, attempt } = await handedIn()
    expect((await comment('too early')).status).toBe(404)
    await moveClock(rig, 1_250_000)
    await close(attempt.id)
    expect((await comment('  The alarm rang.\nTwice.  ')).body).toEqual({
      comment: 'The alarm rang.\nTwice.',
    })
    expect((await read()).body).toMatchObject({
      comment: 'The alarm rang.\nTwice.',
      commentUntil: new Date(attempt.deadlineAt.getTime() + 48 * HOUR).toISOString(),
    })
    expect((await comment('')).body).toEqual({ comment: null })
    expect((await comment('Again.')).status).toBe(200)
    // Moves the attempt's end instead of the clock, because the session would expire.
    const endedAgo = (ms: number) =>
      rig.db.$client.query('update attempts set submitted_at = $2 where id = $1', [
        attempt.id,
        new Date(rig.clock.now.getTime() - ms),
      ])
    await endedAgo(48 * HOUR - 1)
    expect((await comment('At the last moment.')).status).toBe(200)
    await endedAgo(48 * HOUR)
    expect((await comment('Too late.')).body.code).toBe('comment_closed')
    expect((await read()).body.comment).toBe('At the last moment.')
  })

  it('can be written only by its candidate, within limits', async () => {
    const { comment, attempt, seat } = await handedIn()
    await moveClock(rig, 1_250_000)
    await close(attempt.id)
    const other = await signUp(rig)
    expect((await comment('Not mine.', other.token)).status).toBe(404)
    expect((await comment('x'.repeat(2_000))).status).toBe(200)
    expect((await comment('x'.repeat(2_001))).status).toBe(400)
    expect((await comment('a\u202eb')).status).toBe(400)
    expect((await comment('a\u0007b')).status).toBe(400)
    const many = await Promise.all(Array.from({ length: 60 }, () => comment('At once.')))
    expect(many.filter(({ body }) => body.code === 'too_many_calls').length).toBeGreaterThan(15)
    // The account is deleted, but the comment stays with the attempt.
    await rig.db.$client.query('delete from users where id = $1', [seat.userId])
    const { rows } = await rig.db.$client.query(
      'select text from attempt_comments where attempt_id = $1',
      [attempt.id],
    )
    expect(rows).toEqual([{ text: 'At once.' }])
    expect((await comment('Gone.')).status).toBe(401)
  })
})

it("the candidate's record has the organizers' sentences, without answer letters and reasons", async () => {
  const { seat, read, attempt } = await handedIn()
  await moveClock(rig, 60_000)
  await seat.report(
    { id: 1, kind: 'ready', at: 0 },
    { id: 2, kind: 'page_hidden', at: 10_000 },
    { id: 3, kind: 'page_visible', at: 51_000, detail: { awayMs: 41_000 } },
  )
  await rig.db.$client.query(
    `update attempt_events set voided_at = now(), void_reason = 'the alarm' where attempt_id = $1 and is_violation`,
    [attempt.id],
  )
  await close(attempt.id)
  const { body } = await read()
  expect(body.incidents).toMatchObject([
    { kind: 'away', lengthMs: 41_000, strike: { number: 1, standing: 'taken_back' } },
  ])
  expect(JSON.stringify(body.incidents)).not.toMatch(/alarm|"[A-D]"|event:/)
})
