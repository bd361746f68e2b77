import { beforeEach, describe, expect, it } from 'vitest'
import {
  attemptRowOf,
  DAY,
  findingsIn,
  moveClock,
  startedSeat,
  takeSeat,
  unmonitoredWords,
} from '../../../tests/rig/assessment-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { worthALook } from '../../attempt-looks.ts'
import { readHistories } from '../history-store.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const ready = { id: 1, kind: 'ready', at: 0 }

describe('the history of an attempt', () => {
  const looksIn = async (code: string) => worthALook(await findingsIn(rig.db.$client, code))
  const gapsIn = async (code: string) => unmonitoredWords(await findingsIn(rig.db.$client, code))
  const strikesIn = async (code: string) => {
    const { rows } = await rig.db.$client.query(
      'select attempt_strikes(id)::int as strikes from attempts where assessment = $1',
      [code],
    )
    return rows[0]?.strikes
  }

  it.each<[string, { id: number; kind: string; at: number }[], number | undefined, string[]]>([
    ['with the opening event and no gap is monitored', [ready], 1, []],
    ['without any event is unmonitored', [], undefined, ['The page never confirmed monitoring.']],
    [
      'without the opening event is unmonitored',
      [{ id: 1, kind: 'copy', at: 0 }],
      1,
      ['The page never confirmed monitoring.'],
    ],
    [
      'with a gap is unmonitored',
      [ready, { id: 3, kind: 'online', at: 2 }],
      3,
      ['One event from the page never arrived.'],
    ],
    [
      'and lost its last events is unmonitored',
      [ready],
      4,
      ['3 events from the page never arrived.'],
    ],
  ])('shows that a window that saved %s', async (_, events, lastEvent, unmonitored) => {
    const { seat, code, items } = await startedSeat(rig)
    if (events.length > 0) await seat.report(...events)
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }], lastEvent)
    expect(await gapsIn(code)).toEqual(unmonitored)
  })

  it('keeps an unmonitored window unmonitored after a later one', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }])
    const second = await takeSeat(rig, code, candidate.username)
    await second.start()
    await second.report(ready)
    await second.save([{ questionId: items[1]?.id ?? 0, choice: 'A', revision: 2 }], 1)
    expect(await gapsIn(code)).toHaveLength(1)
  })

  it('reports a script that only saves', async () => {
    const { seat, code, items } = await startedSeat(rig, { itemCount: 12 })
    await seat.report({ id: 1, kind: 'ready', at: 0 })
    for (const { id } of items) {
      await moveClock(rig, 500)
      await seat.save([{ questionId: id, choice: 'A', revision: 1 }], 1)
    }
    const words = 'answered 12 questions in 6 s, until 00:06'
    expect([await strikesIn(code), await gapsIn(code)]).toEqual([0, []])
    expect(await looksIn(code)).toEqual([words])
  })

  it("uses the page's answer times, since answers can wait for the network", async () => {
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
    expect(await looksIn(code)).toEqual([])
  })

  it('reports answers from a hidden or silent page', async () => {
    const { seat, code, items } = await startedSeat(rig, { itemCount: 4 })
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
    expect(await looksIn(code)).toEqual([
      'saved 3 times while its page reported nothing for over 90 s',
      'answered 3 questions while the page said it was hidden',
    ])
    expect(await strikesIn(code)).toBe(1)
  })

  it('reports a counted absence in the same tab that ended with Back', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    await seat.report(ready)
    await moveClock(rig, 60_000)
    await seat.report({ id: 2, kind: 'page_left', at: 60_000 })
    await moveClock(rig, 4_000)
    const back = await takeSeat(rig, code, candidate.username)
    await back.start()
    await back.report({ id: 1, kind: 'page_hidden', at: 0 })
    await back.report({ id: 2, kind: 'ready', at: 0, detail: { opened: 'back_forward' } })
    expect(await strikesIn(code)).toBe(1)
    // The test signs in again as another guest. In a browser the guest would be the same.
    expect(await looksIn(code)).toEqual([
      'away 4 s between two windows, from 01:00, back in another browser',
    ])
  })

  it('counts take-overs of an attempt', async () => {
    const { seat, code } = await startedSeat(rig)
    for (let round = 0; round < 12; round += 1) {
      await seat.call('POST', '', { windowId: `window-${round}` })
    }
    expect(await looksIn(code)).toEqual(['12 take-overs, 1 address'])
  })

  it('has no event for a repeated save, and the newest thousand saves of a script', async () => {
    const { seat, candidate, items } = await startedSeat(rig)
    const [questionId = 0] = items.map(({ id }) => id)
    const saved = async () => {
      const { id = '' } = (await attemptRowOf(rig, candidate.id)) ?? {}
      const histories = await readHistories(rig.db.$client, [id], { isWhole: true })
      return histories.get(id)?.log?.choices ?? []
    }
    for (const at of [1, 2, 3]) {
      await seat.save([{ questionId, choice: 'A', revision: 1, at }])
      await moveClock(rig, 1)
    }
    expect(await saved()).toHaveLength(1)
    await rig.db.$client.query(
      `insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, detail, received_at)
       select candidate_id, attempt_id, kind, window_id, at_ms, jsonb_build_array(jsonb_build_array($1::int, 'B', n, n)),
         received_at
       from attempt_events, generate_series(2, 1500) n where kind = 'saved' and candidate_id = $2`,
      [questionId, candidate.id],
    )
    const choices = await saved()
    expect(choices).toHaveLength(1_000)
    expect(choices.map(({ choice }) => choice)).not.toContain('A')
  })
})
