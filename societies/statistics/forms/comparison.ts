import type { Interval } from '../moments.ts'
import { mean, sum } from '../moments.ts'
import { atOnce, type Slices } from '../slices.ts'
import {
  type AnchorDifference,
  type AnchorMarks,
  anchorDifference,
  dropDrifted,
  innerShare,
  type MeanShift,
  meanAnchorShift,
} from './anchors.ts'
import { bootstrapInSlices, chainedMeanShift, sessionMoments, tuckerLink } from './linking.ts'

/** What a shift takes: so many people in each session, and so many anchors that did not drift. */
export const SHIFT_NEEDS = { people: 30, anchors: 8 } as const
/** Methods that differ by more points than this say that none is to be believed. */
const METHODS_AGREE_WITHIN = 0.5
/** A mean shift of the anchors of more standard errors than this is no chance. */
const NO_CHANCE_BEYOND = 2

/** One session's candidates, in the same order in all three. */
export interface Session {
  totals: readonly number[]
  anchors: AnchorMarks
  /** visible time in milliseconds by candidate and anchor; null where none was measured */
  anchorTimesMs?: readonly (readonly (number | null)[])[]
}

export interface ComparedAnchor extends AnchorDifference {
  /** of the anchors, from 0 */
  anchor: number
  /** from the principal axis; null where the plot has none */
  distance: number | null
  isDropped: boolean
  /** mean time later minus earlier, in milliseconds; null where none was measured */
  slowerByMs: number | null
}

interface Compared {
  /** the anchors that became easier first: where questions were told, these are they */
  anchors: ComparedAnchor[]
  meanShift: MeanShift
}

/**
 * What may be said of two sessions. Only `offer-shift` lets an owner raise scores, before names are shown and
 * with a reason; unadjusted scores stay beside adjusted ones for ever.
 */
export type Comparison = Compared &
  (
    | {
        say: 'report-only'
        because: 'too-few-people' | 'too-few-anchors' | 'no-variation' | 'no-difference'
      }
    /** either stronger candidates or known questions: nothing tells them apart */
    | { say: 'leak-warning' }
    | { say: 'methods-disagree'; chainedMean: number; tuckerMean: number }
    | {
        say: 'offer-shift'
        /** points to be added to each later total, to the half point */
        shift: number
        /** of the shift before it was rounded */
        interval: Interval
        chainedMean: number
        tuckerMean: number
        seed: number
      }
  )

/**
 * Compares a later session's form with the earlier one by their common questions. Percentiles within sessions
 * are never the way: they are off by two to three points of 30 where linking is off by one.
 * @param seed of the bootstrap, stored with what is decided
 */
export function compareSessions(earlier: Session, later: Session, seed: number): Comparison {
  return atOnce(compareInSlices(earlier, later, seed))
}

/** The same a piece at a time, for whoever serves others in between. */
export function* compareInSlices(
  earlier: Session,
  later: Session,
  seed: number,
): Slices<Comparison> {
  const count = earlier.anchors[0]?.length ?? 0
  const differences = Array.from({ length: count }, (_, anchor) =>
    anchorDifference(columnOf(earlier.anchors, anchor), columnOf(later.anchors, anchor)),
  )
  const shares = (session: 'earlier' | 'later') =>
    differences.map((difference) => innerShare(difference[session].right, difference[session].of))
  const clean = dropDrifted(shares('earlier'), shares('later'))
  const compared: Compared = {
    anchors: differences
      .map((difference, anchor) => ({
        anchor,
        ...difference,
        distance: clean.plot?.distances[anchor] ?? null,
        isDropped: clean.dropped.includes(anchor),
        slowerByMs: slowerByMs(earlier, later, anchor),
      }))
      .sort((a, b) => b.shift - a.shift || a.anchor - b.anchor),
    // Over all of them: a leaked question drifts, and would hide by being dropped.
    meanShift: meanAnchorShift(earlier.anchors, later.anchors),
  }
  const { shift, error } = compared.meanShift
  if (shift > NO_CHANCE_BEYOND * error) return { ...compared, say: 'leak-warning' }
  if (Math.min(earlier.totals.length, later.totals.length) < SHIFT_NEEDS.people) {
    return { ...compared, say: 'report-only', because: 'too-few-people' }
  }
  if (clean.kept.length < SHIFT_NEEDS.anchors) {
    return { ...compared, say: 'report-only', because: 'too-few-anchors' }
  }
  const scores = [earlier, later].map(({ totals, anchors }) =>
    totals.map((total, candidate) => ({
      total,
      anchor: sum(clean.kept.map((anchor) => anchors[candidate]?.[anchor] as number)),
    })),
  )
  const [before = [], after = []] = scores
  const [x, y] = [sessionMoments(before), sessionMoments(after)]
  const interval = yield* bootstrapInSlices(before, after, seed)
  if (!x || !y || !interval) return { ...compared, say: 'report-only', because: 'no-variation' }
  const chainedMean = chainedMeanShift(x, y)
  const tuckerMean = tuckerLink(x, y).meanShift
  if (Math.abs(chainedMean - tuckerMean) > METHODS_AGREE_WITHIN) {
    return { ...compared, say: 'methods-disagree', chainedMean, tuckerMean }
  }
  const rounded = Math.round(chainedMean * 2) / 2
  if (rounded === 0) return { ...compared, say: 'report-only', because: 'no-difference' }
  return {
    ...compared,
    say: 'offer-shift',
    shift: rounded,
    interval,
    chainedMean,
    tuckerMean,
    seed,
  }
}

function columnOf(rows: AnchorMarks, anchor: number): number[] {
  return rows.map((row) => row[anchor] as number)
}

function slowerByMs(earlier: Session, later: Session, anchor: number): number | null {
  const [before, after] = [earlier, later].map(({ anchorTimesMs = [] }) =>
    anchorTimesMs.map((times) => times[anchor] ?? null).filter((time) => time !== null),
  )
  if (!before?.length || !after?.length) return null
  return mean(after) - mean(before)
}
