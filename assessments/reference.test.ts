import { expect, it } from 'vitest'
import { isReference, labelOf, sessionName } from './reference.ts'

it.each([
  ['Morning', 'Morning', 'Club - Morning'],
  [null, 'Main', 'Club'],
])('a session named %j is called %s among several, and %s alone', (session, name, label) => {
  expect(sessionName(session)).toBe(name)
  expect(labelOf({ society: 'Club', session })).toBe(label)
})

it.each([
  ['1a2b3c4d', true],
  ['1A2B3C4D', true],
  ['1a2b3c4', false],
  ['1a2b3c4d5', false],
  ['ana.silv', false],
])('%s can be a reference: %s', (text, expected) => {
  expect(isReference(text)).toBe(expected)
})
