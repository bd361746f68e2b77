import { expect, it } from 'vitest'
import type { CandidateFacts } from '../contract.ts'
import { headlineOf, needsNewSlip, needsNewTime } from './candidate-states.ts'

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
])('the headline over the candidate list shows what matters most', (listed, headline) => {
  expect(headlineOf(listed)).toBe(headline)
})

it('candidates with an outdated time are counted until a new mail cannot help any more', () => {
  const told = { ...one('sent', MADE), email: 'a@x.pt', attempt: 'none', isToldOtherwise: true }
  const listed = (more: object) => [{ ...told, ...more } as CandidateFacts]
  expect(headlineOf(listed({}))).toBe('1 on the list. One was told another time.')
  const cases = [{}, { isToldOtherwise: false }, { attempt: 'inside' }, { isRevoked: true }]
  const needs = cases.map((more) => listed(more).every(needsNewTime))
  expect(needs).toEqual([true, false, false, false])
})

it('a candidate with an outdated printed sheet needs a new sheet, not a mail', () => {
  const paper = { ...one(null, MADE), email: 'a@x.pt', attempt: 'none', isToldOtherwise: true }
  const told = paper as CandidateFacts
  expect([needsNewSlip(told), needsNewTime(told)]).toEqual([true, false])
  expect(headlineOf([told])).toBe('1 on the list. One was told another time.')
})
