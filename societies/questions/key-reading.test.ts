import { expect, it } from 'vitest'
import type { AssessmentState } from '../kit/assessment-state.ts'
import type { Role } from '../kit/roles.ts'
import { keyReadingOf } from './key-reading.ts'

const of = (text: string, state: AssessmentState = 'draft') =>
  keyReadingOf(
    text.split(' ').map((one) => {
      const [role, only] = one.split(':')
      return { role: role as Role, assessment: only ?? null }
    }),
    'AM',
    state,
  )

it.each([
  ['owner', 'draft', 'all'],
  ['author:AM', 'running', 'all'],
  // A reviewer checks the keys, and compares nothing.
  ['reviewer', 'draft', 'later'],
  ['reviewer', 'running', 'later'],
  ['reviewer', 'closed', 'closed'],
  ['invigilator', 'closed', 'never'],
  ['invigilator reviewer', 'draft', 'later'],
  // An author of another test reads none of this one.
  ['reviewer author:PM', 'draft', 'later'],
  ['author:PM', 'draft', 'never'],
  ['reviewer author:AM', 'draft', 'all'],
] as const)('for %s on a %s test, reading keys is: %s', (roles, state, expected) => {
  expect(of(roles, state)).toBe(expected)
})
