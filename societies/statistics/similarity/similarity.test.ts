import { describe, expect, it } from 'vitest'
import { atLeast } from '../distributions/poisson-binomial.ts'
import { seededRandom } from '../distributions/seeded-random.ts'
import { variance } from '../moments.ts'
import type { Choice, Responses } from '../responses.ts'
import {
  bothAlike,
  errorSimilarityTail,
  gbtTail,
  kIndexTail,
  matchProbability,
  wollackOmega,
} from './agreement.ts'
import {
  compareAllPairs,
  compareNamedPair,
  linkedPairs,
  type PairAgreement,
  similarityModel,
} from './pairs.ts'
import { raschByProx, raschProbability } from './rasch.ts'

const P1 = [0.9, 0.7, 0.6, 0.5, 0.4, 0.3]
const P2 = [0.8, 0.6, 0.5, 0.5, 0.3, 0.2]
const SHARES = [
  [0.5, 0.3, 0.2],
  [0.6, 0.3, 0.1],
  [0.4, 0.4, 0.2],
  [0.7, 0.2, 0.1],
  [0.34, 0.33, 0.33],
  [0.5, 0.25, 0.25],
]

describe('two people and six items', () => {
  const items = P1.map((p1, at) => ({
    p1,
    p2: P2[at] as number,
    wrongAlike: bothAlike(SHARES[at] as number[]),
  }))

  it('match by chance as they should', () => {
    const expected = [0.7276, 0.4752, 0.372, 0.385, 0.260028, 0.27]
    for (const [at, item] of items.entries()) {
      expect(matchProbability(item)).toBeCloseTo(expected[at] as number, 10)
    }
  })

  it('have the probabilities of the generalised binomial test', () => {
    const tails = [1, 0.970175, 0.805657, 0.485478, 0.185707, 0.039334, 0.003477]
    for (const [identical, tail] of tails.entries()) {
      expect(gbtTail(identical, items)).toBeCloseTo(tail, 6)
    }
  })

  it('have their ω', () => {
    // The source: key, key, d1, d1, d2, d1. The copier: key, d1, d1, d1, d2, d1.
    const ofSource = [0, 0, 1, 1, 2, 1]
    const ofCopier = [0, 1, 1, 1, 2, 1]
    const probabilities = ofSource.map((answer, at) => {
      const p = P1[at] as number
      return answer === 0 ? p : (1 - p) * (SHARES[at]?.[answer - 1] as number)
    })
    const observed = ofSource.filter((answer, at) => answer === ofCopier[at]).length
    expect(observed).toBe(5)
    const { expected, deviation, omega, p } = wollackOmega(observed, probabilities)
    expect(expected).toBeCloseTo(2.658, 10)
    expect(deviation).toBeCloseTo(1.023814, 6)
    expect(omega).toBeCloseTo(2.287524, 6)
    expect(p).toBeCloseTo(0.011083, 6)
  })
})

describe('older indices', () => {
  it.each([
    [8, 0.002538],
    [7, 0.015503],
    [6, 0.063715],
  ])('K: %i of 10 wrong answers shared', (shared, tail) => {
    expect(kIndexTail(shared, 10, 0.32)).toBeCloseTo(tail, 6)
  })

  it('error similarity', () => {
    const alike = [0.38, 0.46, 0.36, 0.54, 0.3334, 0.375, 0.42, 0.5, 0.34]
    expect(errorSimilarityTail(8, alike)).toBeCloseTo(0.004375, 6)
  })
})

describe('PROX', () => {
  it('is its formula', () => {
    const marks = [
      [1, 1, 1, 0],
      [1, 1, 0, 0],
      [1, 0, 1, 1],
      [0, 1, 0, 0],
      [1, 0, 0, 0],
    ] as (0 | 1)[][]
    const t = [3, 2, 3, 1, 1].map((s) => Math.log((s + 0.5) / (4 - s + 0.5)))
    const b = [4, 3, 2, 1].map((c) => -Math.log((c + 0.5) / (5 - c + 0.5)))
    const centre = b.reduce((x, y) => x + y, 0) / 4
    const [u, v] = [variance(b), variance(t)]
    const d = Math.max(0.2, 1 - (u * v) / 8.35)
    const model = raschByProx(marks)
    for (const [at, value] of t.entries()) {
      expect(model.abilities[at]).toBeCloseTo(value * Math.sqrt((1 + u / 2.89) / d), 12)
    }
    for (const [at, value] of b.entries()) {
      const difficulty = (value - centre) * Math.sqrt((1 + v / 2.89) / d)
      expect(model.difficulties[at]).toBeCloseTo(difficulty, 12)
    }
  })

  it('takes what was left blank for nothing said', () => {
    const full = raschByProx([
      [1, 0, 1],
      [0, 1, 0],
      [1, 1, 0],
    ])
    const withBlank = raschByProx([
      [1, 0, 1],
      [0, 1, 0],
      [1, 1, null],
    ])
    // Two of two are better than two of three.
    expect(withBlank.abilities[2]).toBeGreaterThan(full.abilities[2] as number)
    expect(raschByProx([[null], [null]]).abilities).toEqual([0, 0])
  })

  it('gives all right and all wrong an ability, and even odds at the same place', () => {
    const { abilities } = raschByProx([
      [1, 1],
      [0, 0],
    ])
    expect(Number.isFinite(abilities[0])).toBe(true)
    expect(abilities[0]).toBeCloseTo(-(abilities[1] as number), 12)
    expect(raschProbability(0.7, 0.7)).toBe(0.5)
    expect(raschProbability(1, 0)).toBeCloseTo(0.731059, 6)
  })
})

describe('pairs of a group', () => {
  const group = simulated(40, 30, 5)

  it('need thirty people, twenty questions and a reason', () => {
    const named = (people: number, items: number, reason = 'seen whispering') =>
      compareNamedPair(similarityModel(simulated(people, items, 1)), [0, 1], reason)
    expect(named(29, 20)).toEqual({ refused: 'too-few-people' })
    expect(named(30, 19)).toEqual({ refused: 'too-few-items' })
    expect(named(30, 20, '  ')).toEqual({ refused: 'no-reason' })
    expect(named(30, 20)).toHaveProperty('p')
    expect(compareAllPairs(similarityModel(simulated(29, 20, 1)))).toHaveProperty('refused')
    expect(compareAllPairs(similarityModel(simulated(30, 19, 1)))).toHaveProperty('refused')
  })

  it('are the same both ways round', () => {
    const model = similarityModel(group)
    expect(compareNamedPair(model, [7, 3], 'x')).toEqual(compareNamedPair(model, [3, 7], 'x'))
    expect(compareNamedPair(model, [7, 3], 'x')).toMatchObject({ pair: [3, 7] })
  })

  it('of which one copied 70% stand out when they are named', () => {
    const found = agreementIn(copied(group, 3, 7, 21), [3, 7])
    expect(found.standsOut).toBe(true)
    expect(found.p).toBeLessThan(0.01)
    expect(found.identical).toBeGreaterThanOrEqual(21)
    expect(found.expected).toBeLessThan(found.identical - 4)
    expect(found.identicalWrong).toBeGreaterThan(0)
    expect(found.identicalWrong).toBeLessThan(found.identical)
  })

  it('that know nothing of each other do not', () => {
    expect(agreementIn(group, [3, 7]).standsOut).toBe(false)
  })

  it('agree on nothing where both left a question blank', () => {
    const blank = (candidate: number, from: number): Responses => ({
      ...group,
      choices: group.choices.map((row, at) =>
        at === candidate ? row.map((choice, item) => (item < from ? choice : null)) : row,
      ),
    })
    const both = {
      ...blank(3, 20),
      choices: blank(3, 20).choices.with(7, blank(7, 20).choices[7] ?? []),
    }
    const found = agreementIn(both, [3, 7])
    expect(found.answered).toBe(20)
    expect(found.identical).toBe(
      group.choices[3]?.filter((choice, item) => item < 20 && choice === group.choices[7]?.[item])
        .length,
    )
    expect(agreementIn(blank(3, 0), [3, 7])).toMatchObject({ answered: 0, identical: 0, p: 1 })
  })

  it('leave out what counts for nobody or for all', () => {
    const found = agreementIn({ ...group, voidItems: [0, 1], fullMarksItems: [2] }, [3, 7])
    expect(found.answered).toBe(27)
  })

  it('agree less by chance where two options are right', () => {
    const two = { ...group, keys: group.keys.map((keys): Choice[] => [...keys, 1]) }
    const { alike } = similarityModel(two)
    for (const { rightAlike } of alike) expect(rightAlike).toBeLessThan(1)
    for (const { rightAlike } of similarityModel(group).alike) expect(rightAlike).toBe(1)
  })

  it('split wrong answers by how many took each, with half an answer more', () => {
    const wrong = [1, 2, 3].map(
      (option) => group.choices.filter((row) => row[4] === option).length + 0.5,
    )
    const all = wrong.reduce((a, b) => a + b, 0)
    const alike = wrong.reduce((a, b) => a + (b / all) ** 2, 0)
    expect(similarityModel(group).alike[4]?.wrongAlike).toBeCloseTo(alike, 12)
  })

  it('are listed over all only beyond what chance makes of so many', () => {
    const all = compareAllPairs(similarityModel(copied(group, 3, 7, 30)))
    if ('refused' in all) throw new Error(all.refused)
    expect(all.pairs).toBe(780)
    expect(all.limit).toBe(0.05 / 780)
    expect(all.expectedByChance).toBe(0.05)
    expect(all.listed.map(({ pair }) => pair)).toEqual([[3, 7]])
  })

  it('hardly ever accuse the innocent', () => {
    let exams = 0
    for (let seed = 0; seed < 60; seed += 1) {
      const all = compareAllPairs(similarityModel(simulated(30, 30, 100 + seed)))
      if (!('refused' in all) && all.listed.length > 0) exams += 1
    }
    // The limit allows one exam in twenty; simulations of the method find one in hundreds.
    expect(exams).toBeLessThanOrEqual(3)
  })

  it('have as p what the recursion says', () => {
    const model = similarityModel(group)
    const { identical, p } = agreementIn(group, [3, 7])
    const [a = 0, b = 0] = [model.rasch.abilities[3], model.rasch.abilities[7]]
    const matches = model.alike.map(({ wrongAlike }, item) => {
      const difficulty = model.rasch.difficulties[item] as number
      const [p1, p2] = [raschProbability(a, difficulty), raschProbability(b, difficulty)]
      return p1 * p2 + (1 - p1) * (1 - p2) * wrongAlike
    })
    expect(p).toBeCloseTo(atLeast(identical, matches), 14)
  })
})

describe('linked by an address', () => {
  const at = (candidate: number, address: string, fromMs = 0, toMs = 10) => ({
    candidate,
    address,
    fromMs,
    toMs,
  })

  it('are those who share it in the same minutes', () => {
    expect(
      linkedPairs([
        at(2, 'x'),
        at(0, 'x'),
        at(1, 'y'),
        at(3, 'x', 10, 20),
        at(0, 'x', 5, 9),
        at(1, 'z', 0, 5),
        at(4, 'z', 4, 9),
      ]),
    ).toEqual([
      [0, 2],
      [1, 4],
    ])
  })

  it('are not those in a lecture hall', () => {
    const people = (count: number) => Array.from({ length: count }, (_, i) => at(i, 'x'))
    expect(linkedPairs(people(6))).toHaveLength(15)
    expect(linkedPairs(people(7))).toEqual([])
  })
})

/** Key A; wrong answers spread unevenly; abilities by the Rasch model. */
function simulated(people: number, items: number, seed: number): Responses {
  const random = seededRandom(seed)
  const bell = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const difficulties = Array.from({ length: items }, () => bell())
  return {
    keys: difficulties.map((): Choice[] => [0]),
    choices: Array.from({ length: people }, () => {
      const ability = bell()
      return difficulties.map((difficulty): Choice => {
        if (random() < raschProbability(ability, difficulty)) return 0
        const drawn = random()
        return drawn < 0.5 ? 1 : drawn < 0.8 ? 2 : 3
      })
    }),
  }
}

/** One takes the other's answers to the first questions. */
function copied(responses: Responses, copier: number, source: number, items: number): Responses {
  const answers = responses.choices[source] ?? []
  const choices = responses.choices.map((row, candidate) =>
    candidate === copier
      ? row.map((choice, at) => (at < items ? (answers[at] ?? null) : choice))
      : row,
  )
  return { ...responses, choices }
}

function agreementIn(responses: Responses, pair: readonly [number, number]): PairAgreement {
  const found = compareNamedPair(similarityModel(responses), pair, 'somebody saw them whisper')
  if ('refused' in found) throw new Error(found.refused)
  return found
}
