import { mean, variance } from './moments.ts'
import { CHOICES, type Choice, type Responses } from './responses.ts'

/*
 * How far the answers of two named candidates agree, beside how far those of two do who know nothing of each other
 * and are as strong. It compares the question and the option, never positions on a paper.
 */

/** Below so many candidates or questions nothing is compared. */
export const PAIR_NEEDS = 20

/** Squares of 1.7 and the like, as they stand in Cohen's approximation. */
const PROX = { person: 2.89, joint: 8.35, least: 0.2 } as const
/** An option that nobody chose could have been: half an answer each. */
const HALF = 0.5

/** Answers that two candidates gave alike. */
interface Alike {
  same: number
  /** of them, the same wrong option */
  sameWrong: number
}

interface PairAgreement extends Alike {
  /** questions that both answered: two blanks agree on nothing, the time was over for both */
  answered: number
  /** how many two have on average who are as strong and know nothing of each other */
  usual: Alike
}

/** Which questions count: void ones and those that everybody got tell nothing. */
export function countedItems({ keys, voidItems = [], fullMarksItems = [] }: Responses): number[] {
  const left = new Set([...voidItems, ...fullMarksItems])
  return keys.map((_, item) => item).filter((item) => !left.has(item))
}

/** @param pair indices of candidates */
export function comparePair(
  responses: Responses,
  [first, second]: readonly [number, number],
): PairAgreement {
  const items = countedItems(responses)
  const choiceOf = (candidate: number, item: number) => responses.choices[candidate]?.[item] ?? null
  const isRight = (choice: Choice, item: number) => responses.keys[item]?.includes(choice) ?? false
  const marks = responses.choices.map((_, candidate) =>
    items.map((item) => {
      const choice = choiceOf(candidate, item)
      return choice === null ? null : isRight(choice, item) ? 1 : 0
    }),
  )
  const { abilities, difficulties } = raschByProx(marks)
  const found: PairAgreement = {
    answered: 0,
    same: 0,
    sameWrong: 0,
    usual: { same: 0, sameWrong: 0 },
  }
  for (const [at, item] of items.entries()) {
    const [one, other] = [choiceOf(first, item), choiceOf(second, item)]
    if (one === null || other === null) continue
    const [p1 = 0, p2 = 0] = [first, second].map((candidate) =>
      raschProbability(abilities[candidate] as number, difficulties[at] as number),
    )
    const wrong = (1 - p1) * (1 - p2) * alikeAmong(responses, item, false)
    found.answered += 1
    found.usual.same += p1 * p2 * alikeAmong(responses, item, true) + wrong
    found.usual.sameWrong += wrong
    if (one !== other) continue
    found.same += 1
    if (!isRight(one, item)) found.sameWrong += 1
  }
  return found
}

/** How probable it is that two who are both right, or both wrong, took the same option: Σq² of what all chose. */
function alikeAmong({ keys, choices }: Responses, item: number, isRight: boolean): number {
  const counts = CHOICES.filter(
    (option) => (keys[item]?.includes(option) ?? false) === isRight,
  ).map((option) => choices.filter((row) => row[item] === option).length + HALF)
  const all = counts.reduce((sum, count) => sum + count, 0)
  return counts.reduce((sum, count) => sum + (count / all) ** 2, 0)
}

interface RaschModel {
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
