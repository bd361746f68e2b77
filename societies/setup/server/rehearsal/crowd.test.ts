import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../tests/rig/answered.ts'
import { planOf } from './crowd.ts'

const LASTS_MS = 300_000
const random = seededRandom(7)
const crowd = Array.from({ length: 1_000 }, () => planOf(random, 20, LASTS_MS))

describe('a simulated crowd', () => {
  it.each([
    ['put out', 'strike', 3],
    ['two strikes', 'strike', 2],
    ['loses the network', 'lose_network', 1],
  ] as const)('of any size includes one candidate with each event: %s', (sure, act, times) => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const plan = planOf(seededRandom(seed), 20, LASTS_MS, sure)
      expect(plan.filter((step) => step.act === act)).toHaveLength(times)
    }
  })

  it('takes its steps in order and on time, and answers each question at least once', () => {
    for (const plan of crowd.filter(({ length }) => length > 0)) {
      const times = plan.map(({ atMs }) => atMs)
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect([plan[0]?.act, plan[1]?.act]).toEqual(['come', 'start'])
      const asked = new Set(plan.flatMap((step) => (step.act === 'answer' ? [step.index] : [])))
      expect(asked.size).toBe(20)
      if (plan.some(({ act }) => act === 'submit')) {
        expect(plan.at(-1)?.act).toBe('submit')
        expect(times.at(-1)).toBeLessThan(LASTS_MS)
      }
    }
  })
})
