import { describe, expect, it } from 'vitest'
import { dayAfter } from '../../platform/local-day.ts'
import { answerCard, type Card, exactly, hash, retrievability } from './schedule.ts'

// The student's memory follows the schedule: 60% of first answers are right, and a quarter of forgotten answers are
// guessed. plan.ts uses these figures, and docs/performance.md explains them.

const BANK = 1_040
const START = '2026-03-02'

const DAYS = [14, 30, 60]

/** Returns the questions seen, and known on average, after each of DAYS. */
function practise(options: { aDay: number; share: number; seed: string }) {
  const cards: Card[] = []
  let drawn = 0
  const chance = () => {
    drawn += 1
    return hash(`${options.seed} ${drawn}`) / 2 ** 32
  }
  const after = new Map<number, { seen: number; known: number }>()
  for (let number = 0; number < 60; number += 1) {
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
    const reviewed = due.slice(0, Math.round(options.aDay * options.share))
    for (const { index, known } of reviewed) {
      const isRight = chance() < known + (1 - known) / 4
      cards[index] = answerCard(cards[index] as Card, fact(isRight), exactly)
    }
    const fresh = Math.min(options.aDay - reviewed.length, BANK - cards.length)
    for (let one = 0; one < fresh; one += 1) {
      cards.push(answerCard(null, fact(chance() < 0.6), exactly))
    }
    if (!DAYS.includes(number + 1)) continue
    const end = dayAfter(START, number + 1)
    const known = cards.reduce((sum, card) => sum + retrievability(card, end), 0)
    after.set(number + 1, { seen: cards.length, known })
  }
  return after
}

function students(options: { aDay: number; share: number }) {
  const all = Array.from({ length: 8 }, (_, seed) =>
    practise({ ...options, seed: `student ${seed}` }),
  )
  return (what: 'seen' | 'known', days: number) =>
    all.reduce((sum, after) => sum + (after.get(days)?.[what] ?? 0), 0) / all.length
}

describe('a simulated student with twenty questions a day', () => {
  it.each([
    [0.7, [119, 214, 395], [109, 195, 349]],
    [1, [110, 174, 292], [101, 165, 275]],
  ])(
    'with a due share of %f has seen %j and knows %j after 14, 30 and 60 days',
    (share, seen, known) => {
      const reached = students({ aDay: 20, share })
      for (const [at, days] of DAYS.entries()) {
        expect(Math.abs(reached('seen', days) / (seen[at] ?? 0) - 1)).toBeLessThan(0.05)
        expect(Math.abs(reached('known', days) / (known[at] ?? 0) - 1)).toBeLessThan(0.05)
      }
    },
  )
})
