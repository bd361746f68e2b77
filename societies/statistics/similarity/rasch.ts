import { mean, variance } from '../moments.ts'

/** Squares of 1.7 and the like, as they stand in Cohen's approximation. */
const PROX = { person: 2.89, joint: 8.35, least: 0.2 } as const

export interface RaschModel {
  /** θ by candidate, in logits */
  abilities: number[]
  /** δ by item, in logits, about 0 */
  difficulties: number[]
}

/**
 * The Rasch model by PROX (Cohen 1979; Wright and Stone 1979): one ability a person and one difficulty an
 * item, which is what a small group can carry. Half an answer is added on both sides, so that all right and
 * all wrong have an ability too. What somebody left blank says nothing of either.
 * @param marks by candidate and item: 1, 0, or null where nothing was answered
 */
export function raschByProx(marks: readonly (readonly (0 | 1 | null)[])[]): RaschModel {
  const items = marks[0]?.length ?? 0
  const ofPeople = marks.map((row) => logit(row.filter((mark) => mark !== null)))
  const ofItems = Array.from({ length: items }, (_, item) =>
    logit(marks.flatMap((row) => row[item] ?? [])),
  ).map((value) => -value)
  const centre = ofItems.length > 0 ? mean(ofItems) : 0
  const centred = ofItems.map((value) => value - centre)
  const itemSpread = centred.length > 1 ? variance(centred) : 0
  const personSpread = ofPeople.length > 1 ? variance(ofPeople) : 0
  const shared = Math.max(PROX.least, 1 - (itemSpread * personSpread) / PROX.joint)
  const personScale = Math.sqrt((1 + itemSpread / PROX.person) / shared)
  const itemScale = Math.sqrt((1 + personSpread / PROX.person) / shared)
  return {
    abilities: ofPeople.map((value) => value * personScale),
    difficulties: centred.map((value) => value * itemScale),
  }
}

/** The probability of a right answer: 1/(1 + e^(δ − θ)). */
export function raschProbability(ability: number, difficulty: number): number {
  return 1 / (1 + Math.exp(difficulty - ability))
}

/** The log odds of right answers, half an answer on both sides. */
function logit(marks: readonly number[]): number {
  const right = marks.filter((mark) => mark === 1).length
  return Math.log((right + 0.5) / (marks.length - right + 0.5))
}
