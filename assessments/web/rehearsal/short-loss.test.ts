import { expect, it, vi } from 'vitest'
import type { AttemptApi } from '../attempt/api.ts'
import { LOSS_MS, ShortLoss } from './short-loss.ts'

function setUp(isOver = false) {
  const clock = { nowMs: 0 }
  const told: string[] = []
  const saved: number[] = []
  const api = {
    start: vi.fn(),
    status: vi.fn(async () => ({})),
    report: vi.fn(async () => ({})),
    submit: vi.fn(async () => ({})),
    save: vi.fn(async (answers: { questionId: number }[]) => {
      saved.push(...answers.map(({ questionId }) => questionId))
      return []
    }),
  } as unknown as AttemptApi
  const loss = new ShortLoss({ now: () => clock.nowMs }, (what) => told.push(what), isOver)
  const watched = loss.watch(api)
  const save = (questionId: number) =>
    watched.save([{ questionId, choice: 'A', revision: 1, at: 0 }], 0).then(
      () => 'saved',
      (error) => error.code,
    )
  return { clock, told, saved, watched, save }
}

it("the rehearsal's outage starts at the second answer, lasts six seconds once, and its end is noticed", async () => {
  const { clock, told, saved, watched, save } = setUp()
  expect(await save(1)).toBe('saved')
  expect(told).toEqual([])
  expect(await save(2)).toBe('offline')
  expect(told).toEqual(['cut'])
  await expect(watched.status()).rejects.toMatchObject({ code: 'offline' })
  clock.nowMs = LOSS_MS - 1
  expect(await save(2)).toBe('offline')
  clock.nowMs = LOSS_MS
  await watched.status()
  expect(told).toEqual(['cut'])
  expect(await save(2)).toBe('saved')
  expect(told).toEqual(['cut', 'survived'])
  expect(await save(3)).toBe('saved')
  expect(told).toEqual(['cut', 'survived'])
  expect(saved).toEqual([1, 2, 3])
})

it("the rehearsal's outage lets a submit through with the waiting answers", async () => {
  const { told, watched, save } = setUp()
  await save(1)
  await save(2)
  await watched.submit([{ questionId: 2, choice: 'A', revision: 1, at: 0 }], 0)
  expect(told).toEqual(['cut', 'survived'])
})

it("the rehearsal's outage does not repeat after a reload or on a save without an answer", async () => {
  const { told, save } = setUp(true)
  for (const question of [1, 2, 3]) expect(await save(question)).toBe('saved')
  const other = setUp()
  await other.watched.save([], 0)
  await other.watched.save([], 0)
  expect([...told, ...other.told]).toEqual([])
})
