import { describe, expect, it } from 'vitest'
import { createStore } from '../../../platform/web/storage.ts'
import { openPage, setUp } from '../../../tests/rig/attempt-rig.ts'
import { createTestEnvironment, settle } from '../../../tests/rig/test-environment.ts'
import { forgetCandidate, hasUsername, readCandidate, storeCandidate } from './candidate.ts'
import { noteLeft, takeArrival } from './seen/arrival.ts'

it.each([
  ['PCF', 'pcf_username'],
  ['ESFS_MORNING', 'esfs_morning_username'],
  ['ESFS_AFTERNOON', 'esfs_afternoon_username'],
])('the candidate of %s is stored under its own key (product 6.1.7)', (code, key) => {
  const store = createStore(null)
  storeCandidate(store, { code, username: 'ana', token: 't' })
  expect(store.get(key)).toBe('ana')
  expect(store.get('recruitment_association')).toBe(code)
  expect(readCandidate(store)).toEqual({ code, username: 'ana', token: 't' })
})

it.each(['recruitment_association', 'pcf_username', 'pcf_candidate_token'])(
  'a stored candidate without %s is ignored',
  (key) => {
    const store = createStore(null)
    storeCandidate(store, { code: 'PCF', username: 'ana', token: 't' })
    store.remove(key)
    expect(readCandidate(store)).toBeNull()
  },
)

it('a stored candidate can be removed completely', () => {
  const store = createStore(null)
  storeCandidate(store, { code: 'PCF', username: 'ana', token: 't' })
  expect(hasUsername(store, 'PCF')).toBe(true)
  forgetCandidate(store, 'PCF')
  expect(store.keys('')).toEqual([])
  expect(hasUsername(store, 'PCF')).toBe(false)
})

describe('messages from the society', () => {
  const message = (id: number, text: string) => ({ id, text, at: '2026-03-02T09:05:00.000Z' })

  it("are loaded once each when a response announces them, with the candidate's time", async () => {
    const { server, attempt, running } = await setUp()
    const asked = () => server.calls.filter((name) => name === 'status').length
    server.messages = [message(7, 'Carry on.')]
    server.givenSeconds = 600
    server.limitMs += 600_000
    attempt.hear(7)
    await settle()
    expect(running()).toMatchObject({
      messages: [{ id: 7, text: 'Carry on.' }],
      ownTime: { extraSeconds: 0, givenSeconds: 600 },
    })
    expect(attempt.clock.getView().secondsLeft).toBe(1_200)
    const before = asked()
    attempt.hear(7)
    await settle()
    expect(asked()).toBe(before)
  })

  it('stay dismissed after a reload, and withdrawn ones disappear', async () => {
    const { environment, server, attempt, running } = await setUp()
    server.messages = [message(8, 'Second.'), message(7, 'First.')]
    attempt.hear(8)
    await settle()
    attempt.putAway(8)
    expect([...running().readIds]).toEqual([8])
    attempt.close()
    const again = openPage(createTestEnvironment(environment.raw), server)
    await again.attempt.open()
    server.messages = [message(8, 'Second.')]
    again.attempt.hear(8)
    await settle()
    expect([...again.running().readIds]).toEqual([8])
    expect(again.running().messages.map(({ id }) => id)).toEqual([8])
  })
})

const here = { type: 'navigate', isOnTest: true, historyLength: 7 }

it.each<[string, { type?: string; isOnTest?: boolean; historyLength?: number }, string, string]>([
  ['by Back from another site', { type: 'back_forward' }, 'return', 'new'],
  ['by its address, from another site', { historyLength: 9 }, 'return', 'new'],
  ['by a reload', { type: 'reload' }, 'reload', 'reload'],
  ['by its address entered again', {}, 'reload', 'new'],
  ["retried from WebKit's own error page", { historyLength: 8 }, 'reload', 'new'],
  ['from the instructions, then reloaded', { type: 'reload', isOnTest: false }, 'return', 'new'],
  ['from the instructions', { isOnTest: false }, 'return', 'new'],
])('a page reached %s has the right arrival kind', (_, more, afterLeaving, withoutHavingLeft) => {
  const { store } = createTestEnvironment()
  expect(takeArrival(store, 'PCF', { ...here, ...more }).kind).toBe(withoutHavingLeft)
  noteLeft(store, 'PCF', { historyLength: 7, hasForward: false })
  expect(takeArrival(store, 'PCF', { ...here, ...more }).kind).toBe(afterLeaving)
  // Reading it deletes it, so that the next page in this tab is not a return.
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
