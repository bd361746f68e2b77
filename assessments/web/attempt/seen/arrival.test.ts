import { expect, it } from 'vitest'
import { createTestEnvironment } from '../test-environment.ts'
import { noteLeft, takeArrival } from './arrival.ts'

const here = { type: 'navigate', isOnTest: true, historyLength: 7 }

it.each<[string, { type?: string; isOnTest?: boolean; historyLength?: number }, string, string]>([
  ['by Back from another site', { type: 'back_forward' }, 'return', 'new'],
  ['by its address, from another site', { historyLength: 9 }, 'return', 'new'],
  ['by a reload', { type: 'reload' }, 'reload', 'reload'],
  ['by its address entered again', {}, 'reload', 'new'],
  ["retried from WebKit's own error page", { historyLength: 8 }, 'reload', 'new'],
  ['by the instructions, reloaded', { type: 'reload', isOnTest: false }, 'return', 'new'],
  ['by the instructions', { isOnTest: false }, 'return', 'new'],
])('a page reached %s has the right arrival kind', (_, more, afterLeaving, withoutHavingLeft) => {
  const { store } = createTestEnvironment()
  expect(takeArrival(store, 'PCF', { ...here, ...more }).kind).toBe(withoutHavingLeft)
  noteLeft(store, 'PCF', { historyLength: 7, hasForward: false })
  expect(takeArrival(store, 'PCF', { ...here, ...more }).kind).toBe(afterLeaving)
  // Asked once: what comes next in this tab is no return.
  expect(store.keys('')).toEqual([])
})

it('a page that was left in another test counts as new in this one', () => {
  const { store } = createTestEnvironment()
  noteLeft(store, 'PCF', { historyLength: 6, hasForward: false })
  expect(takeArrival(store, 'ESFS_MORNING', here)).toEqual({ kind: 'new', opened: 'navigate' })
})

it('a page one step ahead in history counts as a return if Back had left pages ahead', () => {
  const { store } = createTestEnvironment()
  noteLeft(store, 'PCF', { historyLength: 7, hasForward: true })
  expect(takeArrival(store, 'PCF', { ...here, historyLength: 8 }).kind).toBe('return')
})
