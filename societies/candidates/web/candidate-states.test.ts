import { expect, it } from 'vitest'
import type { CandidateFacts } from '../contract.ts'
import { headlineOf, needsNewSlip, needsNewTime } from './candidate-states.ts'

const MADE = '2026-03-01T09:00:00.000Z'

/** A candidate with the fields that the headline uses. */
const one = (state: 'queued' | 'sent' | 'failed' | null, passwordMadeAt: string | null = null) =>
  ({
    mail: state && { state, address: 'a@x.pt', at: MADE, error: null },
    passwordMadeAt,
  }) as CandidateFacts

it.each([
  [[one(null), one(null)], '2 on the list. No candidate has a password yet.'],
  [[one('sent', MADE), one(null)], '2 on the list. One has no password yet.'],
  [[one('queued'), one('queued')], '2 on the list. Two passwords are on their way.'],
  [[one('queued'), one('sent', MADE)], '2 on the list. One password is on its way.'],
  [[one('sent', MADE), one(null, MADE)], '2 on the list. Each has a password.'],
  [[one('failed'), one('queued')], '2 on the list. One email was refused.'],
])('the headline over the candidate list shows what matters most', (listed, headline) => {
  expect(headlineOf(listed)).toBe(headline)
})

it.each([
  ['a mail', {}, [true, false]],
  ['an email with the right time', { isToldOtherwise: false }, [false, false]],
  ['an email, and started', { attempt: 'inside' }, [false, false]],
  ['an email, and is shut out', { isRevoked: true }, [false, false]],
  ['a printed sheet', { mail: null }, [false, true]],
])(
  'a candidate who was told a different time by %s needs a new email or sheet',
  (_, more, needs) => {
    const told = { ...one('sent', MADE), email: 'a@x.pt', attempt: 'none', isToldOtherwise: true }
    const candidate = { ...told, ...more } as CandidateFacts
    expect([needsNewTime(candidate), needsNewSlip(candidate)]).toEqual(needs)
    const isMisled = headlineOf([candidate]) === '1 on the list. One was told a different time.'
    expect(isMisled).toBe(needs.includes(true))
  },
)
