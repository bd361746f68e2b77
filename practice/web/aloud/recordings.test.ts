import { describe, expect, it } from 'vitest'
import { createStore } from '../../../platform/web/storage.ts'
import { whenAgain, whenDue } from '../../aloud/session.ts'
import { forgetSittings } from '../person-store.ts'
import { createSpokenDrafts, KEPT_MS, type SpokenDraft } from './recordings.ts'

describe('the next date of a spoken answer', () => {
  it.each([
    [1, 'tomorrow'],
    [3, 'in 3 days'],
    [8, 'in 8 days'],
    [13, 'in 13 days'],
    [14, 'in 2 weeks'],
    [21, 'in 3 weeks'],
    [35, 'in 5 weeks'],
    [36, 'in 36 days'],
    [60, 'in 2 months'],
    [180, 'in 6 months'],
  ])('in %i days reads %s', (days, words) => {
    expect(whenAgain(days)).toBe(words)
  })

  it('is due from its day on', () => {
    expect([whenDue(-3), whenDue(0), whenDue(1)]).toEqual(['due today', 'due today', 'tomorrow'])
  })
})

describe('an unchecked spoken answer', () => {
  const at = Date.parse('2026-03-02T10:00:00Z')
  const draft: SpokenDraft = {
    id: '5f0c2f5e-4d51-4a3b-9a53-0a8f3a4f1c11',
    tookMs: 81_000,
    answeredAt: new Date(at).toISOString(),
    points: [1, 4],
    rating: null,
  }

  it('is kept per person and prompt for seven days and deleted with the person', () => {
    const store = createStore(null)
    let now = at
    const drafts = createSpokenDrafts(store, () => now)
    drafts.save('me', 'dcf', draft)
    drafts.save('other', 'dcf', { ...draft, points: [] })
    expect(drafts.load('me', 'dcf')).toEqual(draft)
    expect([drafts.load('me', 'lbo'), drafts.load('nobody', 'dcf')]).toEqual([null, null])
    now = at + KEPT_MS - 1
    expect(drafts.load('me', 'dcf')).toEqual(draft)
    forgetSittings('me', store)
    expect([drafts.load('me', 'dcf'), drafts.load('other', 'dcf')?.points]).toEqual([null, []])
    now = at + KEPT_MS
    expect(drafts.load('other', 'dcf')).toBeNull()
  })

  it('is ignored when the stored value is malformed', () => {
    const store = createStore(null)
    store.set('superday-aloud:me:dcf', '{"id": 1}')
    expect(createSpokenDrafts(store, () => at).load('me', 'dcf')).toBeNull()
  })
})
