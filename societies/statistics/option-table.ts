import { correlation, mean } from './moments.ts'
import { CHOICES, type Choice, type Responses, restTotals, type Scores } from './responses.ts'

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

export interface OptionRow {
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
  /** how many are in the top third, see `topThird` */
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
  const top = new Set(topThird(scores.totals))
  const chosen = responses.choices.map((choices) => choices[item] ?? null)
  const marks = scores.right.map((row) => row[column] as number)
  const people = chosen.length
  const rows = [...CHOICES, null].map((option): OptionRow => {
    const chose = chosen.map((choice) => (choice === option ? 1 : 0))
    const choosers = rest.filter((_, candidate) => chosen[candidate] === option)
    return {
      option,
      isKey: isFull || (option !== null && keys.includes(option)),
      count: choosers.length,
      share: choosers.length / people,
      restMean: choosers.length > 0 ? mean(choosers) : null,
      r: correlation(chose, rest),
      top: chosen.filter((choice, candidate) => choice === option && top.has(candidate)).length,
    }
  })
  return { item, people, topCount: top.size, p: mean(marks), r: correlation(marks, rest), rows }
}

/**
 * The best third by total, as indices of candidates. Whole scores only, as many as come nearest to a third:
 * among people with the same total nobody is better, so their order in a list must not decide.
 */
export function topThird(totals: readonly number[]): number[] {
  const wanted = totals.length / 3
  const levels = [...new Set(totals)].sort((a, b) => b - a)
  let best: number[] = []
  for (const level of levels) {
    const above = totals.flatMap((total, candidate) => (total >= level ? [candidate] : []))
    if (best.length > 0 && Math.abs(above.length - wanted) >= Math.abs(best.length - wanted)) break
    best = above
  }
  return best
}

/**
 * What deserves a look in an option table, the most urgent first. Small groups flag by chance: which of these
 * may be shown at which size is decided by `shownFlags`, not here.
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

/** From which correlation on a direction is spoken of, and how many have to choose an option for that. */
const CLEAR = { key: 0.2, other: 0.25, against: -0.1, choosers: 4 } as const

/** Whom better candidates follow: the key, another option, or nobody in particular. */
export type Direction = 'key' | 'none' | { option: Choice }

/** What takes the place of coefficients among 15 to 29 candidates: a direction, to be said in words. */
export function directionOf({ rows, r }: OptionTable): Direction {
  if (r === null) return 'none'
  if (r >= CLEAR.key) return 'key'
  if (r >= CLEAR.against) return 'none'
  let strongest: { option: Choice; r: number } | null = null
  for (const { option, isKey, count, r: optionR } of rows) {
    if (option === null || isKey || optionR === null) continue
    if (count < CLEAR.choosers || optionR < CLEAR.other) continue
    if (optionR > (strongest?.r ?? 0)) strongest = { option, r: optionR }
  }
  return strongest ? { option: strongest.option } : 'none'
}
