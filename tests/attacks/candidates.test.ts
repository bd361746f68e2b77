import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { readGraceEnd } from '../../assessments/server/pulse.ts'
import { sweepOnce } from '../../assessments/server/sweep.ts'
import {
  answerRowsOf,
  DAY,
  freshPulse,
  moveClock,
  type Seat,
  startedSeat,
  takeSeat,
} from '../rig/assessment-rig.ts'
import { acceptLateIn, lateIn, resultOf } from '../rig/organizer-rig.ts'
import { useRig } from '../rig/rig.ts'

// A candidate who has read the code, with friends, can't gain a point or a second or hide anything.
const rig = useRig()
/** 20 minutes in milliseconds, the duration of the tests below. */
const LIMIT = 1_200_000
const at = (ms: number) => new Date(DAY.getTime() + ms)

beforeEach(async () => {
  rig.clock.now = DAY
  await rig.db.$client.query('delete from attempt_events')
  await freshPulse(rig)
})

describe('a friend with the password and window id, on another account', () => {
  /** Calls with a friend's tokens, pretending to be the candidate's window. */
  async function borrowWindow(seat: Seat) {
    const friend = await takeSeat(rig, seat.code, seat.username)
    const call = (method: string, route: string, body?: object) =>
      rig.call(method, `/api/assessments/${seat.code}/attempt${route}`, {
        token: friend.token,
        headers: { 'X-Candidate-Token': friend.candidateToken, 'X-Window-Id': seat.windowId },
        ...(body ? { body } : {}),
      })
    return { friend, call }
  }

  it('cannot save, report or submit before a take-over, which is logged', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    const { friend, call } = await borrowWindow(seat)
    const answers = items.map(({ id }) => ({ questionId: id, choice: 'A', revision: 1 }))
    const quiet = { events: [{ id: 1, kind: 'ready', at: 5 }] }
    const strike = { events: [{ id: 2, kind: 'copy', at: 5 }] }
    const refused = [
      await call('PUT', '/answers', { answers }),
      await call('POST', '/events', quiet),
      await call('POST', '/events', strike),
      await call('POST', '/submit', { answers: [] }),
      await call('POST', '/submit', { answers }),
    ]
    expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => 'taken_over'))
    expect(await answerRowsOf(rig, candidate.id)).toEqual([])
    expect((await seat.save(answers)).status).toBe(200)
    expect((await call('POST', '', { windowId: seat.windowId })).status).toBe(200)
    expect((await call('PUT', '/answers', { answers })).status).toBe(200)
    expect((await seat.save(answers)).body.code).toBe('taken_over')
    expect((await seat.start()).status).toBe(200)
    expect((await seat.submit()).status).toBe(200)
    const { rows } = await rig.db.$client.query(
      `select user_id from attempt_events where candidate_id = $1 and kind = 'taken_over' order by id`,
      [candidate.id],
    )
    expect(rows).toEqual([{ user_id: friend.userId }, { user_id: seat.userId }])
  })
})

describe('the end of an attempt', () => {
  it('is reported to its page and to a newcomer even if the attempt was locked', async () => {
    const { seat, candidate } = await startedSeat(rig)
    await moveClock(rig, LIMIT + 11_000)
    const holder = await rig.db.$client.connect()
    await holder.query('begin')
    await holder.query('select from attempts where candidate_id = $1 for update', [candidate.id])
    const asking = [seat.status(), takeSeat(rig, seat.code, seat.username)] as const
    await sleep(200)
    await holder.query('commit')
    holder.release()
    expect((await asking[0]).body).toMatchObject({ status: 'submitted', reason: 'deadline' })
    expect((await asking[1]).code).toBe(seat.code)
  })

  it('keeps late choices from a submit as it does from a save', async () => {
    const { seat, items, code } = await startedSeat(rig)
    await moveClock(rig, LIMIT + 1_000)
    const [one, two] = items.map(({ id }) => id) as [number, number]
    const submitted = await seat.submit([
      { questionId: one, choice: 'A', revision: 1, at: LIMIT - 1_000 },
      { questionId: two, choice: 'B', revision: 1, at: LIMIT + 500 },
    ])
    expect(submitted.status).toBe(200)
    const late = await lateIn(rig, code)
    expect(late.map(({ item, choice, isInTime }) => [item, choice, isInTime])).toEqual([
      [2, 'B', false],
    ])
  })
})

describe('outages detected by the server', () => {
  it('do not include a single call that is delayed for long', async () => {
    await moveClock(rig, LIMIT + 8_000)
    const asked = at(LIMIT + 1_000)
    expect(await readGraceEnd(rig.db.$client, at(LIMIT), asked)).toEqual(at(LIMIT + 10_000))
    const { rows } = await rig.db.$client.query('select 1 from service_outages')
    expect(rows).toEqual([])
  })

  it('in the middle of a test do not make answers count that arrive after its end', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    await moveClock(rig, 300_000)
    rig.clock.now = at(320_000)
    await moveClock(rig, at(LIMIT + 600_000))
    await sweepOnce(rig.dependencies)
    const answers = items.map(({ id, correctOption }) => ({
      questionId: id,
      choice: correctOption,
      revision: 9,
      at: 299_000,
    }))
    expect((await seat.save(answers)).status).toBe(409)
    const { accepted } = await acceptLateIn(rig, seat.code)
    expect(accepted).toBe(0)
    expect(await resultOf(rig, candidate.id)).toMatchObject({ correct: 0 })
  })
})
