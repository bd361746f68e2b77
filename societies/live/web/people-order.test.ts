import { expect, it } from 'vitest'
import type { LiveCandidate } from '../contract.ts'
import { inOrder } from './people-order.ts'

/** A candidate with only the fields that affect the order. */
const one = (username: string, where: LiveCandidate['where'], savedMs: number | null = null) =>
  ({ username, name: null, where, savedMs, marks: [] }) as unknown as LiveCandidate

it('the live list shows running candidates by their oldest save, then the others by name', () => {
  const people = [
    one('zoe', 'absent'),
    one('late', 'running', 90_000),
    one('adam', 'absent'),
    one('early', 'running', 10_000),
  ]
  expect(inOrder(people).map(({ username }) => username)).toEqual(['early', 'late', 'adam', 'zoe'])
})
