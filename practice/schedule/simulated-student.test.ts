import { describe, expect, it } from 'vitest'
import { dayAfter } from '../../platform/local-day.ts'
import { answerCard, type Card, exactly, hash, retrievability } from './schedule.ts'

// A student whose memory is the schedule's own: 60 % of first answers right, a quarter of what is forgotten
// guessed. The figures are those that the plan tells people (plan.ts) and docs/performance.md explains.

const BANK = 1_040
const START = '2026-03-02'

/** What a student who answers so many a day has seen, and on an average knows, after some days. */
function practise(options: { days: number; aDay: number; share: number; seed: string }) {
  const cards: Card[] = []
  let drawn = 0
  const chance = () => {
    drawn += 1
    return hash(`${options.seed} ${drawn}`) / 2 ** 32
  }
  let lastDue = 0
  for (let number = 0; number < options.days; number += 1) {
    const day = dayAfter(START, number)
    const fact = (isRight: boolean) => ({
      day,
      isRight,
      isGuess: false,
      tookMs: null,
      usualMs: null,
    })
    const due = cards
      .map((card, index) => ({ index, known: retrievability(card, day), isDue: card.due <= day }))
      .filter(({ isDue }) => isDue)
      .sort((a, b) => a.known - b.known)
    lastDue = due.length
    const reviewed = due.slice(0, Math.round(options.aDay * options.share))
    for (const { index, known } of reviewed) {
      const isRight = chance() < known + (1 - known) / 4
      cards[index] = answerCard(cards[index] as Card, fact(isRight), exactly)
    }
    const fresh = Math.min(options.aDay - reviewed.length, BANK - cards.length)
    for (let one = 0; one < fresh; one += 1) {
      cards.push(answerCard(null, fact(chance() < 0.6), exactly))
    }
  }
  const end = dayAfter(START, options.days)
  const known = cards.reduce((sum, card) => sum + retrievability(card, end), 0)
  return { seen: cards.length, known, due: lastDue }
}

/** The mean of some students. */
function students(options: { days: number; aDay: number; share: number }) {
  const all = Array.from({ length: 8 }, (_, seed) =>
    practise({ ...options, seed: `student ${seed}` }),
  )
  const mean = (what: 'seen' | 'known' | 'due') =>
    all.reduce((sum, one) => sum + one[what], 0) / all.length
  return { seen: mean('seen'), known: mean('known'), due: mean('due') }
}

describe('a simulated student with twenty questions a day', () => {
  it.each([
    [0.7, 14, 119, 109],
    [0.7, 30, 214, 195],
    [0.7, 60, 395, 349],
    [1, 14, 110, 101],
    [1, 30, 174, 165],
    [1, 60, 292, 275],
  ])(
    'with %f of the day for due questions has after %i days seen %i and knows %i',
    (share, days, seen, known) => {
      const reached = students({ days, aDay: 20, share })
      expect(Math.abs(reached.seen / seen - 1)).toBeLessThan(0.05)
      expect(Math.abs(reached.known / known - 1)).toBeLessThan(0.05)
    },
  )
})
