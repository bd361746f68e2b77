import { correlation, mean } from './moments.ts'
import {
  CHOICES,
  type Choice,
  columnOf,
  type Responses,
  restTotals,
  type Scores,
} from './responses.ts'
import { FIGURES_FROM } from './sample-size.ts'

/** A wrong option that fewer choose does not work as a distractor. */
const LEAST_SHARE = 0.05
/** A distractor that goes with the rest of the test more than this attracts the good. */
const ATTRACTS_FROM = 0.1
/** Of the top third, how many have to choose another option before the key is suspicious. */
const SUSPICIOUS_SHARE = 1 / 3
const TOO_HARD_BELOW = 0.25
const TOO_EASY_ABOVE = 0.95
/** From here on the share that chose nothing is told. */
const BLANK_ABOVE = 0.1

interface OptionRow {
  /** null: nothing was chosen, the fifth option */
  option: Choice | null
  /** whether choosing it counts as right */
  isKey: boolean
  count: number
  share: number
  /** mean total on the other items of those who chose it; null: nobody did */
  restMean: number | null
  /** correlation of choosing it with the total on the other items; null where all or none chose it */
  r: number | null
  /** of the top third, how many chose it */
  top: number
}

export interface OptionTable {
  /** of the responses, from 0 */
  item: number
  people: number
  /** how many are in the top third, see `topThirdFrom` */
  topCount: number
  /** share who had it right */
  p: number
  /** item-rest correlation; null where everybody or nobody had it right */
  r: number | null
  /** A to D, then nothing */
  rows: OptionRow[]
}

export type ItemFlag =
  /** another option goes with the rest of the test better than the key does, and the best choose it */
  | { kind: 'key-suspicious'; option: Choice }
  /** the better somebody is, the likelier they choose this wrong option */
  | { kind: 'attracts-the-good'; option: Choice }
  | { kind: 'negative' }
  | { kind: 'left-blank'; share: number }
  | { kind: 'too-hard' }
  /** for information: no fault */
  | { kind: 'too-easy' }
  /** hardly anybody chooses this wrong option */
  | { kind: 'not-working'; option: Choice }

/** Who chose what, and how they did on the rest of the test (distractor analysis). */
export function optionTable(responses: Responses, scores: Scores, column: number): OptionTable {
  const item = scores.items[column] as number
  const keys = responses.keys[item] ?? []
  const isFull = responses.fullMarksItems?.includes(item) ?? false
  const rest = restTotals(scores, column)
  const topFrom = topThirdFrom(scores.totals)
  const chosen = responses.choices.map((choices) => choices[item] ?? null)
  const marks = columnOf(scores.right, column)
  const people = chosen.length
  const rows = [...CHOICES, null].map((option): OptionRow => {
    let [count, rests, top] = [0, 0, 0]
    const chose = chosen.map((choice, candidate) => {
      if (choice !== option) return 0
      count += 1
      rests += rest[candidate] as number
      if ((scores.totals[candidate] as number) >= topFrom) top += 1
      return 1
    })
    return {
      option,
      isKey: isFull || (option !== null && keys.includes(option)),
      count,
      share: count / people,
      restMean: count > 0 ? rests / count : null,
      r: correlation(chose, rest),
      top,
    }
  })
  const topCount = rows.reduce((all, { top }) => all + top, 0)
  return { item, people, topCount, p: mean(marks), r: correlation(marks, rest), rows }
}

/**
 * The lowest total of the best third. Whole scores only, as many as come nearest to a third: among people with
 * the same total nobody is better, so their order in a list must not decide.
 */
export function topThirdFrom(totals: readonly number[]): number {
  const wanted = totals.length / 3
  const counts = new Map<number, number>()
  for (const total of totals) counts.set(total, (counts.get(total) ?? 0) + 1)
  let lowest = Number.POSITIVE_INFINITY
  let people = 0
  for (const [total, count] of [...counts].sort(([a], [b]) => b - a)) {
    if (people > 0 && Math.abs(people + count - wanted) >= Math.abs(people - wanted)) break
    lowest = total
    people += count
  }
  return lowest
}

/**
 * What deserves a look in an option table, the most urgent first. Small groups flag by chance: `shownFlags`
 * leaves out what such a group can't say.
 */
export function itemFlags(table: OptionTable): ItemFlag[] {
  const distractors = table.rows.flatMap((row) =>
    row.option !== null && !row.isKey ? [{ ...row, option: row.option }] : [],
  )
  const suspicious = suspiciousOption(table)
  const flags: ItemFlag[] = []
  if (suspicious !== null) flags.push({ kind: 'key-suspicious', option: suspicious })
  for (const { option, r } of distractors) {
    if (option !== suspicious && r !== null && r > ATTRACTS_FROM) {
      flags.push({ kind: 'attracts-the-good', option })
    }
  }
  if (table.r !== null && table.r < 0) flags.push({ kind: 'negative' })
  const blank = table.rows.find(({ option }) => option === null)
  if (blank && blank.share > BLANK_ABOVE) flags.push({ kind: 'left-blank', share: blank.share })
  if (table.p < TOO_HARD_BELOW) flags.push({ kind: 'too-hard' })
  if (table.p > TOO_EASY_ABOVE) flags.push({ kind: 'too-easy' })
  for (const { option, share } of distractors) {
    if (share < LEAST_SHARE) flags.push({ kind: 'not-working', option })
  }
  return flags
}

/** Of an item's flags those that mean something in a group of this size. */
export function shownFlags(flags: readonly ItemFlag[], people: number): ItemFlag[] {
  return flags.filter(({ kind }) => kind === 'left-blank' || people >= FIGURES_FROM)
}

function suspiciousOption({ rows, p, r, topCount }: OptionTable): Choice | null {
  // What nobody had right has no correlation, and any option that the best choose is likelier to be the key.
  const keyR = p === 0 ? Number.NEGATIVE_INFINITY : r
  if (keyR === null) return null
  let suspicious: { option: Choice; r: number } | null = null
  for (const { option, isKey, top, count, r: optionR } of rows) {
    if (option === null || isKey || count === 0 || top / topCount < SUSPICIOUS_SHARE) continue
    // Chosen by all: no correlation either.
    const goesWithRest = optionR ?? 0
    if (goesWithRest > keyR && goesWithRest > (suspicious?.r ?? Number.NEGATIVE_INFINITY)) {
      suspicious = { option, r: goesWithRest }
    }
  }
  return suspicious?.option ?? null
}
