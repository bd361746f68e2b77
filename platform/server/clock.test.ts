import { describe, expect, it } from 'vitest'
import { createClock, HOLD_MS } from './clock.ts'

const START_MS = Date.parse('2026-03-02T10:00:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A machine whose clock can be set and that can sleep. Then elapsed time stops, and uptime continues. */
function machine() {
  const state = { shiftMs: 0, ranMs: 0, sleptMs: 0 }
  const jumps: { byMs: number; isBelieved: boolean }[] = []
  const now = createClock(
    {
      wallMs: () => START_MS + state.ranMs + state.sleptMs + state.shiftMs,
      elapsedMs: () => state.ranMs,
      // Some systems report whole seconds.
      uptimeMs: () => Math.floor((5 * HOUR + state.ranMs + state.sleptMs) / 1000) * 1000,
    },
    (jump) => jumps.push(jump),
  )
  return { state, jumps, toldMs: () => now().getTime() - START_MS }
}

describe('the application clock', () => {
  it("follows the machine's clock and its small corrections", () => {
    const { state, jumps, toldMs } = machine()
    for (const shiftMs of [0, 900, -900, 1_900]) {
      Object.assign(state, { ranMs: state.ranMs + MINUTE, shiftMs })
      expect(toldMs()).toBe(state.ranMs + shiftMs)
    }
    expect(jumps).toEqual([])
  })

  it('follows a slow drift, however far it goes', () => {
    const { state, jumps, toldMs } = machine()
    for (let step = 0; step < 100; step += 1) {
      state.ranMs += MINUTE
      state.shiftMs += 1_000
      expect(toldMs()).toBe(state.ranMs + state.shiftMs)
    }
    expect(jumps).toEqual([])
  })

  it.each([
    ['forward', HOUR],
    ['back', -HOUR],
  ])('ignores an hour %s that is taken back', (_, byMs) => {
    const { state, jumps, toldMs } = machine()
    state.ranMs = MINUTE
    expect(toldMs()).toBe(MINUTE)
    state.shiftMs = byMs
    for (const ranMs of [MINUTE, 5 * MINUTE, 14 * MINUTE]) {
      state.ranMs = ranMs
      expect(toldMs()).toBe(ranMs)
    }
    state.shiftMs = 0
    state.ranMs = HOUR
    expect(toldMs()).toBe(HOUR)
    expect(jumps).toEqual([{ byMs, isBelieved: false }])
  })

  it('accepts a lasting jump, and then holds back a second one again', () => {
    const { state, jumps, toldMs } = machine()
    state.shiftMs = HOUR
    expect(toldMs()).toBe(0)
    state.ranMs = HOLD_MS - 1
    expect(toldMs()).toBe(state.ranMs)
    state.ranMs = HOLD_MS
    expect(toldMs()).toBe(HOLD_MS + HOUR)
    state.shiftMs = 0
    expect(toldMs()).toBe(HOLD_MS + HOUR)
    expect(jumps.map(({ isBelieved }) => isBelieved)).toEqual([false, true, false])
  })

  it("follows immediately after sleep, even if the machine's uptime has whole seconds", () => {
    const { state, jumps, toldMs } = machine()
    state.ranMs = MINUTE
    state.sleptMs = 8 * HOUR + 700
    expect(toldMs()).toBe(MINUTE + 8 * HOUR + 700)
    state.ranMs = 2 * MINUTE
    state.sleptMs += HOUR
    expect(toldMs()).toBe(2 * MINUTE + 9 * HOUR + 700)
    expect(jumps).toEqual([])
  })
})
