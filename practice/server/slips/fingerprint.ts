import type { OptionLetter } from '../../../platform/options.ts'
import type { SlipMade } from '../../contract/slips.ts'

/** Answers looked at in the end: what a person does now, not what they did a term ago. */
const LAST = 6
/** A slip made fewer times among them may be chance: a person who guesses picks each wrong option now and then. */
const HABIT_FROM = 2

export interface SlipFact {
  item: string
  choice: OptionLetter
  isRight: boolean
  /** the slip that was stored with a wrong choice */
  slip: string | null
  answeredAtMs: number
  /** the person's own, yyyy-mm-dd */
  day: string
}

/** How one slip stands with a person (product 3.14.20, 3.14.21). */
type SlipCount = Omit<SlipMade, 'name' | 'line'>

/**
 * A person's slips: habits first, then by how often among the last six, then the latest. `slipsOf` names an option's
 * slip, `clearedAtMs` when a ten of it last went well, `month` (yyyy-mm) is that of 'thisMonth'.
 */
export function fingerprintOf(
  facts: readonly SlipFact[],
  slipsOf: (item: string) => Partial<Record<OptionLetter, string>> | undefined,
  clearedAtMs: ReadonlyMap<string, number>,
  month: string,
): SlipCount[] {
  const chances = new Map<string, { isMade: boolean; fact: SlipFact }[]>()
  for (const fact of facts) {
    const slips = slipsOf(fact.item) ?? {}
    // What was answered before its question named slips counts by what it names now.
    const made = fact.isRight ? null : (fact.slip ?? slips[fact.choice] ?? null)
    // Two options with one slip are one chance.
    const offered = new Set(Object.values(slips))
    if (made !== null) offered.add(made)
    for (const code of offered) {
      const known = chances.get(code) ?? []
      if (known.length === 0) chances.set(code, known)
      known.push({ isMade: code === made, fact })
    }
  }
  const counts = [...chances].flatMap(([code, all]) => {
    const made = all.filter(({ isMade }) => isMade)
    const latest = made.at(-1)
    if (!latest) return []
    const lastSix = all.slice(-LAST).map(({ isMade }) => isMade)
    const isCleared =
      latest.fact.answeredAtMs <= (clearedAtMs.get(code) ?? Number.NEGATIVE_INFINITY)
    const count: SlipCount = {
      code,
      possible: all.length,
      made: made.length,
      lastSix,
      thisMonth: made.filter(({ fact }) => fact.day.startsWith(month)).length,
      isHabit: lastSix.filter(Boolean).length >= HABIT_FROM && !isCleared,
    }
    return [{ count, latestMs: latest.fact.answeredAtMs }]
  })
  const weight = ({ isHabit, lastSix }: SlipCount) =>
    (isHabit ? LAST + 1 : 0) + lastSix.filter(Boolean).length
  return counts
    .sort((a, b) => weight(b.count) - weight(a.count) || b.latestMs - a.latestMs)
    .map(({ count }) => count)
}
