// Long because all cases share one setup: a device, a failing server and a clock.
import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../../platform/web/api-failure.ts'
import { createStore, type RawStorage } from '../../platform/web/storage.ts'
import { createOutbox, type OutboxItem, type Outcome, outcomeOf } from './outbox.ts'

const ANNA = '11111111-1111-4111-8111-111111111111'
const BEN = '22222222-2222-4222-8222-222222222222'

function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

function finishedTest(number: number): OutboxItem {
  return {
    kind: 'result',
    body: {
      id: idOf(number),
      category: 'Financial Accounting & Analysis',
      difficulty: 'Intern',
      testNumber: 1,
      answers: [{ questionId: 1, selectedAnswer: 'A' }],
      completedAt: `2026-11-20T09:00:${String(number).padStart(2, '0')}Z`,
      timeZone: 'Europe/Lisbon',
    },
    score: 1,
    totalQuestions: 1,
  }
}

function session(answers: number): OutboxItem {
  return {
    kind: 'session',
    body: {
      kind: 'due',
      about: {},
      answers: Array.from({ length: answers }, (_, place) => ({
        place,
        item: String(place + 1),
        choice: 'A' as const,
        answeredAt: '2026-11-20T09:00:00Z',
      })),
      isFinished: false,
      completedAt: '2026-11-20T09:00:00Z',
      timeZone: 'Europe/Lisbon',
      id: idOf(7),
    },
  }
}

/** Imitates the browser's storage. With `isFull`, it throws as if it had no space. */
function fakeStorage() {
  const entries = new Map<string, string>()
  const storage = {
    isFull: false,
    get length() {
      return entries.size
    },
    key: (index: number) => [...entries.keys()][index] ?? null,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem(key: string, value: string) {
      if (storage.isFull) throw new Error('QuotaExceededError')
      entries.set(key, value)
    },
    removeItem: (key: string) => void entries.delete(key),
  }
  return storage satisfies RawStorage & { isFull: boolean }
}

/** Lets all pending promises finish. */
async function settle(): Promise<void> {
  for (let round = 0; round < 50; round += 1) await Promise.resolve()
}

/** Makes an outbox with a scripted network and a timer that tests fire by hand. */
function rig(
  storage = fakeStorage(),
  { raw = storage, random = 0 }: { raw?: RawStorage | null; random?: number } = {},
) {
  const world = {
    storage,
    answer: (async () => 'sent') as (userId: string, item: OutboxItem) => Promise<Outcome>,
    /** Answers only when a test calls `arrive`. */
    answerByHand: () => new Promise<Outcome>((resolve) => (world.arrive = resolve)),
    arrive: (_: Outcome): void => {},
    sent: [] as { userId: string; id: string }[],
    refused: [] as string[],
    confirmed: [] as string[],
    /** the wait that the server requests with its next responses */
    askedMs: 0,
    now: 0,
    timer: null as { run: () => void; delayMs: number } | null,
    async fireTimer() {
      const { timer } = world
      world.timer = null
      world.now += timer?.delayMs ?? 0
      timer?.run()
      await settle()
    },
  }
  const outbox = createOutbox({
    store: createStore(raw),
    send: async (userId, item) => {
      world.sent.push({ userId, id: item.body.id })
      return { outcome: await world.answer(userId, item), askedMs: world.askedMs }
    },
    onSent: (item) => world.confirmed.push(item.body.id),
    onRefused: (item) => world.refused.push(item.body.id),
    clock: {
      now: () => world.now,
      setTimer: (run, delayMs) => {
        const timer = { run, delayMs }
        world.timer = timer
        return () => {
          if (world.timer === timer) world.timer = null
        }
      },
      random: () => random,
    },
  })
  return { outbox, world }
}

describe('the outbox', () => {
  it('sends immediately, notifies listeners and keeps nothing', async () => {
    const { outbox, world } = rig()
    outbox.run(ANNA)
    outbox.put(ANNA, finishedTest(1))
    expect(outbox.stateOf(ANNA, idOf(1))).toBe('sending')
    await settle()
    expect(world.sent).toEqual([{ userId: ANNA, id: idOf(1) }])
    expect(world.confirmed).toEqual([idOf(1)])
    expect(outbox.stateOf(ANNA, idOf(1))).toBe('saved')
    expect(world.storage.length).toBe(0)
    expect(world.timer).toBeNull()
  })

  it('waits 1 s, 2 s, 5 s, then 10 s between tries, and starts over when woken', async () => {
    const { outbox, world } = rig()
    world.answer = async () => 'unreachable'
    outbox.run(ANNA)
    outbox.put(ANNA, finishedTest(1))
    await settle()
    expect(outbox.stateOf(ANNA, idOf(1))).toBe('waiting')
    const delays: number[] = []
    for (let round = 0; round < 5; round += 1) {
      delays.push(world.timer?.delayMs ?? 0)
      await world.fireTimer()
    }
    expect(delays).toEqual([1_000, 2_000, 5_000, 10_000, 10_000])
    outbox.wake()
    await settle()
    expect(world.timer?.delayMs).toBe(1_000)
    world.answer = async () => 'sent'
    await world.fireTimer()
    expect(outbox.stateOf(ANNA, idOf(1))).toBe('saved')
    expect(world.timer).toBeNull()
  })

  it('waits as long as the server asks, even when woken, and then continues as before', async () => {
    const { outbox, world } = rig()
    world.answer = async () => 'later'
    world.askedMs = 7_000
    outbox.run(ANNA)
    outbox.put(ANNA, finishedTest(1))
    await settle()
    expect(world.timer?.delayMs).toBe(7_000)
    world.now = 3_000
    outbox.wake()
    outbox.put(ANNA, finishedTest(2))
    await settle()
    expect(world.sent).toHaveLength(1)
    expect(world.timer?.delayMs).toBe(4_000)
    world.askedMs = 0
    await world.fireTimer()
    expect(world.sent).toHaveLength(3)
    // The normal pause is back, and waking works immediately.
    expect(world.timer?.delayMs).toBe(1_000)
    outbox.wake()
    await settle()
    expect(world.sent).toHaveLength(5)
  })

  it('does not start a queued pass while the server asked to wait', async () => {
    const { outbox, world } = rig()
    world.answer = world.answerByHand
    world.askedMs = 7_000
    outbox.run(ANNA)
    outbox.put(ANNA, finishedTest(1))
    await settle()
    outbox.wake()
    world.arrive('later')
    await settle()
    expect(world.sent).toHaveLength(1)
    expect(world.timer?.delayMs).toBe(7_000)
  })

  it('retries immediately when woken during a failing try', async () => {
    const { outbox, world } = rig()
    world.answer = world.answerByHand
    outbox.run(ANNA)
    outbox.put(ANNA, finishedTest(1))
    await settle()
    outbox.wake()
    world.arrive('unreachable')
    await settle()
    expect(world.sent).toHaveLength(2)
    expect(world.timer).toBeNull()
  })

  it('treats an exception during a send as temporary', async () => {
    const { outbox, world } = rig()
    world.answer = () => Promise.reject(new Error('broken'))
    outbox.run(ANNA)
    outbox.put(ANNA, finishedTest(1))
    await settle()
    expect(outbox.stateOf(ANNA, idOf(1))).toBe('waiting')
    expect(world.timer).not.toBeNull()
  })

  it('survives a reload and sends the earliest finished first', async () => {
    const { outbox, world } = rig()
    outbox.put(ANNA, finishedTest(2))
    outbox.put(ANNA, finishedTest(1))
    expect(world.sent).toEqual([])
    const reloaded = rig(world.storage)
    reloaded.outbox.run(ANNA)
    await settle()
    expect(reloaded.world.sent.map(({ id }) => id)).toEqual([idOf(1), idOf(2)])
  })

  it("never sends one user's item while another is signed in", async () => {
    const { outbox, world } = rig()
    outbox.put(ANNA, finishedTest(1))
    const stopBen = outbox.run(BEN)
    outbox.put(BEN, finishedTest(2))
    outbox.wake()
    await settle()
    expect(world.sent).toEqual([{ userId: BEN, id: idOf(2) }])
    stopBen()
    outbox.run(ANNA)
    await settle()
    expect(world.sent.at(-1)).toEqual({ userId: ANNA, id: idOf(1) })
  })

  it('stops in the middle of a pass when the user changes', async () => {
    const { outbox, world } = rig()
    outbox.put(ANNA, finishedTest(1))
    outbox.put(ANNA, finishedTest(2))
    world.answer = world.answerByHand
    const stop = outbox.run(ANNA)
    await settle()
    stop()
    world.arrive('sent')
    await settle()
    expect(world.sent.map(({ id }) => id)).toEqual([idOf(1)])
    expect(world.timer).toBeNull()
    expect(outbox.listWaiting(ANNA)).toHaveLength(1)
  })

  it('moves a refused item aside, reports it once, and continues with the next', async () => {
    const { outbox, world } = rig()
    outbox.put(ANNA, finishedTest(1))
    outbox.put(ANNA, finishedTest(2))
    world.answer = async (_, item) => (item.body.id === idOf(1) ? 'refused' : 'sent')
    outbox.run(ANNA)
    await settle()
    outbox.wake()
    await settle()
    expect(world.refused).toEqual([idOf(1)])
    expect(outbox.stateOf(ANNA, idOf(1))).toBe('refused')
    expect(outbox.stateOf(ANNA, idOf(2))).toBe('saved')
    expect(world.sent).toHaveLength(2)
    expect(rig(world.storage).outbox.stateOf(ANNA, idOf(1))).toBe('refused')
  })

  it.each<[Outcome, number]>([
    ['later', 2],
    ['unreachable', 1],
  ])('after %s tries %i of two items in one pass', async (outcome, tried) => {
    const { outbox, world } = rig()
    outbox.put(ANNA, finishedTest(1))
    outbox.put(ANNA, finishedTest(2))
    world.answer = async () => outcome
    outbox.run(ANNA)
    await settle()
    expect(world.sent).toHaveLength(tried)
    // Offline, all items are waiting, whether tried or not.
    for (const number of [1, 2]) expect(outbox.stateOf(ANNA, idOf(number))).toBe('waiting')
  })

  it.each(['full', 'missing'])('keeps and sends an item when the storage is %s', async (kind) => {
    const storage = fakeStorage()
    storage.isFull = true
    const { outbox, world } = rig(storage, { raw: kind === 'full' ? storage : null })
    world.answer = async () => 'unreachable'
    outbox.run(ANNA)
    outbox.put(ANNA, finishedTest(1))
    await settle()
    expect(outbox.stateOf(ANNA, idOf(1))).toBe('waiting')
    world.answer = async () => 'sent'
    outbox.wake()
    await settle()
    expect(world.sent.map(({ id }) => id)).toEqual([idOf(1), idOf(1)])
    expect(outbox.stateOf(ANNA, idOf(1))).toBe('saved')
  })

  it('does not lose an item that another tab adds during a send', async () => {
    const storage = fakeStorage()
    const here = rig(storage)
    const there = rig(storage)
    here.outbox.put(ANNA, finishedTest(1))
    there.outbox.put(ANNA, finishedTest(2))
    here.outbox.run(ANNA)
    await settle()
    expect(here.world.confirmed).toEqual([idOf(1), idOf(2)])
    expect(storage.length).toBe(0)
    // The other tab has nothing left to send.
    there.outbox.run(ANNA)
    await settle()
    expect(there.world.sent).toEqual([])
  })

  it('does not send an item that another tab has already sent', async () => {
    const { outbox, world } = rig()
    outbox.put(ANNA, finishedTest(1))
    outbox.put(ANNA, finishedTest(2))
    world.answer = async () => {
      world.storage.removeItem(`superday-outbox:${ANNA}:${idOf(2)}`)
      return 'sent'
    }
    outbox.run(ANNA)
    await settle()
    expect(world.sent.map(({ id }) => id)).toEqual([idOf(1)])
    expect(outbox.stateOf(ANNA, idOf(2))).toBe('saved')
  })

  it("forgets all items of one user, waiting or refused, and keeps other users' items", async () => {
    const { outbox, world } = rig()
    world.answer = async () => 'refused'
    outbox.run(ANNA)
    outbox.put(ANNA, finishedTest(1))
    await settle()
    world.answer = async () => 'unreachable'
    outbox.put(ANNA, finishedTest(2))
    outbox.put(BEN, finishedTest(3))
    await settle()
    outbox.forget(ANNA)
    expect(outbox.listWaiting(ANNA)).toEqual([])
    expect(outbox.listWaiting(BEN)).toHaveLength(1)
    expect(world.storage.length).toBe(1)
  })

  it('adds the same attempt only once', async () => {
    const { outbox } = rig()
    outbox.put(ANNA, finishedTest(1))
    outbox.put(ANNA, finishedTest(1))
    expect(outbox.listWaiting(ANNA)).toHaveLength(1)
  })

  it('skips a corrupted entry', async () => {
    const { outbox, world } = rig()
    world.storage.setItem(`superday-outbox:${ANNA}:${idOf(9)}`, '{"kind":"result"')
    outbox.put(ANNA, finishedTest(1))
    outbox.run(ANNA)
    await settle()
    expect(world.confirmed).toEqual([idOf(1)])
  })

  it('does not loop forever over an entry stored under a wrong id', async () => {
    const { outbox, world } = rig()
    outbox.put(ANNA, finishedTest(1))
    const key = `superday-outbox:${ANNA}:${idOf(1)}`
    world.storage.setItem(`superday-outbox:${ANNA}:${idOf(2)}`, world.storage.getItem(key) ?? '')
    world.storage.removeItem(key)
    outbox.run(ANNA)
    await settle()
    expect(world.timer?.delayMs).toBe(1_000)
  })

  it('adds jitter to a pause and never shortens it', async () => {
    const { outbox, world } = rig(fakeStorage(), { random: 0.999 })
    world.answer = async () => 'unreachable'
    outbox.put(ANNA, finishedTest(1))
    outbox.run(ANNA)
    await settle()
    expect(world.timer?.delayMs).toBeGreaterThan(1_000)
    expect(world.timer?.delayMs).toBeLessThanOrEqual(1_200)
  })

  it('keeps a new item that replaced one while it was being sent', async () => {
    const { outbox, world } = rig()
    world.answer = world.answerByHand
    outbox.run(ANNA)
    outbox.put(ANNA, session(1))
    await settle()
    // A session in progress waits to be woken.
    expect(world.sent).toHaveLength(0)
    outbox.wake()
    await settle()
    outbox.put(ANNA, session(2))
    outbox.wake()
    world.arrive('sent')
    await settle()
    expect(outbox.listWaiting(ANNA)).toEqual([session(2)])
    expect(world.sent).toHaveLength(2)
    world.arrive('sent')
    await settle()
    expect(world.storage.length).toBe(0)
  })

  it('notifies listeners until they unsubscribe', async () => {
    const { outbox } = rig()
    let calls = 0
    const leave = outbox.subscribe(() => {
      calls += 1
    })
    const before = outbox.getVersion()
    outbox.put(ANNA, finishedTest(1))
    expect(calls).toBe(1)
    expect(outbox.getVersion()).not.toBe(before)
    leave()
    outbox.put(ANNA, finishedTest(2))
    expect(calls).toBe(1)
  })
})

it.each<[number, Outcome]>([
  [0, 'unreachable'],
  [401, 'unreachable'],
  [429, 'unreachable'],
  [503, 'later'],
  [400, 'refused'],
  [404, 'refused'],
])('treats the status %i as %s', (status, outcome) => {
  expect(outcomeOf(new ApiFailure(status, { code: 'x', message: 'y' }))).toBe(outcome)
})
