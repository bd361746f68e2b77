import { createHash } from 'node:crypto'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { getSessions } from '../../contract/sessions.ts'
import { compareInSlices } from '../../statistics/forms/comparison.ts'
import { mean, median } from '../../statistics/moments.ts'
import { mayBeSaid, whyHidden } from '../../statistics/what-may-be-said.ts'
import type { LookedTimes } from '../analysis/looked-times.ts'
import type { TableItem } from '../results/answer-table.ts'
import { type Group, marksOf, questionsOf, sharedQuestions, totalOf } from './groups.ts'
import { inSlices } from './in-slices.ts'

export type ShownComparison = ResponseOf<typeof getSessions>['comparisons'][number]

/** Standard errors of a 95% interval. */
const Z = 1.96

/** The seed of a comparison's bootstrap: of what is compared alone, so that every look shows the same interval. */
export const seedOf = (earlier: Group, later: Group): number =>
  createHash('sha256')
    .update([earlier.code, earlier.form, later.code, later.form].join('/'))
    .digest()
    .readUInt32BE() >>> 1

/**
 * Two groups by their common questions, after the rule of statistics/forms/comparison.ts (product 7.19.10).
 * Below the people that a figure takes it is null (product 7.19.9).
 */
export async function compareGroups(
  { id, kind }: Pick<ShownComparison, 'id' | 'kind'>,
  earlier: Group,
  later: Group,
  looked: LookedTimes,
): Promise<ShownComparison> {
  const { anchors, changed } = sharedQuestions(earlier, later)
  const places = {
    earlier: anchors.map((one) => one.earlier),
    later: anchors.map((one) => one.later),
  }
  const people = earlier.rows.length + later.rows.length
  const smaller = Math.min(earlier.rows.length, later.rows.length)
  const said =
    smaller === 0 || anchors.length === 0 ? 'hidden' : mayBeSaid('anchor-difference', people)
  const session = (group: Group, at: readonly number[]) => ({
    totals: group.rows.map((row) => totalOf(group.items, row)),
    anchors: marksOf(group, at),
    anchorTimesMs: group.rows.map(({ attemptId }) =>
      at.map((place) => looked.get(attemptId)?.get((group.items[place] as TableItem).id) ?? null),
    ),
  })
  const [before, after] = [session(earlier, places.earlier), session(later, places.later)]
  const hasBoth = smaller > 0 && anchors.length > 0
  const found = hasBoth
    ? await inSlices(compareInSlices(before, after, seedOf(earlier, later)))
    : null
  const timesOf = (times: readonly (readonly (number | null)[])[], anchor: number) => {
    const measured = times.flatMap((row) => row[anchor] ?? [])
    return measured.length > 0 ? median(measured) : null
  }
  const shift = said === 'hidden' ? null : (found?.meanShift ?? null)
  return {
    ...{ id, kind, said, changedCount: changed },
    earlier: shown(earlier, before.totals),
    later: shown(later, after.totals),
    whyHidden:
      smaller === 0
        ? 'One of both has nobody who is done.'
        : anchors.length === 0
          ? 'No question is asked of everybody in both.'
          : whyHidden('anchor-difference', people),
    outcome: !found
      ? anchors.length === 0 && smaller > 0
        ? 'too-few-anchors'
        : 'too-few-people'
      : found.say === 'report-only'
        ? found.because
        : found.say,
    meanShift: shift && {
      shift: shift.shift,
      interval: Number.isFinite(shift.error)
        ? { low: shift.shift - Z * shift.error, high: shift.shift + Z * shift.error }
        : null,
    },
    others: said === 'hidden' ? null : otherQuestions(earlier, later, places),
    methods:
      found?.say === 'methods-disagree' || found?.say === 'offer-shift'
        ? { chainedMean: found.chainedMean, tuckerMean: found.tuckerMean }
        : null,
    // Within one form everything is common: there is nothing to bring onto another scale.
    offer:
      found?.say === 'offer-shift' && kind !== 'session_within_form'
        ? {
            ...{ points: found.shift, interval: found.interval, seed: found.seed },
            ...{ chainedMean: found.chainedMean, tuckerMean: found.tuckerMean },
          }
        : null,
    anchors: (found?.anchors ?? []).map((one) => {
      const item = earlier.items[places.earlier[one.anchor] as number] as TableItem
      const other = later.items[places.later[one.anchor] as number] as TableItem
      const isSaid = said !== 'hidden'
      return {
        ...{ questionId: item.questionId, question: item.question, topic: item.topic },
        numbers: { earlier: item.position, later: other.position },
        ...{ earlier: one.earlier, later: one.later },
        shift: isSaid ? one.shift : null,
        distance: isSaid && Number.isFinite(one.distance) ? one.distance : null,
        isDropped: isSaid && one.isDropped,
        medianMs: {
          earlier: timesOf(before.anchorTimesMs, one.anchor),
          later: timesOf(after.anchorTimesMs, one.anchor),
        },
      }
    }),
  }
}

function shown(group: Group, totals: readonly number[]): ShownComparison['earlier'] {
  return {
    ...{ name: group.name, code: group.code, form: group.form, people: totals.length },
    mean: mayBeSaid('quartiles', totals.length) === 'shown' ? mean(totals) : null,
    questions: questionsOf(group).length,
  }
}

/** How the questions that are not common were answered; null where one of both has none. */
function otherQuestions(
  earlier: Group,
  later: Group,
  places: { earlier: readonly number[]; later: readonly number[] },
): { earlier: number; later: number } | null {
  const shareOf = (group: Group, common: readonly number[]) => {
    const at = questionsOf(group).filter((place) => !common.includes(place))
    const marks = marksOf(group, at).flat()
    return marks.length > 0 ? mean(marks) : null
  }
  const [before, after] = [shareOf(earlier, places.earlier), shareOf(later, places.later)]
  return before === null || after === null ? null : { earlier: before, later: after }
}
