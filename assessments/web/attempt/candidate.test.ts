import { expect, it } from 'vitest'
import { createStore } from '../../../platform/web/storage.ts'
import { forgetCandidate, hasUsername, readCandidate, storeCandidate } from './candidate.ts'

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
