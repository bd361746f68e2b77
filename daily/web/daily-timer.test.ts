import { describe, expect, it } from 'vitest'
import { createStore, type RawStorage } from '../../platform/web/storage.ts'
import { createDailyTimers } from './daily-timer.ts'

const ANNA = '11111111-1111-4111-8111-111111111111'
const BEN = '22222222-2222-4222-8222-222222222222'
const TODAY = '2026-11-20'
const YESTERDAY = '2026-11-19'

/** A tab with its storage and two clocks. `reload` gives the same tab a new page. */
function rig() {
  const entries = new Map<string, string>()
  const storage: RawStorage = {
    get length() {
      return entries.size
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  }
  const clock = { nowMs: Date.parse('2026-11-20T09:00:00Z'), ticksMs: 5_000 }
  const open = () =>
    createDailyTimers({
      store: createStore(storage),
      now: () => clock.nowMs,
      ticks: () => clock.ticksMs,
    })
  const world = {
    clock,
    entries,
    timers: open(),
    wait(ms: number) {
      clock.nowMs += ms
      clock.ticksMs += ms
    },
    reload() {
      clock.ticksMs = 300
      world.timers = open()
    },
  }
  return world
}

describe('the brainteaser timer from Reveal to Submit', () => {
  it('counts whole seconds, for its user and its date only', () => {
    const tab = rig()
    expect(tab.timers.load(ANNA, TODAY)).toBeNull()
    tab.timers.reveal(ANNA, TODAY)
    tab.wait(12_900)
    expect(tab.timers.secondsOf(ANNA, TODAY)).toBe(12)
    expect(tab.timers.secondsOf(ANNA, YESTERDAY)).toBe(0)
    expect(tab.timers.secondsOf(BEN, TODAY)).toBe(0)
    expect(tab.timers.load(BEN, TODAY)).toBeNull()
  })

  it('continues after a reload, with the chosen option', () => {
    const tab = rig()
    tab.timers.reveal(ANNA, TODAY)
    tab.timers.choose(ANNA, TODAY, 'C')
    tab.wait(10_000)
    tab.reload()
    expect(tab.timers.load(ANNA, TODAY)).toMatchObject({ choice: 'C' })
    expect(tab.timers.secondsOf(ANNA, TODAY)).toBe(10)
    tab.wait(7_000)
    expect(tab.timers.secondsOf(ANNA, TODAY)).toBe(17)
  })

  it('does not restart on a second reveal', () => {
    const tab = rig()
    tab.timers.reveal(ANNA, TODAY)
    tab.wait(10_000)
    tab.timers.reveal(ANNA, TODAY)
    tab.reload()
    tab.timers.reveal(ANNA, TODAY)
    expect(tab.timers.secondsOf(ANNA, TODAY)).toBe(10)
  })

  it.each([
    ['set forward', 3_600_000],
    ['set back', -3_600_000],
  ])('ignores a device clock that is %s', (_, ms) => {
    const tab = rig()
    tab.timers.reveal(ANNA, TODAY)
    tab.wait(4_000)
    tab.clock.nowMs += ms
    expect(tab.timers.secondsOf(ANNA, TODAY)).toBe(4)
  })

  it('is never negative or longer than the server accepts', () => {
    const tab = rig()
    tab.timers.reveal(ANNA, TODAY)
    tab.clock.nowMs -= 60_000
    tab.reload()
    expect(tab.timers.secondsOf(ANNA, TODAY)).toBe(0)
    tab.wait(3 * 86_400_000)
    expect(tab.timers.secondsOf(ANNA, TODAY)).toBe(86_400)
  })

  it('is deleted after the answer, or with its user', () => {
    const tab = rig()
    for (const user of [ANNA, BEN]) {
      tab.timers.reveal(user, TODAY)
      tab.timers.reveal(user, YESTERDAY)
    }
    tab.timers.remove(ANNA, TODAY)
    expect(tab.timers.load(ANNA, TODAY)).toBeNull()
    expect(tab.timers.load(ANNA, YESTERDAY)).not.toBeNull()
    tab.timers.forget(ANNA)
    expect([...tab.entries.keys()].every((key) => key.includes(BEN))).toBe(true)
    expect(tab.entries.size).toBe(2)
  })

  it('treats an unreadable stored value as not revealed', () => {
    const tab = rig()
    for (const text of ['', '{', 'null', '{"revealedAtMs":"soon"}']) {
      tab.entries.set(`superday-daily:${ANNA}:${TODAY}`, text)
      expect(tab.timers.load(ANNA, TODAY)).toBeNull()
    }
  })
})
