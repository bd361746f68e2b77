import { type Interval, markCorrelation, sum } from './moments.ts'
import { CHOICES, type Choice, FIGURES_FROM, type Responses, type Scores } from './responses.ts'

/** A distractor chosen by a smaller share than this isn't working. */
const LEAST_SHARE = 0.05
/** A distractor with a higher correlation with the rest of the test attracts strong candidates. */
const ATTRACTS_FROM = 0.1
/** The key is suspicious if this share of the top third chose another option. */
const SUSPICIOUS_SHARE = 1 / 3
const TOO_HARD_BELOW = 0.25
const TOO_EASY_ABOVE = 0.95
/** The share of blank answers is reported above this value. */
const BLANK_ABOVE = 0.1

interface OptionRow {
  /** Null means a blank answer, the fifth option. */
  option: Choice | null
  isKey: boolean
  count: number
  /** The mean total on the other items for those who chose it; null if nobody did. */
  restMean: number | null
  /** The correlation of choosing it with the total on the other items; null if all or none chose it. */
  r: number | null
  /** How many of the top third chose it. */
  top: number
}

interface ItemAnalysis {
  people: number
  right: number
  /** The item-rest correlation, see `discrimination`. */
  r: number | null
  /** The size of the top third, see `topThirdFrom`. */
  topCount: number
  /** Options A to D, then blank. */
  rows: OptionRow[]
}

/** Flags, most urgent first. Those from 'too-hard' on are informational. */
export const FLAG_KINDS = [
  // Another option correlates better with the rest of the test than the key does, and the best candidates choose it.
  'key-suspicious',
  // Stronger candidates are more likely to choose this wrong option.
  'attracts-the-good',
  'negative',
  'left-blank',
  'too-hard',
  'too-easy',
  // Almost no candidates choose this wrong option.
  'not-working',
] as const

interface ItemFlag {
  kind: (typeof FLAG_KINDS)[number]
  /** The option that is suspicious, attracts strong candidates, or isn't working. */
  option?: Choice
  share?: number
}

/**
 * Analyzes the choices for an item (from 0) and how those who made them did on the rest of the test. `r` is the
 * corrected item-rest correlation, because including the item in the total would inflate it, most of all in short
 * tests. It is null if all or none had the item right.
 */
export function analyzeItem(responses: Responses, scores: Scores, column: number): ItemAnalysis {
  const item = scores.items[column] as number
  const keys = responses.keys[item] ?? []
  const isFull = responses.fullMarksItems?.includes(item) ?? false
  const topFrom = topThirdFrom(scores.totals)
  const people = scores.totals.length
  // A single pass over the candidates counts everything, because a test can have 500 questions and 5,000 candidates.
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

/** Returns the lowest total of the top third. Equal totals are never split, because they have no order. */
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

/** 95% of a normal distribution is within this many standard deviations. */
const Z = 1.959963984540054

/** Returns the 95% interval of a proportion, always within 0 to 1 (Wilson 1927). @param of at least 1 */
export function wilsonInterval(successes: number, of: number): Interval {
  const p = successes / of
  const shrink = 1 + Z ** 2 / of
  const center = (p + Z ** 2 / (2 * of)) / shrink
  const half = (Z * Math.sqrt((p * (1 - p)) / of + Z ** 2 / (4 * of ** 2))) / shrink
  return { low: Math.max(0, center - half), high: Math.min(1, center + half) }
}

/** Returns the 95% interval of a correlation among `of` people (Fisher 1921), or null below four. */
export function correlationInterval(r: number, of: number): Interval | null {
  if (of < 4) return null
  const half = 1.96 / Math.sqrt(of - 3)
  return { low: Math.tanh(Math.atanh(r) - half), high: Math.tanh(Math.atanh(r) + half) }
}

/** Returns an item's flags, most urgent first. Small groups get only `left-blank`. */
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
  // An item that nobody got right has no correlation, so any option that the best candidates choose may be the key.
  const keyR = right === 0 ? Number.NEGATIVE_INFINITY : r
  if (keyR === null) return null
  let [suspicious, most]: [Choice | null, number] = [null, keyR]
  for (const { option, isKey, top, count, r: optionR } of rows) {
    if (option === null || isKey || count === 0 || top / topCount < SUSPICIOUS_SHARE) continue
    // An option chosen by all has no correlation either.
    if ((optionR ?? 0) > most) [suspicious, most] = [option, optionR ?? 0]
  }
  return suspicious
}
