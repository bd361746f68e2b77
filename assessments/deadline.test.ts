import { describe, expect, it } from 'vitest'
import { AWAY_GRACE_MS, GRACE_MS, graceEndMs, phaseOf } from './deadline.ts'

describe('the grace after a deadline', () => {
  const DEADLINE = 1_000_000
  it.each([
    ['up since long before', 0, DEADLINE + GRACE_MS],
    ['up since the deadline itself', DEADLINE, DEADLINE + GRACE_MS],
    ['back 1 ms after it', DEADLINE + 1, DEADLINE + 1 + AWAY_GRACE_MS],
    ['back an hour after it', DEADLINE + 3_600_000, DEADLINE + 3_600_000 + AWAY_GRACE_MS],
  ])('with the service %s', (_, upSince, end) => {
    expect(graceEndMs(DEADLINE, upSince)).toBe(end)
  })

  it.each([
    ['before the deadline', DEADLINE - 1, null, 'running'],
    ['at the deadline', DEADLINE, null, 'grace'],
    ['at the end of the grace, less 1 ms', DEADLINE + GRACE_MS - 1, null, 'grace'],
    ['at the end of the grace', DEADLINE + GRACE_MS, null, 'overdue'],
    ['once submitted', DEADLINE - 1, 5, 'closed'],
    ['once submitted, later', DEADLINE + 99_999, 5, 'closed'],
  ] as const)('an attempt %s is %s', (_, now, submittedMs, phase) => {
    expect(phaseOf({ deadlineMs: DEADLINE, submittedMs }, now, 0)).toBe(phase)
  })
})
