import type { CardContent } from '../../contract/card.ts'
import { analyse } from '../../statistics/analysis.ts'
import { compareInSlices } from '../../statistics/forms/comparison.ts'
import { mayBeSaid, whyHidden } from '../../statistics/what-may-be-said.ts'
import { eachForm, type Sat } from '../analysis/sat.ts'
import type { AnswerTable } from '../results/answer-table.ts'
import {
  type Group,
  groupOf,
  marksOf,
  questionsOf,
  sharedQuestions,
  totalOf,
} from '../sessions/groups.ts'
import { inSlices } from '../sessions/in-slices.ts'

type Described = CardContent['groups'][number]
type Comparison = CardContent['comparisons'][number]

/** Below it no statistic of a group is public: it could be told whose it is. */
export const LEAST_GROUP = 15
/** Half of a 95% interval, in standard errors. */
const Z = 1.96
/** Of the bootstrap, whose interval the card does not show: the same answers give the same card. */
const SEED = 1

/** Candidates who had the same questions: of a session, or of one of its forms. */
export interface CardGroup {
  name: string | null
  minutes: number
  sat: Sat
  group: Group
}

/** @returns the session's one group, or one for each form that was dealt */
export function groupsOf(
  table: AnswerTable,
  { code, name, minutes }: { code: string; name: string | null; minutes: number },
): CardGroup[] {
  return eachForm(table)
    .filter(({ rows }) => rows.length > 0)
    .map((sat) => ({
      ...{ minutes, sat },
      name:
        sat.form === null ? name : name === null ? `Form ${sat.form}` : `${name}, form ${sat.form}`,
      group: groupOf(table, { code, name: name ?? code, form: sat.form }),
    }))
}

/** What a group's answers say of the test, as far as the group is large enough (product 7.21.4). */
export function describeGroup({ name, minutes, group, sat: { responses } }: CardGroup): Described {
  const sat = group.rows.length
  const said = sat < LEAST_GROUP ? 'hidden' : mayBeSaid('reliability', sat)
  const reliability = said === 'hidden' ? null : analyse(responses)?.reliability
  return {
    ...{ name, sat, minutes },
    questions: questionsOf(group).length,
    reliability:
      said === 'hidden' || !reliability
        ? null
        : {
            said,
            kr20: rounded(reliability.kr20, 4),
            low: rounded(reliability.interval.low, 4),
            high: rounded(reliability.interval.high, 4),
            error: rounded(reliability.error, 4),
          },
  }
}

/** The later group beside the earlier one, by the questions that both had. */
export async function compareGroups(
  { name: earlierName, group: earlier }: CardGroup,
  { name: laterName, group: later }: CardGroup,
): Promise<Comparison> {
  const { anchors } = sharedQuestions(earlier, later)
  const all = earlier.rows.length + later.rows.length
  const smaller = Math.min(earlier.rows.length, later.rows.length)
  const compared = {
    ...{ earlier: earlierName, later: laterName, common: anchors.length },
    areForms: earlier.code === later.code,
  }
  const said = mayBeSaid('anchor-difference', all)
  if (anchors.length === 0) {
    return { ...compared, found: null, why: 'They had no question in common to compare by.' }
  }
  if (smaller < LEAST_GROUP) {
    const why = `Fewer than ${LEAST_GROUP} people sat one of them, so nothing is said of it.`
    return { ...compared, found: null, why }
  }
  if (said === 'hidden') {
    return { ...compared, found: null, why: whyHidden('anchor-difference', all) }
  }
  const before = sessionOf(
    earlier,
    anchors.map((one) => one.earlier),
  )
  const after = sessionOf(
    later,
    anchors.map((one) => one.later),
  )
  const { meanShift, say } = await inSlices(compareInSlices(before, after, SEED))
  const difference = meanShift.shift * anchors.length
  const half = Z * meanShift.error * anchors.length
  return {
    ...compared,
    found: {
      said,
      difference: rounded(difference, 3),
      low: rounded(difference - half, 3),
      high: rounded(difference + half, 3),
      isWarning: say === 'leak-warning',
    },
    why: null,
  }
}

/** Everybody's total, and right answers on the common questions. */
const sessionOf = (group: Group, common: readonly number[]) => ({
  totals: group.rows.map((row) => totalOf(group.items, row)),
  anchors: marksOf(group, common),
})

/** So that a card is the same on every machine. */
function rounded(value: number, digits: number): number {
  const text = Number(value.toFixed(digits))
  return text === 0 ? 0 : text
}
