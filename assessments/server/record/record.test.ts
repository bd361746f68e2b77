import { sql } from 'drizzle-orm'
import pg from 'pg'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY, moveClock, startedSeat } from '../../../tests/rig/assessment-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { referenceOf } from '../../reference.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

async function ended() {
  const started = await startedSeat(rig)
  const { seat, items, candidate } = started
  await moveClock(rig, 60_000)
  await seat.save(items.map(({ id }) => ({ questionId: id, choice: 'D', revision: 1, at: 5_000 })))
  await seat.report(
    { id: 1, kind: 'ready', at: 0, detail: { opened: 'navigate' } },
    { id: 2, kind: 'heartbeat', at: 1_000, detail: { focused: true, visible: true } },
    { id: 3, kind: 'window_blur', at: 10_000 },
    { id: 4, kind: 'page_visible', at: 14_000, detail: { awayMs: 4_000 } },
    { id: 5, kind: 'shortcut', at: 20_000, detail: { key: 'Ctrl+C' } },
    { id: 6, kind: 'copy', at: 20_003 },
  )
  const { rows } = await rig.db.execute<{ id: string }>(
    sql`select id from attempts where candidate_id = ${candidate.id}`,
  )
  const reference = referenceOf({ id: rows[0]?.id ?? '' })
  const end = () => seat.report({ id: 7, kind: 'paste', at: 30_000 })
  const read = (token = seat.token) =>
    rig.call('GET', `/api/attempts/${reference}/record`, { token })
  return { ...started, end, read }
}

describe("a candidate's own record", () => {
  it('has what the page reported and what counted, but no choice, key or result', async () => {
    const { end, read, candidate } = await ended()
    await rig.db.execute(sql`
      update attempt_events set voided_at = ${DAY}, void_reason = 'the fire alarm'
      where candidate_id = ${candidate.id} and kind = 'window_blur'`)
    await end()
    await moveClock(rig, 1_300_000)
    await rig.db.execute(sql`
      update attempts set submitted_at = deadline_at, submit_reason = 'deadline'
      where candidate_id = ${candidate.id}`)
    const { status, body } = await read()
    expect(status).toBe(200)
    expect(
      body.entries.map((entry: { kind: string; atMs: number; standing: string | null }) => [
        entry.kind,
        entry.atMs,
        entry.standing,
      ]),
    ).toEqual([
      ['started', 0, null],
      ['ready', 0, null],
      ['window_blur', 10_000, 'taken_back'],
      ['page_visible', 14_000, null],
      ['shortcut', 20_000, 'strike'],
      ['copy', 20_003, null],
      ['paste', 30_000, 'strike'],
    ])
    expect(body).toMatchObject({ entryCount: 7, saves: 1, heartbeats: 1 })
    expect(body.entries[3]).toMatchObject({ awayMs: 4_000, key: null })
    expect(body.entries[4]).toMatchObject({ awayMs: null, key: 'Ctrl+C' })
    const text = JSON.stringify(body)
    for (const secret of [
      'fire alarm',
      'correct',
      'choice',
      '"D"',
      candidate.username,
      '127.0.0.1',
    ]) {
      expect(text).not.toContain(secret)
    }
  })

  it('says which entry was the third violation that ended the test', async () => {
    const { end, read } = await ended()
    await end()
    const { body } = await read()
    expect(body.entries.at(-1)).toMatchObject({ kind: 'submitted', endedBy: 'violations' })
    expect(body.incidents.at(-1).strike).toEqual({
      ...{ number: 3, standing: 'stands', endedTest: true },
    })
  })

  it('is readable by its candidate only, and not before the end', async () => {
    const { end, read } = await ended()
    expect((await read()).status).toBe(404)
    await end()
    expect((await read()).status).toBe(200)
    const other = await signUp(rig)
    expect((await read(other.token)).status).toBe(404)
  })

  it('is read in one pass, however many saves and events a script made', async () => {
    const { end, read } = await ended()
    await end()
    await rig.sql`insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, detail, received_at)
      select a.candidate_id, a.id, kind, a.window_id, n, case when kind = 'saved' then '[[1, "A", 1]]'::jsonb end, a.started_at
      from attempts a, generate_series(1, 3000) n, (values ('saved'), ('online')) kinds (kind)`
    await rig.sql`analyze attempt_events`
    const query = vi.spyOn(pg.Client.prototype, 'query')
    expect((await read()).status).toBe(200)
    const history = query.mock.calls.find(([text]) => String(text).includes('as oldest')) ?? []
    query.mockRestore()
    const [text, values] = history as unknown as [string, unknown[]]
    const { rows } = await rig.db.$client.query(`explain (analyze, format json) ${text}`, values)
    const loops = [...JSON.stringify(rows).matchAll(/"Actual Loops":(\d+)/g)].map((found) =>
      Number(found[1]),
    )
    expect(Math.max(...loops)).toBeLessThan(50)
  })

  it('is built once at a time per person, so simultaneous requests do not delay others', async () => {
    const { end, read } = await ended()
    await end()
    const answers = await Promise.all(Array.from({ length: 60 }, () => read()))
    const refused = answers.filter(({ body }) => body.code === 'too_many_calls')
    expect(refused.length).toBeGreaterThan(15)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60 - refused.length)
  })

  it('has a size limit and gives the total number of entries', async () => {
    const { seat, end, read } = await ended()
    for (let round = 0; round < 3; round += 1) {
      const from = 100 + round * 180
      await seat.report(
        ...Array.from({ length: 180 }, (_, index) => ({
          id: from + index,
          kind: 'online',
          at: 25_000,
        })),
      )
    }
    await end()
    const { body } = await read()
    expect(body.entries).toHaveLength(500)
    expect(body.entryCount).toBe(548)
  })
})
