import { expect, it } from 'vitest'
import { remainingMs } from './time-left.ts'

it('the remaining time is never negative', () => {
  expect([remainingMs(10, 4), remainingMs(10, 11)]).toEqual([6, 0])
})
