import { expect, it } from 'vitest'
import type { AnalyzedQuestion } from '../../contract-analysis.ts'
import {
  type Analysis,
  endWords,
  headlineOf,
  lengthWords,
  noticeOf,
  paceWords,
  reliabilityWords,
  sentenceOf,
  wholePointsApart,
} from './analysis-words.ts'

const question = (item: number, more: Partial<AnalyzedQuestion> = {}): AnalyzedQuestion => ({
  ...{ item, question: `Stem ${item}?`, key: 'A', keys: ['A'], topic: null },
  ...{ options: { A: 'a', B: 'b', C: 'c', D: 'd' }, isVoid: false, isFullMarks: false },
  ...{ rulings: 0, proposals: 0, kept: null, right: 30, of: 60, interval: null },
  ...{ discrimination: null, rows: [], topCount: null, flags: [], medianMs: null, timed: 0 },
  ...more,
})
const SUSPICIOUS: Partial<AnalyzedQuestion> = { flags: [{ kind: 'key-suspicious', option: 2 }] }
const KEPT = { by: 'Ana', at: '2026-11-26T18:24:00.000Z', reason: 'Worked out.' }

const analysis = (people: number, questions: AnalyzedQuestion[], more: Partial<Analysis> = {}) => ({
  ...{
    people,
    openCount: 0,
    underReview: 0,
    forms: [],
    form: null,
    questionCount: questions.length,
  },
  ...{ reliability: null, pace: null, outOfTime: null, timed: 0, questions },
  ruling: 'rule' as const,
  ...more,
})

it.each([
  [0, [], 'No one has finished yet', 'The figures appear when the first candidate has finished.'],
  [
    22,
    [question(1)],
    '22 candidates: counts only',
    'n = 22, too few to say how good the test or a question is. You need at least 30 candidates.',
  ],
  [
    60,
    [question(1), question(2, SUSPICIOUS)],
    'Question 2 probably has the wrong key',
    'Another option fits the rest of the test better than the key, and a third of the top candidates chose it. The other question works.',
  ],
  [
    60,
    [question(1), question(2, { ...SUSPICIOUS, proposals: 1 })],
    'Question 2 probably has the wrong key',
    'top candidates chose it. A ruling has been proposed and is waiting for an owner. The other question works.',
  ],
  [
    60,
    [question(1, SUSPICIOUS), question(2, SUSPICIOUS), question(3)],
    'Questions 1 and 2 probably have the wrong key',
    'Another option fits the rest of the test better than the key',
  ],
  [
    60,
    [question(1, { ...SUSPICIOUS, kept: KEPT }), question(2, { ...SUSPICIOUS, rulings: 1 })],
    'No question stands out',
    'No key looks wrong',
  ],
  [
    60,
    [question(1, { flags: [{ kind: 'left-blank', share: 0.2 }] })],
    'One question deserves a look',
    'No key looks wrong.',
  ],
])('the finding is right for %i candidates', (people, questions, headline, sentence) => {
  const found = analysis(people, questions)
  expect(headlineOf(found)).toBe(headline)
  expect(sentenceOf(found)).toContain(sentence)
  expect(sentenceOf({ ...found, underReview: 1 })).toMatch(/1 candidate is under review and not/)
  expect(sentenceOf({ ...found, openCount: 4 })).toMatch(
    / 4 candidates are still taking the test and not included in these figures\.$/,
  )
})

it('a notice shows a decision before the finding', () => {
  expect(noticeOf(question(1, { ...SUSPICIOUS, rulings: 1, keys: ['C'] }))).toBe('ruled: C')
  expect(noticeOf(question(1, { ...SUSPICIOUS, kept: KEPT }))).toBe('key confirmed')
  expect(noticeOf(question(1, { isVoid: true, rulings: 1 }))).toBe('left out')
  expect(noticeOf(question(1, { ...SUSPICIOUS, proposals: 1 }))).toBe(
    'a ruling is proposed; key is probably C',
  )
})

it('the sentence about times says who rushed and whether the test was too long, or nothing without times', () => {
  const of = (more: Partial<Analysis>) => analysis(60, [question(1)], more)
  expect(paceWords(of({}))).toBeNull()
  const pace = { notSerious: 2, without: 0.7812 }
  expect(paceWords(of({ pace, timed: 58 }))).toBe(
    '2 candidates answered too many questions faster than anyone can read, or never reached them. Without these, KR-20 is .78. Times are known for 58 candidates.',
  )
  const ends = { missedEnd: 0.02, missedLast: 0.13, isTooLong: false }
  expect(endWords(of({ outOfTime: ends }))).toBe(
    '13% ran out of time before the last question. Allow more time, too.',
  )
  expect(endWords(of({ outOfTime: { ...ends, missedEnd: 0.12, isTooLong: true } }))).toContain(
    'and 12% before the last fifth. The test is too long for its time limit.',
  )
})

it.each([
  [-0.2, 'Do not rank', 'Do not rank individuals by this test.'],
  [0.49, 'Do not rank', 'Do not rank individuals by this test.'],
  [0.5, 'Weak', 'It separates the best from the weakest candidates, but little in between.'],
  [0.65, 'Fair', 'It separates groups, but not candidates with similar scores.'],
  [0.8, 'Good', 'It is precise enough to choose whom to invite.'],
])('a reliability of %f is %s', (alpha, ...words) => {
  expect(reliabilityWords(alpha)).toEqual(words)
})

it('the error and the length of a test are whole points and questions', () => {
  // The differences are 1.96·√2·SEM: 6.07, 5.27 and 2.77.
  expect([2.19, 1.9, 1, 0.2].map(wholePointsApart)).toEqual([7, 6, 3, 1])
  expect(lengthWords(24, 0.75)).toEqual(['32 questions', '8 more of the same kind.'])
  expect(lengthWords(24, 0.9)[1]).toBe('The test reaches .80 with its current questions.')
  expect(lengthWords(24, 0)[1]).toBe('More questions of the same kind would not help.')
})

const rare = [2, 3].map((option) => ({ kind: 'not-working', option: option as 2 | 3 }) as const)
it.each<[string, AnalyzedQuestion['flags']]>([
  ['key is probably C', [{ kind: 'key-suspicious', option: 2 }, { kind: 'negative' }, ...rare]],
  ['C attracts strong candidates', [{ kind: 'attracts-the-good', option: 2 }, ...rare]],
  ['stronger candidates got it wrong: check the key first', [{ kind: 'negative' }]],
  ['13% left it blank', [{ kind: 'left-blank', share: 0.129 }, { kind: 'too-hard' }]],
  ['very hard', [{ kind: 'too-hard' }]],
  ['very easy; C, D rarely chosen', [{ kind: 'too-easy' }, ...rare]],
  ['', []],
])('the flags read "%s", most urgent first', (words, flags) => {
  expect(noticeOf(question(1, { flags }))).toBe(words)
})
