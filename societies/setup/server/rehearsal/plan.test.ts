import { describe, expect, it } from 'vitest'
import { planOf, type Step } from './plan.ts'

/** The same numbers each time: a linear congruential generator. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const LASTS_MS = 300_000
const random = seeded(7)
const crowd: Step[][] = Array.from({ length: 1_000 }, () => planOf(random, 20, LASTS_MS))
const shareOf = (is: (plan: Step[]) => boolean) => crowd.filter(is).length / crowd.length
const has = (act: Step['act']) => (plan: Step[]) => plan.some((step) => step.act === act)

describe('a simulated crowd', () => {
  it.each([
    ['does not come', (plan: Step[]) => plan.length === 0, 0.05],
    ['loses the network', has('lose_network'), 0.14],
    ['comes with a new window', has('reload'), 0.095],
    ['strikes', has('strike'), 0.22],
    ['hands in', has('submit'), 0.855],
  ] as const)('%s now and then', (_, is, share) => {
    expect(Math.abs(shareOf(is) - share)).toBeLessThan(0.04)
  })

  it.each([
    ['put out', 3],
    ['two strikes', 2],
  ] as const)('however small has one who is sure to be: %s', (sure, strikes) => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const plan = planOf(seeded(seed), 20, LASTS_MS, sure)
      expect(plan.filter(({ act }) => act === 'strike')).toHaveLength(strikes)
    }
    expect(has('lose_network')(planOf(seeded(3), 20, LASTS_MS, 'loses the network'))).toBe(true)
  })

  it('takes its steps in order, within its time, each question at least once', () => {
    for (const plan of crowd.filter(({ length }) => length > 0)) {
      const times = plan.map(({ atMs }) => atMs)
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect([plan[0]?.act, plan[1]?.act]).toEqual(['come', 'start'])
      const asked = new Set(plan.flatMap((step) => (step.act === 'answer' ? [step.index] : [])))
      expect(asked.size).toBe(20)
      if (has('submit')(plan)) {
        expect(plan.at(-1)?.act).toBe('submit')
        expect(times.at(-1)).toBeLessThan(LASTS_MS)
      }
    }
  })
})
