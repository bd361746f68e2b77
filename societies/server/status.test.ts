import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  DAY,
  makeAssessment,
  makeCandidate,
  moveClock,
  PASSWORD,
  startedSeat,
  takeSeat,
} from '../../tests/rig/assessment-rig.ts'
import { organiserOf } from '../../tests/rig/organiser-rig.ts'
import { signUp, useRig } from '../../tests/rig/rig.ts'
import { describeStatus } from '../command/words.ts'
import { describeMark } from './marks-text.ts'
import { revokeCandidate } from './roster.ts'
import { readStatus } from './status.ts'
import { describeGap } from './unmonitored.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const LIMIT = 1_200_000
const ready = { id: 1, kind: 'ready', at: 0 }

describe('the status command', () => {
  const statusOf = async (code: string, username: string) =>
    (await readStatus(organiserOf(rig), code)).candidates.find((one) => one.username === username)

  it('lists absent, running and finished candidates, with progress', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await seat.report(ready)
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }], 1)
    const names = ['absent', 'verified', 'done', 'revoked'] as const
    for (const name of names) await makeCandidate(rig, code, name)
    await makeCandidate(rig, code, 'demo', { isDemo: true })
    await takeSeat(rig, code, 'verified')
    const done = await takeSeat(rig, code, 'done')
    await done.start()
    await done.report(ready)
    await done.submit(items.map(({ id }) => ({ questionId: id, choice: 'A', revision: 1 })))
    await revokeCandidate(organiserOf(rig), code, 'revoked')
    await moveClock(rig, 65_000)
    await seat.report({ id: 2, kind: 'copy', at: 60_000 })
    const { candidates } = await readStatus(organiserOf(rig), code)
    expect(candidates.map(({ username, where }) => [username, where]).sort()).toEqual(
      [
        [candidate.username, 'running'],
        ['absent', 'absent'],
        ['done', 'submitted'],
        ['revoked', 'absent'],
        ['verified', 'verified'],
      ].sort(),
    )
    expect(await statusOf(code, candidate.username)).toMatchObject({
      answered: 1,
      total: 4,
      remainingMs: LIMIT - 65_000,
      strikes: 1,
      unmonitored: [],
      userCount: 1,
    })
    const text = describeStatus(candidates)
    expect(text).toContain(
      '5 candidates: 1 not here yet, 1 signed in and not started, 1 inside, 1 done, 1 revoked',
    )
    expect(text).toMatch(/^Not here yet: absent$/m)
    expect(text).toMatch(new RegExp(`${candidate.username} +1 of 4 +18:55 +1`))
    expect(text).toMatch(/done +4 of 4 +0 +candidate/)
    expect(text).not.toContain('Worth a look')
  })

  it.each<[string, { id: number; kind: string; at: number }[], number | undefined, string[]]>([
    ['with the opening event and no gap is monitored', [ready], 1, []],
    [
      'without any event is unmonitored',
      [],
      undefined,
      ['a window answered without ever reporting that it was watched'],
    ],
    [
      'without the opening event is unmonitored',
      [{ id: 1, kind: 'copy', at: 0 }],
      1,
      ['a window answered without ever reporting that it was watched'],
    ],
    [
      'with a gap is unmonitored',
      [ready, { id: 3, kind: 'online', at: 2 }],
      3,
      ['one event of a window never came in'],
    ],
    [
      'whose last events never came is unmonitored',
      [ready],
      4,
      ['3 events of a window never came in'],
    ],
  ])('describes a window that saved %s', async (_, events, lastEvent, unmonitored) => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    if (events.length > 0) await seat.report(...events)
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }], lastEvent)
    const status = await statusOf(code, candidate.username)
    expect(status?.unmonitored.map(describeGap)).toEqual(unmonitored)
  })

  it('keeps an unmonitored window unmonitored after a later one', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }])
    const second = await takeSeat(rig, code, candidate.username)
    await second.start()
    await second.report(ready)
    await second.save([{ questionId: items[1]?.id ?? 0, choice: 'A', revision: 2 }], 1)
    expect((await statusOf(code, candidate.username))?.unmonitored).toHaveLength(1)
  })

  it('reports a script that only saves', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig, { itemCount: 12 })
    await seat.report({ id: 1, kind: 'ready', at: 0 })
    for (const { id } of items) {
      await moveClock(rig, 500)
      await seat.save([{ questionId: id, choice: 'A', revision: 1 }], 1)
    }
    const words = 'answered 12 questions in 6 s, until 00:06'
    const { candidates } = await readStatus(organiserOf(rig), code)
    expect(candidates[0]).toMatchObject({ strikes: 0, unmonitored: [] })
    expect(describeStatus(candidates)).toContain(`Worth a look:\n  ${candidate.username}: ${words}`)
  })

  it("trusts the page's answer times, since answers can wait for the network", async () => {
    const { seat, code, items } = await startedSeat(rig, { itemCount: 12 })
    await seat.report({ id: 1, kind: 'ready', at: 0 })
    await moveClock(rig, 600_000)
    const waited = items.map(({ id }, index) => ({
      questionId: id,
      choice: 'A',
      revision: 1,
      at: (index + 1) * 45_000.6,
    }))
    await seat.save(waited, 1)
    const { candidates } = await readStatus(organiserOf(rig), code)
    expect(candidates[0]?.marks).toEqual([])
  })

  it('reports answers from a hidden or silent page', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig, { itemCount: 4 })
    await seat.report(ready, { id: 2, kind: 'page_hidden', at: 100 })
    await moveClock(rig, 30_000)
    await seat.report({
      id: 3,
      kind: 'heartbeat',
      at: 30_000,
      detail: { focused: false, visible: false },
    })
    for (const { id } of items.slice(0, 3)) {
      await moveClock(rig, 100_000)
      await seat.save([{ questionId: id, choice: 'A', revision: 1 }], 3)
    }
    const status = await statusOf(code, candidate.username)
    expect(status?.marks.map(describeMark)).toEqual([
      'saved 3 times while its page said nothing for over 90 s',
      'answered 3 questions while the page said it was hidden',
    ])
    expect(status?.strikes).toBe(1)
  })

  it('reports an absence in the tab that ended with Back, and that it counted', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    await seat.report(ready)
    await moveClock(rig, 60_000)
    await seat.report({ id: 2, kind: 'page_left', at: 60_000 })
    await moveClock(rig, 4_000)
    const back = await takeSeat(rig, code, candidate.username)
    await back.start()
    await back.report({ id: 1, kind: 'page_hidden', at: 0 })
    await back.report({ id: 2, kind: 'ready', at: 0, detail: { opened: 'back_forward' } })
    const status = await statusOf(code, candidate.username)
    expect(status?.strikes).toBe(1)
    // Another guest here: in a browser it is the same one.
    expect(status?.marks.map(describeMark)).toEqual([
      'away 4 s between two windows, from 01:00, back in another browser',
    ])
  })

  it('counts take-overs of an attempt', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    for (let round = 0; round < 12; round += 1) {
      await seat.call('POST', '', { windowId: `window-${round}` })
    }
    const status = await statusOf(code, candidate.username)
    expect(status?.marks.map(describeMark)).toEqual(['12 take-overs, 1 address'])
  })

  it('reports more than one account or address (two browsers)', async () => {
    const { code } = await makeAssessment(rig)
    const { username } = await makeCandidate(rig, code)
    for (const address of ['10.0.0.1', '10.0.0.2']) {
      const { token } = await signUp(rig)
      await rig.call('POST', `/api/assessments/${code}/verify`, {
        token,
        body: { username, password: PASSWORD },
      })
      await rig.db.execute(sql`
        update attempt_events set address = ${address} where address is distinct from '10.0.0.1'`)
    }
    const status = await statusOf(code, username)
    expect(status).toMatchObject({ userCount: 2, addresses: ['10.0.0.1', '10.0.0.2'] })
    const { candidates } = await readStatus(organiserOf(rig), code)
    expect(describeStatus(candidates)).toMatch(/2 accounts\n.*2 addresses \(10.0.0.1, 10.0.0.2\)/)
  })
})
