import { describe, expect, it, vi } from 'vitest'
import { createTestEnvironment } from '../../../tests/rig/test-environment.ts'
import { AttemptClock } from './clock.ts'

function setUp(remainingMs: number) {
  const environment = createTestEnvironment()
  const told = { onZero: vi.fn(), onWake: vi.fn() }
  const clock = new AttemptClock(environment, told)
  const shown: string[] = []
  clock.subscribe(() => {
    const { secondsLeft, isRed, announcement } = clock.getView()
    shown.push(`${secondsLeft}${isRed ? ' red' : ''}${announcement ? ` ${announcement}` : ''}`)
  })
  clock.sync(remainingMs)
  return { environment, clock, shown, ...told }
}

describe('the countdown', () => {
  it('ticks once a second, on the second', async () => {
    const { environment, shown } = setUp(1_200_400)
    await environment.advance(2_500)
    expect(shown).toEqual(['1200', '1199', '1198', '1197'])
  })

  it.each([
    [300_000, false],
    [299_999, true],
  ])('at %i ms is red: %s', (remainingMs, isRed) => {
    expect(setUp(remainingMs).clock.getView().isRed).toBe(isRed)
  })

  it('is announced only at 5 minutes and at 1 minute', async () => {
    const { environment, clock } = setUp(310_000)
    const said = new Map<string, number>()
    clock.subscribe(() => {
      const { announcement, secondsLeft } = clock.getView()
      if (announcement && !said.has(announcement)) said.set(announcement, secondsLeft)
    })
    await environment.advance(311_000)
    expect([...said]).toEqual([
      ['5 minutes remaining', 300],
      ['1 minute remaining', 60],
    ])
  })

  it('does not drift when the page was throttled, as a timer that counts ticks would', async () => {
    const { environment, clock } = setUp(600_000)
    environment.sleep(61_000)
    await environment.advance(0)
    expect(clock.getView().secondsLeft).toBe(539)
    await environment.advance(5_000)
    expect(clock.getView().secondsLeft).toBe(534)
  })

  it.each([10, -10])(
    'ignores a device clock that jumps %i minutes, and asks the server',
    async (minutes) => {
      const { environment, clock, onWake } = setUp(600_000)
      await environment.advance(3_000)
      environment.setWall(minutes * 60_000)
      await environment.advance(2_000)
      expect(clock.getView().secondsLeft).toBe(595)
      expect(onWake).toHaveBeenCalled()
    },
  )

  it('asks the server after a sleep that the monotonic clock missed', async () => {
    const { environment, onWake } = setUp(600_000)
    environment.sleep(0, 300_000)
    await environment.advance(1_100)
    expect(onWake).toHaveBeenCalledTimes(1)
  })

  it('reports the end once, and again after more time was given', async () => {
    const { environment, clock, onZero } = setUp(2_000)
    await environment.advance(5_000)
    expect(onZero).toHaveBeenCalledTimes(1)
    clock.sync(0)
    expect(onZero).toHaveBeenCalledTimes(1)
    clock.sync(3_000)
    expect(clock.getView().secondsLeft).toBe(3)
    await environment.advance(3_100)
    expect(onZero).toHaveBeenCalledTimes(2)
  })

  it('follows an extension but ignores network delay', () => {
    const { clock } = setUp(100_000)
    clock.sync(101_000, 3_000)
    expect(clock.remainingMs()).toBe(100_000)
    clock.sync(400_000, 3_000)
    expect(clock.remainingMs()).toBe(398_500)
  })

  it('repeats an announcement after more time was given', async () => {
    const { environment, clock } = setUp(61_000)
    await environment.advance(2_000)
    expect(clock.getView().announcement).toBe('1 minute remaining')
    clock.sync(90_000)
    expect(clock.getView().announcement).toBe('')
    await environment.advance(31_000)
    expect(clock.getView().announcement).toBe('1 minute remaining')
  })

  it('does not announce 5 minutes when the page wakes up at 20 seconds', async () => {
    const { environment, clock } = setUp(400_000)
    environment.sleep(380_000)
    await environment.advance(2_000)
    expect(clock.getView()).toMatchObject({ secondsLeft: 18, announcement: '' })
  })
})
