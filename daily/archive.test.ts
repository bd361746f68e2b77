import { expect, it } from 'vitest'
import { isPlayable } from './archive.ts'

it.each([
  ['2026-03-09', false],
  ['2026-03-08', true],
  ['2026-03-07', true],
  ['2026-03-01', true],
  ['2026-02-28', false],
  ['2025-03-08', false],
])('on 8 March 2026 the brainteaser of %s can be played: %s', (date, playable) => {
  expect(isPlayable(date, '2026-03-08')).toBe(playable)
})
