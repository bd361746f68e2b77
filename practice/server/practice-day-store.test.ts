import { expect, it } from 'vitest'
import { clampCompletion } from './practice-day-store.ts'

const now = '2026-03-02T10:00:00.000Z'
const clamp = (completedAt: string, memberSince = '2025-01-01T00:00:00.000Z') =>
  clampCompletion(new Date(completedAt), { now: new Date(now), memberSince: new Date(memberSince) })

it.each([
  ['an hour ago', '2026-03-02T09:00:00.000Z', '2026-03-02T09:00:00.000Z'],
  ['now', now, now],
  ['a minute ahead', '2026-03-02T10:01:00.000Z', now],
  ['seven days ago', '2026-02-23T10:00:00.000Z', '2026-02-23T10:00:00.000Z'],
  ['a moment earlier', '2026-02-23T09:59:59.999Z', '2026-02-23T10:00:00.000Z'],
  ['a year ago', '2025-03-02T10:00:00.000Z', '2026-02-23T10:00:00.000Z'],
])('a test finished %s, at %s, counts as finished at %s', (_, completedAt, counts) => {
  expect(clamp(completedAt).toISOString()).toBe(counts)
})

it.each([
  ['before the account was made', '2026-02-27T10:00:00.000Z', '2026-03-01T08:00:00.000Z'],
  ['a moment after', '2026-03-01T08:00:00.001Z', '2026-03-01T08:00:00.001Z'],
])('a test finished %s, at %s, counts as finished at %s', (_, completedAt, counts) => {
  expect(clamp(completedAt, '2026-03-01T08:00:00.000Z').toISOString()).toBe(counts)
})

it('a test counts as finished now when the account is newer than the clock', () => {
  expect(clamp(now, '2026-03-02T10:00:01.000Z').toISOString()).toBe(now)
})
