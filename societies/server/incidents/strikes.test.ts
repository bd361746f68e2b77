import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { changeTimeOf } from '../../../tests/rig/acts-rig.ts'
import { DAY, moveClock, type Seat, startedSeat } from '../../../tests/rig/assessment-rig.ts'
import {
  auditOf,
  organiserOf,
  refusalOf,
  resultOf,
  rightAnswers,
} from '../../../tests/rig/organiser-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { type CountedKind, exemptCandidate, voidEvent } from './strikes.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

describe('strikes', () => {
  const violate = (seat: Seat, ...ids: number[]) =>
    seat.report(
      ...ids.flatMap((id) => [
        { id: 2 * id, kind: 'page_hidden', at: id },
        { id: 2 * id + 1, kind: 'page_visible', at: id },
      ]),
    )
  const eventsOf = async (candidateId: string, kind: string) =>
    (
      await rig.db.execute<{ id: string }>(sql`
        select id from attempt_events where candidate_id = ${candidateId} and kind = ${kind} order by id`)
    ).rows.map(({ id }) => Number(id))
  const takeBack = (code: string, event: number, reason = 'a fire alarm') =>
    voidEvent(organiserOf(rig), code, event, reason)

  it('that are voided no longer count, on the page and in the result', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await violate(seat, 1)
    const [event = 0] = await eventsOf(candidate.id, 'page_hidden')
    expect(await takeBack(code, event)).toEqual({
      username: candidate.username,
      kind: 'page_hidden',
      before: 1,
      after: 0,
      mayBeReopened: false,
    })
    expect((await seat.status()).body.violations).toBe(0)
    await seat.submit(rightAnswers(items))
    expect(await resultOf(rig, candidate.id)).toMatchObject({ cheated: false })
    expect((await auditOf(rig, code))[0]).toMatchObject({
      action: 'void-event',
      detail: { event, reason: 'a fire alarm' },
    })
  })

  it('close the test at three; voiding one allows reopening it to its end', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    expect((await violate(seat, 1, 2, 3)).body.status).toBe('submitted')
    const reopen = () => changeTimeOf(rig, code, 'reopen', 300, candidate.id)
    expect((await reopen()).text).toBe('Nobody’s time has changed')
    const [event = 0] = await eventsOf(candidate.id, 'page_hidden')
    expect(await takeBack(code, event)).toMatchObject({ before: 3, after: 2, mayBeReopened: true })
    expect((await reopen()).text).toBe('Opened 1 again')
    await seat.start()
    expect((await seat.report({ id: 20, kind: 'ready', at: 5 })).body).toEqual({
      violations: 2,
      status: 'in_progress',
    })
  })

  it.each<[string, (code: string, candidateId: string) => Promise<number>, RegExp]>([
    [
      'of another test',
      async () => {
        const other = await startedSeat(rig)
        await violate(other.seat, 1)
        return (await eventsOf(other.candidate.id, 'page_hidden'))[0] ?? 0
      },
      /There is no event/,
    ],
    ['that does not exist', async () => 999_999_999, /There is no event/],
    [
      'that was not counted',
      async (_, id) => (await eventsOf(id, 'page_visible'))[0] ?? 0,
      /was not counted/,
    ],
    [
      'that was taken back already',
      async (code, id) => {
        const [event = 0] = await eventsOf(id, 'page_hidden')
        await takeBack(code, event)
        return event
      },
      /taken back already/,
    ],
  ])('for an event %s are not voided', async (_, find, message) => {
    const { seat, code, candidate } = await startedSeat(rig)
    await violate(seat, 1)
    const event = await find(code, candidate.id)
    const audits = (await auditOf(rig, code)).length
    expect(await refusalOf(() => takeBack(code, event))).toMatch(message)
    expect(await auditOf(rig, code)).toHaveLength(audits)
  })

  it('of exempt kinds do not count, neither earlier nor later ones', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    await seat.report({ id: 1, kind: 'paste', at: 0 })
    await moveClock(rig, 10_000)
    const exempt = (add: CountedKind[], clear = false) =>
      exemptCandidate(organiserOf(rig), code, candidate.username, { add, clear })
    expect(await exempt(['paste'])).toEqual({
      username: candidate.username,
      kinds: ['paste'],
      strikes: { before: 1, after: 0, mayBeReopened: false },
    })
    expect((await exempt(['shortcut'])).kinds).toEqual(['paste', 'shortcut'])
    expect((await seat.report({ id: 2, kind: 'paste', at: 9_000 })).body.violations).toBe(0)
    expect((await seat.report({ id: 3, kind: 'copy', at: 9_500 })).body.violations).toBe(1)
    expect((await exempt([], true)).strikes).toMatchObject({ after: 2 })
    expect(await refusalOf(() => exempt([]))).toMatch(/what to exempt from/)
    expect((await auditOf(rig, code)).map(({ action }) => action)).toEqual(Array(3).fill('exempt'))
  })
})
