import { expect, it } from 'vitest'
import { labelOf, sessionName } from './reference.ts'

it.each([
  ['Morning', 'Morning', 'Club - Morning'],
  [null, 'Main', 'Club'],
])('a session named %j is called %s among several, and %s alone', (session, name, label) => {
  expect(sessionName(session)).toBe(name)
  expect(labelOf({ society: 'Club', session })).toBe(label)
})
