import { type Interval, markCorrelation, sum } from './moments.ts'
import { CHOICES, type Choice, FIGURES_FROM, type Responses, type Scores } from './responses.ts'

/** A wrong option that fewer choose does not work as a distractor. */
const LEAST_SHARE = 0.05
/** A distractor that goes with the rest of the test more than this attracts the good. */
const ATTRACTS_FROM = 0.1
/** Of the top third, how many have to choose another option before the key is suspicious. */
const SUSPICIOUS_SHARE = 1 / 3
const TOO_HARD_BELOW = 0.25
const TOO_EASY_ABOVE = 0.95
/** From here on the share that chose nothing is mentioned. */
const BLANK_ABOVE = 0.1

interface OptionRow {
  /** null: nothing was chosen, the fifth option */
  option: Choice | null
  /** whether choosing it counts as right */
  isKey: boolean
  count: number
  /** mean total on the other items of those who chose it; null: nobody did */
  restMean: number | null
  /** correlation of choosing it with the total on the other items; null where all or none chose it */
  r: number | null
  /** of the top third, how many chose it */
  top: number
}

interface ItemAnalysis {
  people: number
  right: number
  /** item-rest correlation, see `discrimination` */
  r: number | null
  /** how many are in the top third, see `topThirdFrom` */
  topCount: number
  /** A to D, then nothing */
  rows: OptionRow[]
}

/** What deserves a look, the most urgent first; from 'too-hard' on for information. */
export const FLAG_KINDS = [
  // another option goes with the rest of the test better than the key does, and the best choose it
  'key-suspicious',
  // the better a candidate is, the likelier they choose this wrong option
  'attracts-the-good',
  'negative',
  'left-blank',
  'too-hard',
  'too-easy',
  // hardly anybody chooses this wrong option
  'not-working',
] as const

interface ItemFlag {
  kind: (typeof FLAG_KINDS)[number]
  /** that is suspicious, attracts or does not work */
  option?: Choice
  /** that left it blank */
  share?: number
}

/**
 * Who chose what of an item (from 0), and how they did on the rest of the test. `r` is the corrected item-rest
 * correlation: with the item left in the total, every item looks better than it is, the more so the shorter the test.
 * It is null where all or none had the item right.
 */
export function analyzeItem(responses: Responses, scores: Scores, column: number): ItemAnalysis {
  const item = scores.items[column] as number
  const keys = responses.keys[item] ?? []
  const isFull = responses.fullMarksItems?.includes(item) ?? false
  const topFrom = topThirdFrom(scores.totals)
  const people = scores.totals.length
  // One pass over all candidates counts everything: a test has up to 500 questions and 5,000 candidates.
  const options = [...CHOICES, null].map(() => ({ count: 0, rest: 0, top: 0 }))
  const right = { count: 0, rest: 0 }
  let [all, squares] = [0, 0]
  for (let candidate = 0; candidate < people; candidate += 1) {
    const total = scores.totals[candidate] as number
    const mark = scores.right[candidate]?.[column] as number
    const rest = total - mark
    const option = options[responses.choices[candidate]?.[item] ?? CHOICES.length]
    all += rest
    squares += rest ** 2
    right.count += mark
    right.rest += mark * rest
    if (!option) continue
    option.count += 1
    option.rest += rest
    if (total >= topFrom) option.top += 1
  }
  const rows = options.map(({ count, rest, top }, at): OptionRow => {
    const option = CHOICES[at] ?? null
    return {
      option,
      isKey: isFull || (option !== null && keys.includes(option)),
      count,
      restMean: count > 0 ? rest / count : null,
      r: markCorrelation(count, people, { all, squares, marked: rest }),
      top,
    }
  })
  return {
    people,
    right: right.count,
    r: markCorrelation(right.count, people, { all, squares, marked: right.rest }),
    topCount: sum(rows.map(({ top }) => top)),
    rows,
  }
}

/** The lowest total of the best third: whole scores only, because equal totals have no order. */
export function topThirdFrom(totals: readonly number[]): number {
  const wanted = totals.length / 3
  const counts = new Map<number, number>()
  for (const total of totals) counts.set(total, (counts.get(total) ?? 0) + 1)
  let [lowest, people] = [Number.POSITIVE_INFINITY, 0]
  for (const [total, count] of [...counts].sort(([a], [b]) => b - a)) {
    const more = people + count
    if (people > 0 && Math.abs(more - wanted) >= Math.abs(people - wanted)) break
    lowest = total
    people = more
  }
  return lowest
}

/** 95% of a normal population are within this many standard deviations; of a correlation two digits are enough. */
const Z = 1.959963984540054

/** The 95% interval of a share (Wilson 1927), never outside 0 to 1. @param of at least 1 */
export function wilsonInterval(successes: number, of: number): Interval {
  const p = successes / of
  const shrink = 1 + Z ** 2 / of
  const center = (p + Z ** 2 / (2 * of)) / shrink
  const half = (Z * Math.sqrt((p * (1 - p)) / of + Z ** 2 / (4 * of ** 2))) / shrink
  return { low: Math.max(0, center - half), high: Math.min(1, center + half) }
}

/** The 95% interval of a correlation (Fisher 1921). Null below four people. @param of how many people */
export function correlationInterval(r: number, of: number): Interval | null {
  if (of < 4) return null
  const half = 1.96 / Math.sqrt(of - 3)
  return { low: Math.tanh(Math.atanh(r) - half), high: Math.tanh(Math.atanh(r) + half) }
}

/** What deserves a look, the most urgent first; small groups get only `left-blank`. */
export function itemFlags(found: ItemAnalysis, people = found.people): ItemFlag[] {
  const p = found.right / found.people
  const distractors = found.rows.filter(
    (row): row is OptionRow & { option: Choice } => row.option !== null && !row.isKey,
  )
  const suspicious = suspiciousOption(found)
  const blank = (found.rows.find(({ option }) => option === null)?.count ?? 0) / found.people
  const flags: (ItemFlag | false)[] = [
    suspicious !== null && { kind: 'key-suspicious', option: suspicious },
    ...distractors.map(
      ({ option, r }): ItemFlag | false =>
        option !== suspicious && (r ?? 0) > ATTRACTS_FROM && { kind: 'attracts-the-good', option },
    ),
    (found.r ?? 0) < 0 && { kind: 'negative' },
    blank > BLANK_ABOVE && { kind: 'left-blank', share: blank },
    p < TOO_HARD_BELOW && { kind: 'too-hard' },
    p > TOO_EASY_ABOVE && { kind: 'too-easy' },
    ...distractors.map(
      ({ option, count }): ItemFlag | false =>
        count / found.people < LEAST_SHARE && { kind: 'not-working', option },
    ),
  ]
  return flags.filter(
    (flag): flag is ItemFlag =>
      flag !== false && (flag.kind === 'left-blank' || people >= FIGURES_FROM),
  )
}

function suspiciousOption({ rows, right, r, topCount }: ItemAnalysis): Choice | null {
  // What nobody had right has no correlation, and any option that the best choose is likelier to be the key.
  const keyR = right === 0 ? Number.NEGATIVE_INFINITY : r
  if (keyR === null) return null
  let [suspicious, most]: [Choice | null, number] = [null, keyR]
  for (const { option, isKey, top, count, r: optionR } of rows) {
    if (option === null || isKey || count === 0 || top / topCount < SUSPICIOUS_SHARE) continue
    // Chosen by all: no correlation either.
    if ((optionR ?? 0) > most) [suspicious, most] = [option, optionR ?? 0]
  }
  return suspicious
}
