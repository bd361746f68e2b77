import { describe, expect, it } from 'vitest'
import {
  agreement,
  keyCheckHeadline,
  leftToCheck,
  unansweredWords,
  verdictOf,
  wordsOf,
} from './key-check.ts'

const choicesOf = (text: string) =>
  text.split(' ').flatMap((one) => {
    const [name, choice] = one.split(':')
    return name && choice ? [{ who: name, name, choice: choice as 'A' | 'B' }] : []
  })

/** 'ana:B ben:B', about a key B. */
const of = (text: string, writer: string | null = null) => verdictOf('B', choicesOf(text), writer)
const say = (text: string, writer: string | null = null) =>
  wordsOf(of(text, writer), 'B', choicesOf(text))

describe('the verdict on a key that says B', () => {
  it.each([
    ['', 'unchecked', '–', 'Not checked'],
    ['ana:B', 'unchecked', '1 of 1', 'One more is needed'],
    ['ana:B ben:B', 'confirmed', '2 of 2', 'Confirmed'],
    // Whoever disagrees makes it disputed.
    ['ana:A', 'disputed', '0 of 1', 'Disputed: ana chose A, the key is B'],
    ['ana:B ben:A', 'disputed', '1 of 2', 'Disputed: ben chose A, the key is B'],
    ['ana:A ben:C', 'disputed', '0 of 2', 'Disputed: ana chose A, ben chose C, the key is B'],
    ['ana:B ben:B cem:A', 'disputed', '2 of 3', 'Disputed: cem chose A, the key is B'],
  ])('%j: %s, %s, %s', (choices, state, agree, words) => {
    const verdict = of(choices)
    expect([verdict.state, agreement(verdict), say(choices)]).toEqual([state, agree, words])
  })

  it('counts one person once, with what was chosen last', () => {
    expect(of('ana:B ana:B')).toMatchObject({ state: 'unchecked', agree: 1, of: 1 })
    expect(of('ana:A ana:B ben:B')).toMatchObject({ state: 'confirmed', agree: 2, of: 2 })
  })

  it('says when its writer alone has answered', () => {
    expect(say('ana:B', 'ana')).toBe('Checked by its writer alone')
    expect(say('ana:B', 'ben')).toBe('One more is needed')
    expect(of('ana:B ben:B', 'ana')).toMatchObject({ state: 'confirmed', isByWriterAlone: false })
    expect(of('ana:B ben:A', 'ana')).toMatchObject({ state: 'disputed', isByWriterAlone: false })
    expect(say('ana:B ben:A', 'ana')).toBe('Disputed: ben chose A, the key is B')
  })
})

describe('a key that an owner upholds', () => {
  const upheld = (text: string, overruled: string) =>
    verdictOf(
      'B',
      choicesOf(text).map((one) => ({ ...one, isOverruled: overruled.includes(one.who) })),
    )

  it.each([
    ['ana:B ben:A', 'ben', 'upheld', 'Upheld by an owner'],
    ['ana:A', 'ana', 'upheld', 'Upheld by an owner'],
    ['ana:B ben:A cem:C', 'ben cem', 'upheld', 'Upheld by an owner'],
    // Who answers otherwise afterwards disputes it anew.
    ['ana:B ben:A cem:C', 'ben', 'disputed', 'Disputed: ben chose A, cem chose C, the key is B'],
    // Nothing was overruled where nobody chose otherwise.
    ['ana:B ben:B', 'ben', 'confirmed', 'Confirmed'],
  ])('%j, overruling %s: %s', (choices, overruled, state, words) => {
    const verdict = upheld(choices, overruled)
    expect([verdict.state, wordsOf(verdict, 'B', choicesOf(choices))]).toEqual([state, words])
  })

  it('counts as confirmed in the headline, which says by whom', () => {
    const [one, good, open] = [upheld('a:B b:A', 'b'), of('a:B b:B'), of('a:B')]
    expect(keyCheckHeadline([good, one])).toBe('All 2 keys are confirmed, one by an owner')
    expect(keyCheckHeadline([one])).toBe('The key is confirmed by an owner')
    expect(keyCheckHeadline([one, open])).toBe('1 of 2 keys are confirmed, one is not')
  })
})

it('the headline is the finding', () => {
  const [none, one, good, bad] = ['', 'a:B', 'a:B b:B', 'a:A b:A'].map((text) => of(text))
  const headline = (...verdicts: (typeof none)[]) =>
    keyCheckHeadline(verdicts.flatMap((verdict) => verdict ?? []))
  expect(headline()).toBe('There is no question to check yet')
  expect(headline(none, none)).toBe('Nobody has checked the keys yet')
  expect(headline(one, none)).toBe('Every key needs a second person')
  expect(headline(good, one, none)).toBe('1 of 3 keys are confirmed, 2 are not')
  expect(headline(good, good, one)).toBe('2 of 3 keys are confirmed, one is not')
  expect(headline(good, bad)).toBe('One key is disputed')
  expect(headline(bad, bad, none)).toBe('Two keys are disputed')
  expect(headline(good, good)).toBe('All 2 keys are confirmed')
})

it('what was left out is left, and is asked about before the end', () => {
  expect([leftToCheck(19), leftToCheck(1)]).toEqual([
    'Check the 19 that are left',
    'Check the one that is left',
  ])
  expect([unansweredWords(19), unansweredWords(1)]).toEqual([
    '19 are not answered. Finish all the same?',
    'One is not answered. Finish all the same?',
  ])
})
