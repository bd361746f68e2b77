import { describe, expect, it } from 'vitest'
import { CATEGORIES, listCells } from '../categories.ts'
import { type Drawable, drawCase, drawPrompts, drawTest } from './draw.ts'

/** Each cell has ten questions, two on each of five topics. */
const BANK: Drawable[] = listCells().flatMap(({ category, difficulty }, cell) =>
  Array.from({ length: 10 }, (_, index) => ({
    ...{ id: cell * 100 + index, category, difficulty },
    ...{ topic: `topic-${index % 5}`, isKnown: false },
  })),
)
const byId = new Map(BANK.map((one) => [one.id, one]))
const drawnOf = (ids: number[]) => ids.map((id) => byId.get(id) as Drawable)

describe('the test of a mock superday session', () => {
  it('has twenty questions, four of each category: one easy, two medium, one hard', () => {
    const drawn = drawnOf(drawTest(BANK, 7))
    expect(new Set(drawn.map(({ id }) => id)).size).toBe(20)
    for (const category of CATEGORIES) {
      const own = drawn.filter((one) => one.category === category)
      const difficulties = own.map(({ difficulty }) => difficulty).sort()
      expect(difficulties).toEqual(
        category === 'Mental Agility & Problem Solving'
          ? Array.from({ length: 4 }, () => 'Discover Finance')
          : ['Analyst', 'Discover Finance', 'Intern', 'Intern'],
      )
      expect(new Set(own.map(({ topic }) => topic)).size).toBe(4)
    }
  })

  it('is the same for one seed in any order of the bank, and different for another seed', () => {
    expect(drawTest([...BANK].reverse(), 7)).toEqual(drawTest(BANK, 7))
    expect(drawTest(BANK, 8)).not.toEqual(drawTest(BANK, 7))
  })

  it('asks unseen questions first and is shorter when there are fewer questions', () => {
    const known = BANK.map((one) => ({ ...one, isKnown: one.id % 10 < 6 }))
    expect(drawTest(known, 3).every((id) => id % 10 >= 6)).toBe(true)
    expect(drawTest(BANK.slice(0, 3), 3)).toHaveLength(1)
    expect(drawTest([], 3)).toEqual([])
  })
})

describe('the case of a mock superday session', () => {
  it.each<[string, (string | null)[], string | null]>([
    ['the first never finished', ['2026-01-01', null, null], 'b'],
    ['the one finished longest ago', ['2026-01-02', '2026-01-01', '2026-01-03'], 'b'],
    ['none where there is none', [], null],
  ])('is %s', (_, finished, expected) => {
    const cases = finished.map((finishedAt, n) => ({ slug: 'abc'[n] as string, finishedAt }))
    expect(drawCase(cases)).toBe(expected)
  })
})

describe('the spoken questions of a mock superday session', () => {
  const prompt = (slug: string, kind: 'technical' | 'deal' | 'market' | 'behavioral') => ({
    ...{ slug, kind, answeredOn: null as string | null },
  })
  const prompts = [
    prompt('t1', 'technical'),
    prompt('t2', 'technical'),
    prompt('d1', 'deal'),
    prompt('m1', 'market'),
    prompt('b1', 'behavioral'),
  ]

  it('are one technical, one on a deal or a market, and one behavioral', () => {
    const drawn = drawPrompts(prompts, 4, null)
    expect(drawn.map((slug) => slug[0])).toEqual(['t', expect.stringMatching(/[dm]/), 'b'])
    const seconds = Array.from({ length: 20 }, (_, seed) => drawPrompts(prompts, seed, null)[1])
    expect(new Set(seconds)).toEqual(new Set(['d1', 'm1']))
  })

  it('are unanswered ones, or else those answered longest ago', () => {
    const answered = (days: Record<string, string>) =>
      prompts.map((one) => ({ ...one, answeredOn: days[one.slug] ?? null }))
    expect(drawPrompts(answered({ t1: '2026-01-01', d1: '2026-01-01' }), 1, null)).toEqual([
      't2',
      'm1',
      'b1',
    ])
    const all = { t1: '2026-01-02', t2: '2026-01-01', d1: '2026-01-01', m1: '2026-01-02' }
    expect(drawPrompts(answered(all), 1, null)).toEqual(['t2', 'd1', 'b1'])
  })

  it("fit the plan's role", () => {
    const why = [
      prompt('why-investment-banking', 'behavioral'),
      prompt('why-asset-management', 'behavioral'),
    ]
    const drawn = Array.from({ length: 20 }, (_, seed) =>
      drawPrompts(why, seed, 'investment-banking'),
    )
    expect(new Set(drawn.flat())).toEqual(new Set(['why-investment-banking']))
    expect(drawPrompts(why, 1, 'quant')).toEqual([])
  })
})
