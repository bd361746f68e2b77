import { atLeast } from '../distributions/poisson-binomial.ts'
import { CHOICES, type Choice, type Responses } from '../responses.ts'
import { atOnce, type Slices } from '../slices.ts'
import { bothAlike, type MetItem, matchProbability } from './agreement.ts'
import { type RaschModel, raschByProx, raschProbability } from './rasch.ts'

/*
 * Agreement of two candidates' answers, on the identity of question and option: never on positions, so that
 * shuffled papers neither hide nor make it. Over all pairs it almost never finds somebody who copied half a
 * test, and a careless limit accuses an innocent pair in most exams: it is for checking a pair that somebody
 * already has a reason to ask about.
 */

/** Below so many candidates or questions nothing is computed. */
export const SIMILARITY_NEEDS = { people: 30, items: 20 } as const
/** How improbable agreement has to be to be told: of a named pair, and over all pairs together. */
export const SIMILARITY_ALPHA = { named: 0.01, allPairs: 0.05 } as const
/** An address that somebody shares with more others than this is a lecture hall's: it links nobody. */
const SHARED_WITH_AT_MOST = 5
/** A distractor that nobody chose could have been: half an answer each. */
const HALF = 0.5

/** What stands beside every figure of similarity, word for word. */
export const SIMILARITY_CAVEATS = {
  present:
    'This proves nothing. Before anybody is spoken to, there must be a second reason that has nothing to do with the answers.',
  absent:
    'Nothing stood out. That proves nothing either: copying of half a test is rarely seen here.',
} as const

export interface PairAgreement {
  /** indices of candidates, the smaller first */
  pair: readonly [number, number]
  /** questions that both answered */
  answered: number
  /** of them, answered alike, right or wrong */
  identical: number
  /** how many two independent people of their strength have on average */
  expected: number
  /** of them, alike and wrong: what a person understands */
  identicalWrong: number
  /** the probability of as many identical answers or more, were they independent */
  p: number
  /** p below the limit of the mode that was asked for */
  standsOut: boolean
}

export interface SimilarityRefused {
  refused: 'too-few-people' | 'too-few-items' | 'no-reason'
}

/** Answers of a group, ready to compare pairs; void and full-marks items are left out. */
export interface SimilarityModel {
  items: number
  choices: readonly (readonly (Choice | null)[])[]
  marks: readonly (readonly (0 | 1 | null)[])[]
  rasch: RaschModel
  /** by item: how often two people who are both wrong, or both right, chose the same option */
  alike: readonly Required<Pick<MetItem, 'wrongAlike' | 'rightAlike'>>[]
}

/** Abilities, difficulties and what wrong answers people take, from everybody's answers. */
export function similarityModel(responses: Responses): SimilarityModel {
  const left = new Set([...(responses.voidItems ?? []), ...(responses.fullMarksItems ?? [])])
  const kept = responses.keys.map((_, item) => item).filter((item) => !left.has(item))
  const keys = kept.map((item) => responses.keys[item] ?? [])
  const choices = responses.choices.map((row) => kept.map((item) => row[item] ?? null))
  const marks = choices.map((row) =>
    row.map((choice, at) => {
      if (choice === null) return null
      return keys[at]?.includes(choice) ? 1 : 0
    }),
  )
  const alikeAmong = (at: number, options: readonly Choice[]) => {
    const counts = options.map(
      (option) => choices.filter((row) => row[at] === option).length + HALF,
    )
    const all = counts.reduce((total, count) => total + count, 0)
    return bothAlike(counts.map((count) => count / all))
  }
  const alike = keys.map((accepted, at) => ({
    wrongAlike: alikeAmong(
      at,
      CHOICES.filter((option) => !accepted.includes(option)),
    ),
    rightAlike: alikeAmong(at, accepted),
  }))
  return { items: kept.length, choices, marks, rasch: raschByProx(marks), alike }
}

/**
 * Compares a pair that somebody named: something was observed, or they share an address and minutes. The
 * reason is written before the figure is seen.
 */
export function compareNamedPair(
  model: SimilarityModel,
  pair: readonly [number, number],
  reason: string,
): PairAgreement | SimilarityRefused {
  if (reason.trim() === '') return { refused: 'no-reason' }
  return (
    refusalOf(model) ??
    agreementOf(model, Math.min(...pair), Math.max(...pair), SIMILARITY_ALPHA.named)
  )
}

export interface AllPairs {
  pairs: number
  /** below which p a pair is listed: .05 shared by all pairs */
  limit: number
  /** those that stand out, in the order of candidates: a list, no ranking */
  listed: PairAgreement[]
  /** how many innocent pairs a whole exam lists by chance */
  expectedByChance: number
}

/** Compares every pair. */
export function compareAllPairs(model: SimilarityModel): AllPairs | SimilarityRefused {
  return atOnce(comparePairsInSlices(model))
}

/**
 * The same a candidate at a time, so that somebody else can be served in between: 300 candidates are 45,000
 * pairs, and half a second.
 * @param alpha shared by all pairs; less where an exam has several such lists
 */
export function* comparePairsInSlices(
  model: SimilarityModel,
  alpha: number = SIMILARITY_ALPHA.allPairs,
): Slices<AllPairs | SimilarityRefused> {
  const refusal = refusalOf(model)
  if (refusal) return refusal
  const people = model.choices.length
  const pairs = (people * (people - 1)) / 2
  const limit = alpha / pairs
  const listed: PairAgreement[] = []
  for (let first = 0; first < people; first += 1) {
    for (let second = first + 1; second < people; second += 1) {
      const agreement = agreementOf(model, first, second, limit)
      if (agreement.standsOut) listed.push(agreement)
    }
    yield
  }
  return { pairs, limit, listed, expectedByChance: alpha }
}

/** From where and when somebody sat: a stretch of minutes at one address. */
export interface Sitting {
  candidate: number
  address: string
  fromMs: number
  toMs: number
}

/**
 * Pairs whose sittings share an address and overlap in time. Somebody who shares it with more than five
 * others sits in a lecture hall, and is linked with nobody by it.
 */
export function linkedPairs(sittings: readonly Sitting[]): [number, number][] {
  const byAddress = new Map<string, Sitting[]>()
  for (const sitting of sittings) {
    byAddress.set(sitting.address, [...(byAddress.get(sitting.address) ?? []), sitting])
  }
  const linked = new Map<string, [number, number]>()
  for (const [, at] of byAddress) {
    if (new Set(at.map(({ candidate }) => candidate)).size - 1 > SHARED_WITH_AT_MOST) continue
    for (const one of at) {
      for (const other of at) {
        if (one.candidate >= other.candidate) continue
        if (one.fromMs >= other.toMs || other.fromMs >= one.toMs) continue
        linked.set(`${one.candidate} ${other.candidate}`, [one.candidate, other.candidate])
      }
    }
  }
  return [...linked.values()].sort(([a, b], [c, d]) => a - c || b - d)
}

function refusalOf({ choices, items }: SimilarityModel): SimilarityRefused | null {
  if (choices.length < SIMILARITY_NEEDS.people) return { refused: 'too-few-people' }
  return items < SIMILARITY_NEEDS.items ? { refused: 'too-few-items' } : null
}

function agreementOf(
  model: SimilarityModel,
  first: number,
  second: number,
  limit: number,
): PairAgreement {
  const { abilities, difficulties } = model.rasch
  const [ours, theirs] = [model.choices[first] ?? [], model.choices[second] ?? []]
  const ourMarks = model.marks[first] ?? []
  const matches: number[] = []
  let [identical, identicalWrong, expected] = [0, 0, 0]
  for (let item = 0; item < model.items; item += 1) {
    const choice = ours[item] ?? null
    const other = theirs[item] ?? null
    // Two blanks agree on nothing: the time was over for both.
    if (choice === null || other === null) continue
    const difficulty = difficulties[item] as number
    const match = matchProbability({
      p1: raschProbability(abilities[first] as number, difficulty),
      p2: raschProbability(abilities[second] as number, difficulty),
      ...(model.alike[item] as SimilarityModel['alike'][number]),
    })
    matches.push(match)
    expected += match
    if (choice !== other) continue
    identical += 1
    if (ourMarks[item] === 0) identicalWrong += 1
  }
  const p = atLeast(identical, matches)
  return {
    pair: [first, second],
    answered: matches.length,
    identical,
    expected,
    identicalWrong,
    p,
    standsOut: p < limit,
  }
}
