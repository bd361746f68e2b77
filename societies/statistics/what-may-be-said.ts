import type { ItemFlag } from './option-table.ts'

/*
 * Which statistic is shown from how many candidates on: the one place, which every page and every export asks.
 * The limits follow from the intervals. A discrimination of .30 among 15 lies between −.25 and .70, among 30
 * between −.07 and .60, among 60 between .05 and .51; an option that one in twenty would choose is chosen by
 * nobody with probability .46 among 15, .21 among 30, .05 among 60.
 */

export type Said = 'hidden' | 'indicative' | 'shown'

interface Limits {
  /** from so many candidates on it is shown, marked as indicative; left out where it never is */
  indicative?: number
  /** from so many on it is shown as it is */
  shown: number
  /** where two groups are compared: how many the smaller has to have */
  smaller?: { indicative?: number; shown: number }
}

/** Candidates are closed attempts that are no demo, the first of each person. */
export const LIMITS = {
  /** totals, and how long people took */
  scores: { shown: 1 },
  /** a share right as '9 of 12' */
  'right-of': { shown: 1 },
  'option-counts': { shown: 1 },
  quartiles: { shown: 15 },
  /** a share right with its interval */
  difficulty: { shown: 15 },
  /** 'better ones chose B', in words: below the coefficient's own limit */
  direction: { indicative: 15, shown: 30 },
  /** KR-20, always with its interval */
  reliability: { indicative: 15, shown: 30 },
  /** that no order within so many points is supported */
  'measurement-error': { indicative: 15, shown: 30 },
  /** share of questions answered at a pace at which they can be read */
  pace: { indicative: 15, shown: 30 },
  /** groups of scores, and the zone about a cut-off */
  groups: { shown: 30 },
  'option-flags': { shown: 30 },
  /** item-rest correlation with its interval */
  discrimination: { indicative: 30, shown: 60 },
  'anchor-difference': { indicative: 30, shown: 60 },
  'similarity-of-a-pair': { indicative: 30, shown: 60 },
  quintiles: { shown: 60 },
  /** an option that hardly anybody chooses */
  'not-working': { shown: 60 },
  'surprising-speed': { shown: 60 },
  /** of one session's scores onto the other's scale */
  shift: { indicative: 60, shown: 100, smaller: { indicative: 30, shown: 50 } },
  'similarity-of-all-pairs': { indicative: 60, shown: 100 },
  /** whether a question favours a session, a form or a room (Mantel-Haenszel letters) */
  'favoured-group': { shown: 100, smaller: { shown: 50 } },
} as const satisfies Record<string, Limits>

export type Statistic = keyof typeof LIMITS

/**
 * Whether a statistic may be shown.
 * @param people how many candidates it is computed from
 * @param smaller where two groups are compared: how many are in the smaller one; needed for those that have
 *   a limit on it, which are hidden without it
 */
export function mayBeSaid(statistic: Statistic, people: number, smaller = 0): Said {
  const limits: Limits = LIMITS[statistic]
  const enough = (from: number | undefined, ofSmaller: number | undefined) =>
    from !== undefined && people >= from && smaller >= (ofSmaller ?? 0)
  if (enough(limits.shown, limits.smaller?.shown)) return 'shown'
  // The smaller group has a limit of its own as soon as any of the two has.
  return enough(limits.indicative, limits.smaller?.indicative ?? limits.smaller?.shown)
    ? 'indicative'
    : 'hidden'
}

/** Of an item's flags those that mean something in a group of this size. */
export function shownFlags(flags: readonly ItemFlag[], people: number): ItemFlag[] {
  return flags.filter(({ kind }) => {
    if (kind === 'left-blank') return true
    return mayBeSaid(kind === 'not-working' ? 'not-working' : 'option-flags', people) === 'shown'
  })
}

export interface Stage {
  /** from so many candidates on */
  from: number
  /** up to so many; null: any number */
  to: number | null
  /** what appears, as one sentence without its full stop */
  appears: string
}

/** What appears when, for people who wait for it. */
export const STAGES: readonly Stage[] = [
  {
    from: 0,
    to: 14,
    appears: 'scores, “9 of 12”, how often each option was chosen, time',
  },
  {
    from: 15,
    to: 29,
    appears:
      'median and quartiles, intervals, the direction of an option in words, KR-20 with its interval',
  },
  {
    from: 30,
    to: 59,
    appears:
      'KR-20, groups, notices on options; discrimination and the comparison of sessions as indicative',
  },
  {
    from: 60,
    to: 99,
    appears: 'discrimination, fifths, an option that hardly anybody chooses',
  },
  {
    from: 100,
    to: null,
    appears: 'whether a question favours a room or a form, with 50 in the smaller group',
  },
]

/** The stage that a group of this size is in. */
export function stageOf(people: number): Stage {
  return STAGES.findLast(({ from }) => people >= from) as Stage
}

/** '15 to 29', 'under 15', 'from 100'. */
export function stageRange({ from, to }: Stage): string {
  if (to === null) return `from ${from}`
  return from === 0 ? `under ${to + 1}` : `${from} to ${to}`
}

/** 'From 30 candidates on: KR-20, …': what the next ones will bring; null when nothing is left to come. */
export function whatAppearsNext(people: number): string | null {
  const next = STAGES.find(({ from }) => from > people)
  return next ? appearsSentence(next) : null
}

/** 'From 30 candidates on: …' of a stage. */
export function appearsSentence({ from, appears }: Stage): string {
  const words = `${appears.charAt(0).toUpperCase()}${appears.slice(1)}`
  return from === 0 ? `${words}.` : `From ${from} candidates on: ${appears}.`
}

/** Why a statistic is not there yet: 'Shown from 30 candidates on; there are 22.' Null where it is shown. */
export function whyHidden(statistic: Statistic, people: number, smaller = 0): string | null {
  if (mayBeSaid(statistic, people, smaller) !== 'hidden') return null
  const limits: Limits = LIMITS[statistic]
  const from = limits.indicative ?? limits.shown
  if (people < from) return `Shown from ${from} candidates on; there are ${people}.`
  const each = limits.smaller?.indicative ?? limits.smaller?.shown ?? 0
  return `Shown from ${each} candidates in each group on; the smaller has ${smaller}.`
}
