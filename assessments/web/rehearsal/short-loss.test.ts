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

it('cuts the connection at the second answer for six seconds, once, and sees it come back', async () => {
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

it('lets who hands in meanwhile through, with what waited', async () => {
  const { told, watched, save } = setUp()
  await save(1)
  await save(2)
  await watched.submit([{ questionId: 2, choice: 'A', revision: 1, at: 0 }], 0)
  expect(told).toEqual(['cut', 'survived'])
})

it('does not cut it again in a page that was reloaded, nor for a save without an answer', async () => {
  const { told, save } = setUp(true)
  for (const question of [1, 2, 3]) expect(await save(question)).toBe('saved')
  const other = setUp()
  await other.watched.save([], 0)
  await other.watched.save([], 0)
  expect([...told, ...other.told]).toEqual([])
})
