import { expect, it } from 'vitest'
import { openPage, setUp } from '../../../../tests/rig/attempt-rig.ts'
import { createTestEnvironment, settle } from '../../../../tests/rig/test-environment.ts'
import { Dwell, type Looked } from './dwell.ts'

const MINUTE = 60_000

/** A page with a clock that the test moves, and the viewing times it would send. */
function watch() {
  let now = 0
  const dwell = new Dwell(() => now)
  return {
    dwell,
    after(ms: number, act: (at: number) => void = () => {}) {
      now += ms
      act(now)
    },
    async told() {
      let told: Looked[] = []
      await dwell.tell(async (grown) => {
        told = grown
      })
      return Object.fromEntries(told.map(({ item, ms }) => [item, ms]))
    },
  }
}

it('viewing time counts each question while it is visible', async () => {
  const { dwell, after, told } = watch()
  dwell.look(1)
  after(4_000, () => dwell.look(2))
  after(2_500, () => dwell.look(1))
  after(1_000)
  expect(await told()).toEqual({ 1: 5_000, 2: 2_500 })
})

it('viewing time leaves out absences, excused ones too', async () => {
  const { dwell, after, told } = watch()
  dwell.look(1)
  after(3_000, (at) => dwell.note('page_hidden', at))
  after(60_000, (at) => dwell.note('page_visible', at, 60_000))
  // The event is reported shortly after the absence began.
  after(5_000, (at) => dwell.note('window_blur', at - 200))
  after(9_000, (at) => dwell.note('page_visible', at, 9_200))
  after(2_000, (at) => dwell.note('focus_lost', at, 1_200))
  expect(await told()).toEqual({ 1: 3_000 + 4_800 + 800 })
})

it('viewing time counts at most ten minutes per stretch, however often it is reported', async () => {
  const { dwell, after, told } = watch()
  dwell.look(1)
  for (let minute = 0; minute < 14; minute += 1) {
    after(MINUTE)
    await told()
  }
  after(0, () => dwell.look(2))
  after(MINUTE, () => dwell.look(1))
  after(2 * MINUTE)
  expect(await told()).toEqual({ 1: 12 * MINUTE, 2: MINUTE })
})

it('viewing time reports totals that grew, and repeats those not acknowledged', async () => {
  const { dwell, after, told } = watch()
  dwell.look(1)
  after(1_000)
  await expect(dwell.tell(() => Promise.reject(new Error('offline')))).rejects.toThrow()
  after(1_000)
  expect(await told()).toEqual({ 1: 2_000 })
  after(500, () => dwell.look(2))
  after(700, () => dwell.look(3))
  expect(await told()).toEqual({ 1: 2_500, 2: 700 })
  expect(await told()).toEqual({})
})

it("viewing time is sent with a window's saves and submit; another window starts at zero", async () => {
  const { environment, server, attempt } = await setUp()
  attempt.look(1)
  await environment.advance(3_000)
  attempt.choose(1, 'A')
  await settle()
  expect(server.dwells.at(-1)).toEqual([{ item: 1, ms: 3_000 }])
  attempt.look(2)
  await environment.advance(1_500)
  attempt.close()
  const later = createTestEnvironment(environment.raw)
  const again = openPage(later, server)
  await again.attempt.open()
  again.attempt.look(3)
  await later.advance(2_000)
  for (const question of [2, 3]) again.attempt.choose(question, 'B')
  await settle()
  expect(server.dwells.at(-1)).toEqual([{ item: 3, ms: 2_000 }])
  await later.advance(1_000)
  await again.attempt.submit()
  expect(server.dwells.at(-1)).toEqual([{ item: 3, ms: 3_000 }])
})
