import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { DAY, moveClock, startedSeat, takeSeat } from '../../tests/rig/assessment-rig.ts'
import { useRig } from '../../tests/rig/rig.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const events = async (candidateId: string) =>
  (
    await rig.db.execute<{ kind: string; at: number; counted: boolean; window_id: string }>(sql`
      select kind, at_ms::float8 as at, is_violation as counted, window_id from attempt_events
      where candidate_id = ${candidateId} and number is not null order by id`)
  ).rows

describe('proctoring events', () => {
  it('are counted by the server, once per action', async () => {
    const { seat, candidate } = await startedSeat(rig)
    await moveClock(rig, 60_000)
    const first = await seat.report(
      { id: 1, kind: 'ready', at: 5 },
      { id: 2, kind: 'window_blur', at: 1_000 },
      { id: 3, kind: 'page_hidden', at: 1_004 },
      { id: 4, kind: 'page_visible', at: 9_000, detail: { awayMs: 8_000 } },
    )
    expect([first.status, first.body]).toEqual([200, { violations: 1, status: 'in_progress' }])
    const second = await seat.report(
      { id: 5, kind: 'shortcut', at: 20_000, detail: { key: 'Ctrl+C' } },
      { id: 6, kind: 'copy', at: 20_003 },
    )
    expect(second.body).toEqual({ violations: 2, status: 'in_progress' })
    expect((await events(candidate.id)).map(({ kind, counted }) => [kind, counted])).toEqual([
      ['ready', false],
      ['window_blur', true],
      ['page_hidden', false],
      ['page_visible', false],
      ['shortcut', true],
      ['copy', false],
    ])
  })

  it('count once when sent twice or out of order', async () => {
    const { seat, candidate } = await startedSeat(rig)
    await moveClock(rig, 60_000)
    const copy = { id: 2, kind: 'copy', at: 10_000 }
    const answers = [
      await seat.report(copy, copy),
      await seat.report({ id: 1, kind: 'ready', at: 0 }, copy),
      await seat.report(copy),
    ]
    expect(answers.map((answer) => answer.body.violations)).toEqual([1, 1, 1])
    expect(await events(candidate.id)).toHaveLength(2)
  })

  it('that ask for help never count, and ten per attempt are kept', async () => {
    const { seat, candidate } = await startedSeat(rig)
    await moveClock(rig, 60_000)
    const asked = Array.from({ length: 9 }, (_, n) => ({ id: n + 1, kind: 'help', at: n }))
    expect((await seat.report(...asked)).body).toEqual({ violations: 0, status: 'in_progress' })
    const more = [10, 11, 12].map((id) => ({
      id,
      kind: 'help',
      at: id,
      detail: { text: 'please' },
    }))
    expect((await seat.report(...more)).body.violations).toBe(0)
    const kept = await events(candidate.id)
    expect(kept.map(({ counted }) => counted)).toEqual(Array(10).fill(false))
    const { help } = (await seat.status()).body
    expect(help).toHaveLength(10)
    const atMs = rig.clock.now.getTime()
    expect(help[9]).toMatchObject({ text: 'please', atMs, readMs: null })
    const long = { id: 13, kind: 'help', at: 20, detail: { text: 'x'.repeat(201) } }
    expect((await seat.report(long)).status).toBe(400)
  })

  it.each([
    ['a clock that is fast', 1e12],
    ['a clock that is slow', -1e12],
  ])('from %s with absurd times are stored at a possible time and counted', async (_, at) => {
    const { seat, candidate } = await startedSeat(rig)
    await moveClock(rig, 60_000)
    const { body } = await seat.report({ id: 1, kind: 'paste', at })
    expect(body.violations).toBe(1)
    const [event] = await events(candidate.id)
    expect(event?.at).toBe(at > 0 ? 60_000 : 0)
  })

  it('submit the test at the third violation, and the result is marked as cheated', async () => {
    const { seat, candidate } = await startedSeat(rig)
    await moveClock(rig, 60_000)
    const report = (id: number) => seat.report({ id, kind: 'context_menu', at: id * 5_000 })
    expect((await report(1)).body).toEqual({ violations: 1, status: 'in_progress' })
    expect((await report(2)).body).toEqual({ violations: 2, status: 'in_progress' })
    expect((await report(3)).body).toEqual({ violations: 3, status: 'submitted' })
    const after = await report(4)
    expect([after.status, after.body.code]).toEqual([409, 'attempt_closed'])
    expect((await seat.status()).body).toMatchObject({
      status: 'submitted',
      violations: 3,
      reason: 'violations',
      submittedAt: rig.clock.now.toISOString(),
    })
    const { rows } = await rig.db.execute(
      sql`select time, cheated from assessment_results where "user" = ${candidate.username}`,
    )
    expect(rows).toEqual([{ time: '01:00', cheated: true }])
  })

  it('of exempt kinds are stored and not counted', async () => {
    const { seat, candidate } = await startedSeat(rig)
    await rig.db.execute(
      sql`update candidates set exempt_kinds = '{paste}' where id = ${candidate.id}`,
    )
    const { body } = await seat.report({ id: 1, kind: 'paste', at: 0 })
    expect(body.violations).toBe(0)
    expect(await events(candidate.id)).toHaveLength(1)
  })

  it('that were voided no longer count', async () => {
    const { seat, candidate } = await startedSeat(rig)
    await seat.report({ id: 1, kind: 'paste', at: 0 })
    await rig.db.execute(
      sql`update attempt_events set voided_at = ${DAY}, void_reason = 'test' where candidate_id = ${candidate.id} and kind = 'paste'`,
    )
    expect((await seat.status()).body.violations).toBe(0)
  })

  it('of a second window continue the numbers of the first', async () => {
    const { seat, candidate } = await startedSeat(rig)
    await moveClock(rig, 10_000)
    await seat.report({ id: 1, kind: 'ready', at: 0 }, { id: 2, kind: 'copy', at: 9_900 })
    const second = await takeSeat(rig, seat.code, seat.username)
    await second.start()
    // 100 ms after its own start is 200 ms after the copy, so both are one action.
    const { body } = await second.report(
      { id: 1, kind: 'ready', at: 0 },
      { id: 2, kind: 'paste', at: 100 },
    )
    expect(body.violations).toBe(1)
    expect((await events(candidate.id)).map(({ at }) => at)).toEqual([0, 9_900, 10_000, 10_000])
  })

  it.each([
    ['an unknown kind', { id: 1, kind: 'sneeze', at: 0 }],
    ['a kind that only the server records', { id: 1, kind: 'late_answer', at: 0 }],
    ['number 0', { id: 0, kind: 'copy', at: 0 }],
    ['an extra field', { id: 1, kind: 'copy', at: 0, isViolation: false }],
    ['an unknown detail', { id: 1, kind: 'copy', at: 0, detail: { html: '<b>' } }],
  ])('with %s are rejected', async (_, event) => {
    const { seat, candidate } = await startedSeat(rig)
    expect((await seat.report(event)).status).toBe(400)
    expect(await events(candidate.id)).toHaveLength(0)
  })

  it('are numbered, and the window keeps the highest number that a save reports', async () => {
    const { seat, items } = await startedSeat(rig)
    const save = (revision: number, lastEvent: number) =>
      seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision }], lastEvent)
    await save(1, 7)
    await save(2, 3)
    const { rows } = await rig.db.execute(
      sql`select last_event from attempt_windows where window_id = ${seat.windowId}`,
    )
    expect(rows).toEqual([{ last_event: 7 }])
  })
})
