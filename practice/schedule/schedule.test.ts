import { type Grade, Rating } from 'ts-fsrs'
import { describe, expect, it } from 'vitest'
import { dayAfter, daysBetween } from '../../platform/local-day.ts'
import {
  type AnswerFact,
  answerCard,
  type Card,
  cardOf,
  exactly,
  LONGEST_DAYS,
  mostMissed,
  rateCard,
  ratingOf,
  retrievability,
  spreadOf,
  standingOf,
  stepsOf,
} from './schedule.ts'

const START = '2026-03-02'
const fact = (day: string, change: Partial<AnswerFact> = {}): AnswerFact => ({
  day,
  isRight: true,
  isGuess: false,
  tookMs: 10_000,
  usualMs: 12_000,
  ...change,
})
const AGAIN = { isRight: false }
/** This is rated Easy only after two right answers. */
const EASY = { tookMs: 5_000 }

describe('the intervals of a question answered on each due day', () => {
  const { Again, Hard, Good, Easy } = Rating
  it.each<[string, Grade[], number[]]>([
    // Without the 180-day maximum, the intervals would be 3, 14, 57, 196 and 586.
    ['Good five times', [Good, Good, Good, Good, Good], [3, 14, 57, 180, 180]],
    ['Again, then Good four times', [Again, Good, Good, Good, Good], [1, 3, 8, 22, 54]],
    ['Hard, then Good twice', [Hard, Good, Good], [2, 7, 23]],
    ['Easy, then Good twice', [Easy, Good, Good], [8, 39, 153]],
    ['forgotten once', [Good, Good, Again, Good, Good], [3, 14, 2, 5, 13]],
  ])('are right for the ratings %s', (_, ratings, days) => {
    let card: Card | null = null
    const intervals = ratings.map((rating) => {
      const day: string = card?.due ?? START
      card = { lapses: 0, rightInRow: 0, ...rateCard(card, day, rating, exactly) }
      return daysBetween(day, card.due)
    })
    expect(intervals).toEqual(days)
  })

  it('are at least one day and at most 180', () => {
    let card: Card | null = null
    for (let time = 0; time < 12; time += 1) {
      const day: string = card?.due ?? START
      card = answerCard(card, fact(day, time > 2 ? EASY : {}), spreadOf(`someone ${time}`))
      expect(daysBetween(day, card.due)).toBeLessThanOrEqual(LONGEST_DAYS)
      expect(daysBetween(day, card.due)).toBeGreaterThanOrEqual(1)
    }
  })

  it.each([
    [1, 0.946847],
    [2, 0.909493],
    [5, 0.838861],
    [10, 0.774367],
    [30, 0.667526],
  ])('%i days after one right answer the chance to know it is %f', (days, known) => {
    const card = cardOf([fact(START)], exactly) as Card
    expect(retrievability(card, dayAfter(START, days))).toBeCloseTo(known, 6)
  })
})

describe('the rating of an answer', () => {
  const known = { rightInRow: 2 }
  it.each<[string, Partial<AnswerFact>, { rightInRow: number } | null, Rating]>([
    ['wrong', { isRight: false }, known, Rating.Again],
    ['right, but guessed', { isGuess: true }, known, Rating.Again],
    ['right the first time, but guessed', { isGuess: true }, null, Rating.Again],
    ['right the first time, even if slow', { tookMs: 90_000 }, null, Rating.Good],
    ['right the first time, even if quick', { tookMs: 1_000 }, null, Rating.Good],
    ['right in more than twice the usual time', { tookMs: 24_001 }, known, Rating.Hard],
    ['right in twice the usual time', { tookMs: 24_000 }, known, Rating.Good],
    ['slow, but not over 20 s', { tookMs: 20_000, usualMs: 4_000 }, known, Rating.Good],
    ['right in the usual time', { tookMs: 12_000 }, known, Rating.Good],
    ['quick, after two right answers', { tookMs: 5_999 }, known, Rating.Easy],
    ['quick, after only one right answer', { tookMs: 5_999 }, { rightInRow: 1 }, Rating.Good],
    ['half the usual time is not quick', { tookMs: 6_000 }, known, Rating.Good],
    ['right, without a measured time', { tookMs: null }, known, Rating.Good],
    ['right, without a known usual time', { usualMs: null, tookMs: 90_000 }, known, Rating.Good],
  ])('is right for: %s', (_, change, card, rating) => {
    expect(ratingOf(fact(START, change), card)).toBe(rating)
  })
})

describe('a review card', () => {
  it('counts only the first answer of a local day, but every wrong one', () => {
    const first = cardOf([fact(START, AGAIN)], exactly) as Card
    const again = answerCard(first, fact(START), exactly)
    expect(again).toEqual(first)
    expect(answerCard(again, fact(START, AGAIN), exactly)).toEqual({ ...first, lapses: 2 })
  })

  it('is the same when built in one pass or answer by answer from the database', () => {
    const facts = [0, 3, 9, 30, 34].map((days, index) =>
      fact(dayAfter(START, days), index === 2 ? AGAIN : {}),
    )
    const [first, ...rest] = facts as [AnswerFact, ...AnswerFact[]]
    let card = cardOf([first], exactly)
    for (const next of rest) {
      card = answerCard(JSON.parse(JSON.stringify(card)) as Card, next, exactly)
    }
    expect(card).toEqual(cardOf(facts, exactly))
  })

  it('counts right answers in a row until a wrong one or a guess', () => {
    const row = (changes: Partial<AnswerFact>[]) =>
      cardOf(
        changes.map((change, index) => fact(dayAfter(START, index * 4), change)),
        exactly,
      )?.rightInRow
    expect(row([{}, {}, {}])).toBe(3)
    expect(row([{}, AGAIN, {}])).toBe(1)
    expect(row([{}, {}, { isGuess: true }])).toBe(0)
  })

  it('is shifted by person and family, always by the same amount, at most a tenth or a day', () => {
    const spread = (days: number) => spreadOf('f2a1 2001')(days)
    expect([1, 2].map(spread)).toEqual([1, 2])
    expect(spread(14)).toBe(spread(14))
    const many = Array.from({ length: 500 }, (_, index) => spreadOf(`someone ${index}`)(14))
    expect(new Set(many)).toEqual(new Set([13, 14, 15]))
  })
})

const answered = (...answers: [day: number, isRight: boolean][]) =>
  cardOf(
    answers.map(
      ([day, isRight]): AnswerFact => ({
        day: dayAfter(START, day),
        isRight,
        isGuess: false,
        tookMs: null,
        usualMs: null,
      }),
    ),
    exactly,
  )
const on = (day: number) => dayAfter(START, day)

describe('the mastery of a question', () => {
  it.each([
    ['never answered', answered(), 0, 'new'],
    ['right once', answered([0, true]), 0, 'shaky'],
    ['right twice on one day', answered([0, true], [0, true]), 0, 'shaky'],
    ['right on two days, on the second', answered([0, true], [3, true]), 3, 'solid'],
    ['right on two days, a week later', answered([0, true], [3, true]), 10, 'solid'],
    ['right on two days, a month later: it has faded', answered([0, true], [3, true]), 33, 'shaky'],
    ['wrong after two right ones', answered([0, true], [3, true], [9, false]), 9, 'shaky'],
    [
      'wrong, then right on the next two days: it will not last a week',
      answered([0, false], [1, true], [2, true]),
      2,
      'shaky',
    ],
  ] as const)('is right for a question %s', (_, card, day, standing) => {
    expect(standingOf(card, on(day))).toBe(standing)
  })

  it('is not solid after one right answer, even with a high expected memory', () => {
    const card = (rightInRow: number) => ({ rightInRow, stability: 40, lastDay: START })
    expect([1, 2].map((row) => standingOf(card(row), START))).toEqual(['shaky', 'solid'])
  })

  it('drops with time and never rises without an answer', () => {
    const card = answered([0, true], [3, true])
    const days = Array.from({ length: 120 }, (_, day) => standingOf(card, on(3 + day)))
    const falls = days.indexOf('shaky')
    expect(falls).toBeGreaterThan(7)
    expect(days.slice(falls)).not.toContain('solid')
  })
})

describe('the most missed questions', () => {
  const missed = (questionId: number, timesWrong: number, stability = 1) => ({
    questionId,
    timesWrong,
    stability,
  })
  const idsOf = (all: ReturnType<typeof missed>[]) =>
    mostMissed(all).map(({ questionId }) => questionId)

  it('are sorted by misses, ties by id', () => {
    expect(idsOf([missed(5, 1), missed(9, 3), missed(2, 1), missed(7, 2)])).toEqual([9, 7, 2, 5])
  })

  it('are at most ten', () => {
    const all = Array.from({ length: 15 }, (_, index) => missed(index + 1, 1))
    expect(idsOf(all)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('exclude questions never missed and cleared ones', () => {
    expect(idsOf([])).toEqual([])
    expect(idsOf([missed(1, 0), missed(2, 4, 21.01), missed(3, 4, 21)])).toEqual([3])
  })
})

const answer = (card: Card | null, day: string, isRight: boolean) =>
  answerCard(card, { day, isRight, isGuess: false, tookMs: null, usualMs: null }, exactly)

it('the step list has the previous step, the current one, and at most five next ones, shortest first', () => {
  const first = answer(null, START, true)
  expect(stepsOf(null, first, exactly)).toEqual([
    { days: 3, mark: 'here' },
    { days: 14, mark: 'ahead' },
    { days: 57, mark: 'ahead' },
    { days: 180, mark: 'ahead' },
  ])
  const second = answer(first, first.due, true)
  expect(stepsOf(first, second, exactly).slice(0, 3)).toEqual([
    { days: 3, mark: 'was' },
    { days: 14, mark: 'here' },
    { days: 57, mark: 'ahead' },
  ])
  const forgotten = answer(second, second.due, false)
  const steps = stepsOf(second, forgotten, exactly)
  expect(steps.slice(0, 2)).toEqual([
    { days: 2, mark: 'here' },
    { days: 5, mark: 'ahead' },
  ])
  expect(steps.find(({ mark }) => mark === 'was')?.days).toBe(14)
  expect(steps).toHaveLength(5)
})

it('the step list leaves out a previous step that equals the current one', () => {
  const first = answer(null, START, false)
  const again = answer(first, dayAfter(START, 1), false)
  expect(stepsOf(first, again, exactly).filter(({ mark }) => mark === 'was')).toEqual([])
})
