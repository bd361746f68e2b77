import { mean, sum, variance } from './moments.ts'
import { CHOICES, type Responses } from './responses.ts'

/* Compares the agreement of two candidates' answers with the agreement expected of two independent candidates of the
   same ability. It compares questions and options, never positions on a paper. */

/** The minimum number of candidates and of questions for a comparison. */
export const PAIR_NEEDS = 20

/** Constants of Cohen's approximation, such as 1.7 squared. */
const PROX = { person: 2.89, joint: 8.35, least: 0.2 } as const
/** Half an answer is added per option and score, because those nobody had are still possible. */
const HALF = 0.5

/** Returns the questions that count. Void questions and those with full marks for all carry no information. */
export function countedItems({ keys, voidItems = [], fullMarksItems = [] }: Responses): number[] {
  const left = new Set([...voidItems, ...fullMarksItems])
  return keys.map((_, item) => item).filter((item) => !left.has(item))
}

/**
 * @returns answered: questions that both answered, because two blanks only mean that time ran out; same: those with the
 *   same answer; sameWrong: those with the same wrong option; usual: the expected numbers for two independent
 *   candidates of the same ability
 */
export function comparePair(responses: Responses, [first, second]: readonly [number, number]) {
  const { choices, keys } = responses
  const items = countedItems(responses)
  const choiceOf = (candidate: number, item: number) => choices[candidate]?.[item] ?? null
  const marks = choices.map((_, candidate) =>
    items.map((item) => {
      const choice = choiceOf(candidate, item)
      return choice === null ? null : keys[item]?.includes(choice) ? 1 : 0
    }),
  )
  const { abilities, difficulties } = raschByProx(marks)
  const found = { answered: 0, same: 0, sameWrong: 0, usual: { same: 0, sameWrong: 0 } }
  for (const [at, item] of items.entries()) {
    const [one, other] = [choiceOf(first, item), choiceOf(second, item)]
    if (one === null || other === null) continue
    const [p1, p2] = [first, second].map((candidate) =>
      raschProbability(abilities[candidate] as number, difficulties[at] as number),
    ) as [number, number]
    const wrong = (1 - p1) * (1 - p2) * alikeAmong(responses, item, false)
    found.answered += 1
    found.usual.same += p1 * p2 * alikeAmong(responses, item, true) + wrong
    found.usual.sameWrong += wrong
    if (one !== other) continue
    found.same += 1
    if (!keys[item]?.includes(one)) found.sameWrong += 1
  }
  return found
}

/** Returns the probability that two right, or two wrong, candidates chose the same option: Σq² over all. */
function alikeAmong({ keys, choices }: Responses, item: number, isRight: boolean): number {
  const counts = CHOICES.filter(
    (option) => (keys[item]?.includes(option) ?? false) === isRight,
  ).map((option) => choices.filter((row) => row[item] === option).length + HALF)
  const all = sum(counts)
  return sum(counts.map((count) => (count / all) ** 2))
}

/**
 * Fits the Rasch model by PROX (Cohen 1979; Wright and Stone 1979). It has one ability per person and one difficulty
 * per item, which a small group can support. Half an answer is added on both sides, so that all right and all wrong
 * have finite values too. Blank answers are ignored.
 * @param marks by candidate and item: 1, 0, or null for a blank
 * @returns in logits: abilities θ by candidate, difficulties δ by item, centered on 0
 */
export function raschByProx(marks: readonly (readonly (0 | 1 | null)[])[]) {
  const ofPeople = marks.map(logit)
  const ofItems = (marks[0] ?? []).map((_, item) => -logit(marks.map((row) => row[item] ?? null)))
  const center = ofItems.length > 0 ? mean(ofItems) : 0
  const centered = ofItems.map((value) => value - center)
  const [itemSpread, personSpread] = [centered, ofPeople].map((values) =>
    values.length > 1 ? variance(values) : 0,
  ) as [number, number]
  const shared = Math.max(PROX.least, 1 - (itemSpread * personSpread) / PROX.joint)
  const personScale = Math.sqrt((1 + itemSpread / PROX.person) / shared)
  const itemScale = Math.sqrt((1 + personSpread / PROX.person) / shared)
  return {
    abilities: ofPeople.map((value) => value * personScale),
    difficulties: centered.map((value) => value * itemScale),
  }
}

/** Returns the probability of a right answer: 1/(1 + e^(δ − θ)). */
export const raschProbability = (ability: number, difficulty: number): number =>
  1 / (1 + Math.exp(difficulty - ability))

/** Returns the log odds of right answers, with half an answer added on both sides. */
function logit(marks: readonly (0 | 1 | null)[]): number {
  const right = marks.filter((mark) => mark === 1).length
  const wrong = marks.filter((mark) => mark === 0).length
  return Math.log((right + HALF) / (wrong + HALF))
}
