import { expect, it } from 'vitest'
import type { CandidateFacts } from '../../contract/candidates.ts'
import { headlineOf } from './mail-words.ts'

const MADE = '2026-03-01T09:00:00.000Z'

/** What the headline looks at of a candidate. */
const one = (state: 'queued' | 'sent' | 'failed' | null, passwordMadeAt: string | null = null) =>
  ({
    mail: state && { state, address: 'a@x.pt', at: MADE, error: null },
    passwordMadeAt,
  }) as CandidateFacts

it.each([
  [[one(null), one(null)], '2 on the list. Nobody has a password yet.'],
  [[one('sent', MADE), one(null)], '2 on the list. One has no password yet.'],
  [[one('queued'), one('queued')], '2 on the list. Two passwords are on their way.'],
  [[one('queued'), one('sent', MADE)], '2 on the list. One password is on its way.'],
  [[one('sent', MADE), one(null, MADE)], '2 on the list. Each has a password.'],
  [[one('failed'), one('queued')], '2 on the list. One mail was refused.'],
])('the finding over the list is what matters most', (listed, headline) => {
  expect(headlineOf(listed)).toBe(headline)
})
