import { expect, it } from 'vitest'
import { dayAfter } from '../../platform/local-day.ts'
import { answerCard, type Card, exactly } from './schedule.ts'
import { stepsOf } from './steps.ts'

const START = '2026-03-02'
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
