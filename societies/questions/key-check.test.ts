import { describe, expect, it } from 'vitest'
import { agreement, keyCheckHeadline, verdictOf, wordsOf } from './key-check.ts'

/** 'ana:B ben:B', about a key B. */
const of = (text: string, writer: string | null = null) =>
  verdictOf(
    'B',
    text.split(' ').flatMap((one) => {
      const [who, choice] = one.split(':')
      return who && choice ? [{ who, choice: choice as 'A' | 'B' }] : []
    }),
    writer,
  )

describe('the verdict on a key that says B', () => {
  it.each([
    ['', 'unchecked', '–', 'Not checked'],
    ['ana:B', 'unchecked', '1 of 1', 'One more is needed'],
    ['ana:A', 'unchecked', '0 of 1', 'Undecided'],
    ['ana:B ben:B', 'confirmed', '2 of 2', 'Confirmed'],
    ['ana:B ben:A', 'unchecked', '1 of 2', 'Undecided'],
    ['ana:A ben:A', 'disputed', '0 of 2', 'Disputed'],
    ['ana:A ben:C', 'disputed', '0 of 2', 'Disputed'],
    ['ana:B ben:A cem:A', 'disputed', '1 of 3', 'Disputed'],
    ['ana:B ben:B cem:A', 'confirmed', '2 of 3', 'Confirmed'],
    ['ana:B ben:B cem:A dan:A', 'unchecked', '2 of 4', 'Undecided'],
    // One person counts once, with what was chosen last.
    ['ana:B ana:B', 'unchecked', '1 of 1', 'One more is needed'],
    ['ana:A ana:B ben:B', 'confirmed', '2 of 2', 'Confirmed'],
  ])('%j: %s, %s', (choices, state, agree, words) => {
    const verdict = of(choices)
    expect([verdict.state, agreement(verdict), wordsOf(verdict)]).toEqual([state, agree, words])
  })

  it('says when its writer alone agrees', () => {
    expect(wordsOf(of('ana:B', 'ana'))).toBe('Checked by its writer alone')
    expect(wordsOf(of('ana:B', 'ben'))).toBe('One more is needed')
    expect(of('ana:B ben:B', 'ana')).toMatchObject({ state: 'confirmed', isByWriterAlone: false })
  })
})

it('the headline is the finding', () => {
  const [none, one, good, bad] = ['', 'a:B', 'a:B b:B', 'a:A b:A'].map((text) => of(text))
  const say = (...verdicts: (typeof none)[]) =>
    keyCheckHeadline(verdicts.flatMap((verdict) => verdict ?? []))
  expect(say()).toBe('There is no question to check yet')
  expect(say(none, none)).toBe('Nobody has checked the keys yet')
  expect(say(one, none)).toBe('Every key needs a second person')
  expect(say(good, one, none)).toBe('1 of 3 keys are confirmed, 2 are not')
  expect(say(good, good, one)).toBe('2 of 3 keys are confirmed, one is not')
  expect(say(good, bad)).toBe('One key is disputed')
  expect(say(bad, bad, none)).toBe('Two keys are disputed')
  expect(say(good, good)).toBe('All 2 keys are confirmed')
})
