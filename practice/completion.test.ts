import { expect, it } from 'vitest'
import { clampCompletion } from './completion.ts'

const now = '2026-03-02T10:00:00.000Z'

it.each([
  ['an hour ago', '2026-03-02T09:00:00.000Z', '2026-03-02T09:00:00.000Z'],
  ['now', now, now],
  ['a minute ahead', '2026-03-02T10:01:00.000Z', now],
  ['seven days ago', '2026-02-23T10:00:00.000Z', '2026-02-23T10:00:00.000Z'],
  ['a moment earlier', '2026-02-23T09:59:59.999Z', '2026-02-23T10:00:00.000Z'],
  ['a year ago', '2025-03-02T10:00:00.000Z', '2026-02-23T10:00:00.000Z'],
])('a test finished %s, at %s, counts as finished at %s', (_, completedAt, counts) => {
  expect(clampCompletion(new Date(completedAt), new Date(now)).toISOString()).toBe(counts)
})
