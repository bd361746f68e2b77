import { describe, expect, it } from 'vitest'
import { GRACE_MS, phaseOf } from './deadline.ts'

describe('the state of an attempt', () => {
  const DEADLINE = 1_000_000
  it.each([
    ['before the deadline', DEADLINE - 1, null, 'running'],
    ['at the deadline', DEADLINE, null, 'grace'],
    ['at the end of the grace, less 1 ms', DEADLINE + GRACE_MS - 1, null, 'grace'],
    ['at the end of the grace', DEADLINE + GRACE_MS, null, 'overdue'],
    ['once submitted', DEADLINE - 1, 5, 'closed'],
    ['once submitted, later', DEADLINE + 99_999, 5, 'closed'],
  ] as const)('is right %s', (_, now, submittedMs, phase) => {
    const attempt = { deadlineMs: DEADLINE, submittedMs }
    expect(phaseOf(attempt, now, DEADLINE + GRACE_MS)).toBe(phase)
  })
})
