import { describe, expect, it } from 'vitest'
import { answered, seededRandom } from '../../../tests/rig/answered.ts'
import { analyse } from './analysis.ts'
import type { Choice } from './responses.ts'

const example = answered(
  'BACDABCA',
  'BACDABCA BACDABCB BACDABDB BACDCBCB BACAABCB BACDABAB BADDACCA BACBABDB BBCDDACA BACACDBA BDCBBAAA BCBACCDA',
)

describe('the analysis of a form', () => {
  it('has the value of each formula', () => {
    const analysis = analyse(example)
    expect(analysis?.reliability?.kr20).toBeCloseTo(0.447205, 6)
    expect(analysis?.reliability?.error).toBeCloseTo(1.241421, 6)
    const last = analysis?.items[7]
    expect(last?.difficulty).toMatchObject({ right: 6, of: 12 })
    expect(last?.discrimination).toBeCloseTo(-0.626099, 6)
    expect(last?.discriminationInterval?.high).toBeCloseTo(
      Math.tanh(Math.atanh(-0.626099) + 1.96 / 3),
      5,
    )
    expect(last?.flags[0]).toEqual({ kind: 'key-suspicious', option: 1 })
    expect(analysis?.items[0]).toMatchObject({ discrimination: null, discriminationInterval: null })
  })

  it('leaves out void items and keeps the other numbers', () => {
    const analysis = analyse({ ...example, voidItems: [2] })
    expect(analysis?.items.map(({ item }) => item)).toEqual([0, 1, 3, 4, 5, 6, 7])
    expect(analysis?.items[6]?.options.item).toBe(7)
  })

  it('is empty without candidates, and limited for one', () => {
    expect(analyse({ ...example, choices: [] })).toBeNull()
    expect(analyse({ ...example, choices: example.choices.slice(0, 1) })).toMatchObject({
      reliability: null,
    })
  })
})

describe('the computing time of the statistics', { tags: ['full'] }, () => {
  // Limits for a busy machine; docs/statistics.md has what was measured on a quiet one.
  it('is short for two thousand candidates and forty items', () => {
    const responses = drawn(2_000, 40)
    expect(timeMs(() => analyse(responses))).toBeLessThan(200)
  })
})

/** The best of five: others work on the machine, too. */
function timeMs(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return Math.min(...times)
}

function drawn(people: number, items: number) {
  const random = seededRandom(people)
  const drawChoice = (): Choice | null => {
    const at = Math.floor(random() * 9)
    return at === 8 ? null : at < 5 ? 0 : ((at - 4) as Choice)
  }
  return {
    keys: Array.from({ length: items }, (): Choice[] => [0]),
    choices: Array.from({ length: people }, () => Array.from({ length: items }, drawChoice)),
  }
}
