import { expect, it } from 'vitest'
import { FRESH } from './as-of.ts'
import { Connectivity } from './connectivity.ts'

const NOON = 'Thu, 26 Nov 2026 12:00:00 GMT'
const ONE = 'Thu, 26 Nov 2026 13:00:00 GMT'

/** A server that can be offline, and a clock that the test advances. */
function rig() {
  const told: boolean[] = []
  const world = { isThere: true, asked: 0, answersSlowly: false }
  let release = () => {}
  let timer: { run: () => void; delayMs: number } | undefined
  const connectivity = new Connectivity(
    async () => {
      world.asked += 1
      const { isThere } = world
      if (world.answersSlowly) await new Promise<void>((resolve) => (release = resolve))
      return isThere
    },
    {
      now: () => 0,
      random: () => 0,
      setTimer: (run, delayMs) => {
        const mine = { run, delayMs }
        timer = mine
        return () => {
          if (timer === mine) timer = undefined
        }
      },
    },
  )
  connectivity.subscribe(() => told.push(connectivity.isOffline()))
  return {
    connectivity,
    world,
    told,
    /** milliseconds until the server is checked again; null if it won't be */
    pauseMs: () => timer?.delayMs ?? null,
    async pass() {
      const due = timer
      timer = undefined
      due?.run()
      await settled()
    },
    async answerNow() {
      release()
      await settled()
    },
  }
}
const settled = () => new Promise((resolve) => setTimeout(resolve))

it('a page is online until a check of the server fails', () => {
  const { connectivity, world } = rig()
  expect(connectivity.get()).toEqual({ isOffline: false, asOf: null })
  expect(world.asked).toBe(0)
})

it('a failed call makes a page offline only when a check of the server fails too', async () => {
  const { connectivity, world, told } = rig()
  connectivity.noteFailure()
  await settled()
  expect(connectivity.isOffline()).toBe(false)
  world.isThere = false
  connectivity.noteFailure()
  await settled()
  expect(connectivity.isOffline()).toBe(true)
  expect([world.asked, told]).toEqual([2, [true]])
})

it('a browser that reports a lost network is ignored while the server responds', async () => {
  const { connectivity, told } = rig()
  await connectivity.check()
  expect(connectivity.isOffline()).toBe(false)
  expect(told).toEqual([])
})

it('an offline page checks after 1, 2, 5 and 10 s until the server responds', async () => {
  const { connectivity, world, told, pauseMs, pass } = rig()
  world.isThere = false
  await connectivity.check()
  const pauses = []
  for (let round = 0; round < 5; round += 1) {
    pauses.push(pauseMs())
    await pass()
  }
  expect(pauses).toEqual([1_000, 2_000, 5_000, 10_000, 10_000])
  world.isThere = true
  await pass()
  expect(told).toEqual([true, false])
  expect(pauseMs()).toBeNull()
})

it('pauses start short again only after the server has responded to a call', async () => {
  const { connectivity, world, pauseMs, pass } = rig()
  const lose = async () => {
    world.isThere = false
    await connectivity.check()
  }
  await lose()
  await pass()
  world.isThere = true
  await pass()
  await lose()
  expect(pauseMs()).toBe(5_000)
  connectivity.noteAnswer(200, null)
  await lose()
  expect(pauseMs()).toBe(1_000)
})

it.each<[why: string, status: number, asOf: string | null, isOffline: boolean]>([
  ['a response from the server', 200, null, false],
  ['a refusal', 403, null, false],
  ['an error that a proxy may return for an unreachable server', 502, null, true],
  ['a recent copy', 200, FRESH, true],
  ['an old copy', 200, NOON, true],
])('after %s an offline page checks whether it still is', async (...row) => {
  const [, status, asOf, isOffline] = row
  const { connectivity, world } = rig()
  world.isThere = false
  await connectivity.check()
  connectivity.noteAnswer(status, asOf)
  expect(connectivity.isOffline()).toBe(isOffline)
})

it('an old copy makes a page offline, with the date of the oldest one one', () => {
  const { connectivity, pauseMs } = rig()
  connectivity.noteAnswer(200, ONE)
  expect(connectivity.get()).toEqual({ isOffline: true, asOf: ONE })
  expect(pauseMs()).toBe(1_000)
  connectivity.noteAnswer(200, NOON)
  connectivity.noteAnswer(200, ONE)
  expect(connectivity.get()).toEqual({ isOffline: true, asOf: NOON })
  connectivity.noteAnswer(200, null)
  expect(connectivity.get()).toEqual({ isOffline: false, asOf: null })
  expect(pauseMs()).toBeNull()
})

it('a recent copy leaves a page online', () => {
  const { connectivity } = rig()
  connectivity.noteAnswer(200, FRESH)
  expect(connectivity.get()).toEqual({ isOffline: false, asOf: null })
})

it('a server that responds to a call during a failed check counts as available', async () => {
  const { connectivity, world, answerNow } = rig()
  Object.assign(world, { isThere: false, answersSlowly: true })
  void connectivity.check()
  connectivity.noteAnswer(200, null)
  await answerNow()
  expect(connectivity.isOffline()).toBe(false)
})

it('a network that returns during a check is noticed immediately', async () => {
  const { connectivity, world, told, answerNow } = rig()
  Object.assign(world, { isThere: false, answersSlowly: true })
  void connectivity.check()
  world.isThere = true
  void connectivity.check()
  expect(world.asked).toBe(1)
  await answerNow()
  await answerNow()
  expect([world.asked, told]).toEqual([2, [true, false]])
})
