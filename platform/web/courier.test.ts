import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiFailure } from './api-failure.ts'
import { browserClock, Courier, type CourierOptions, LeftForLater } from './courier.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A retry queue with one item, which fails as specified. Records the time of each try. */
function makeCourier(
  failures: readonly unknown[],
  { random = 0, ...options }: Partial<CourierOptions> & { random?: number } = {},
) {
  const tries: number[] = []
  let isDelivered = false
  const courier = new Courier(
    { ...browserClock, random: () => random },
    {
      hasWork: () => !isDelivered,
      deliver: async () => {
        tries.push(Math.round(performance.now()))
        const failure = failures[tries.length - 1]
        // Real calls take a while.
        await new Promise((resolve) => setTimeout(resolve, 100))
        if (failure) throw failure
        isDelivered = true
      },
      ...options,
    },
  )
  /** milliseconds from the end of each try to the next */
  const pauses = () => tries.slice(1).map((at, index) => at - (tries[index] ?? 0) - 100)
  return { courier, tries, pauses }
}

const refusal = (retryAfterSeconds?: number) =>
  new ApiFailure(
    503,
    { code: 'unavailable', message: '' },
    new Headers(retryAfterSeconds ? { 'Retry-After': String(retryAfterSeconds) } : {}),
  )

describe('the retry queue', () => {
  it('retries after 1 s, 2 s, 5 s, then every 10 s', async () => {
    const { courier, pauses } = makeCourier(Array(6).fill(refusal()))
    void courier.flush()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(pauses()).toEqual([1_000, 2_000, 5_000, 10_000, 10_000, 10_000])
    expect(courier.failures).toBe(0)
  })

  it.each([
    ['its own pause', refusal(), 1_000],
    ['the pause that the server asked for', refusal(7), 7_000],
    ['the longest pause of any waiting item', new LeftForLater(9_000), 9_000],
  ])(
    "spreads a lecture hall's retries over up to a fifth more than %s",
    async (_, failure, pauseMs) => {
      for (const [random, factor] of [
        [0, 1],
        [0.5, 1.1],
        [0.999, 1.2],
      ] as const) {
        const { courier, pauses } = makeCourier([failure], { random })
        void courier.flush()
        await vi.advanceTimersByTimeAsync(30_000)
        expect(pauses()).toHaveLength(1)
        expect(pauses()[0]).toBeCloseTo(pauseMs * factor, -2)
      }
    },
  )

  it('resets to the shortest pause when told to', async () => {
    const { courier, pauses } = makeCourier(Array(3).fill(refusal()))
    void courier.flush()
    await vi.advanceTimersByTimeAsync(1_150)
    courier.startOver()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(pauses()).toEqual([1_000, 1_000, 2_000])
  })

  it("retries immediately when woken during a pause, but respects the server's Retry-After", async () => {
    const own = makeCourier([refusal()])
    const asked = makeCourier([refusal(7)])
    for (const { courier } of [own, asked]) void courier.flush()
    await vi.advanceTimersByTimeAsync(600)
    for (const { courier } of [own, asked]) courier.wake()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(own.pauses()).toEqual([500])
    expect(asked.pauses()).toEqual([7_000])
  })

  it.each([
    ['keeps the pause', false, refusal(), 1_000],
    ['tries at once if configured to', true, refusal(), 0],
    ['keeps the wait that the server asked for', true, refusal(7), 7_000],
  ])('woken during a failing try, %s', async (_, triesAgainWhenWoken, failure, pauseMs) => {
    const { courier, pauses } = makeCourier([failure], { triesAgainWhenWoken })
    void courier.flush()
    await vi.advanceTimersByTimeAsync(50)
    courier.wake()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(pauses()).toEqual([pauseMs])
  })

  it('sends nothing more once it is stopped', async () => {
    const { courier, tries } = makeCourier([refusal()])
    void courier.flush()
    await vi.advanceTimersByTimeAsync(200)
    courier.stop()
    courier.wake()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(tries).toHaveLength(1)
    expect(await courier.flush()).toBe(false)
  })
})
