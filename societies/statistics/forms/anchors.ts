import { normalQuantile } from '../distributions/normal.ts'
import { covariance, mean, standardDeviation, sum, variance } from '../moments.ts'

/** Δ of ETS: 13 at a share of one half, 4 points for each standard deviation. */
const DELTA = { centre: 13, scale: 4 } as const
/** An anchor so far from the axis has drifted; no more than a fifth of them is dropped for it. */
const DRIFTED_BEYOND = 1.5
const DROPPED_AT_MOST = 0.2

/** Right answers on the questions that both sessions had, by candidate, then by anchor. */
export type AnchorMarks = readonly (readonly number[])[]

export interface AnchorDifference {
  earlier: { right: number; of: number }
  later: { right: number; of: number }
  /** share right later minus earlier: above 0 the anchor became easier */
  shift: number
  /** standard error of the shift */
  error: number
}

/** How an anchor did in the earlier and the later session. */
export function anchorDifference(
  earlier: readonly number[],
  later: readonly number[],
): AnchorDifference {
  const [p, q] = [mean(earlier), mean(later)]
  return {
    earlier: { right: sum(earlier), of: earlier.length },
    later: { right: sum(later), of: later.length },
    shift: q - p,
    error: Math.sqrt((p * (1 - p)) / earlier.length + (q * (1 - q)) / later.length),
  }
}

export interface MeanShift {
  /** mean over the anchors of the share right, later minus earlier */
  shift: number
  /** standard error: by people, since somebody's answers to several anchors go together */
  error: number
}

/**
 * How much easier the anchors are for the later session, all together. With fewer than two people in a
 * session the error is NaN.
 */
export function meanAnchorShift(earlier: AnchorMarks, later: AnchorMarks): MeanShift {
  const anchors = earlier[0]?.length ?? 0
  const [before, after] = [earlier.map(sum), later.map(sum)]
  return {
    shift: (mean(after) - mean(before)) / anchors,
    error: Math.sqrt(variance(before) / before.length + variance(after) / after.length) / anchors,
  }
}

/** A share for the functions below, which know no 0 and no 1: half an answer is taken off, or added. */
export function innerShare(right: number, of: number): number {
  return Math.min(of - 0.5, Math.max(0.5, right)) / of
}

/** Δ = 13 − 4·Φ⁻¹(p): difficulty on ETS' scale, the harder the larger. */
export function deltaOf(p: number): number {
  return DELTA.centre - DELTA.scale * normalQuantile(p)
}

export interface DeltaPlot {
  /** principal axis: later = intercept + slope · earlier */
  slope: number
  intercept: number
  /** perpendicular distance of each anchor from it; above 0 it became easier than the others did */
  distances: number[]
}

/**
 * Delta plot (Angoff and Ford 1973): shares right of the same anchors in two sessions, on ETS' scale, about
 * their principal axis.
 * Null with fewer than three anchors, or where difficulties do not go together at all.
 */
export function deltaPlot(
  earlier: readonly number[],
  later: readonly number[],
  kept: readonly number[] = earlier.map((_, anchor) => anchor),
): DeltaPlot | null {
  const [before, after] = [earlier.map(deltaOf), later.map(deltaOf)]
  const [x, y] = [kept.map((at) => before[at] as number), kept.map((at) => after[at] as number)]
  if (kept.length < 3) return null
  const joint = covariance(x, y)
  if (joint === 0) return null
  const excess = variance(y) - variance(x)
  const slope = (excess + Math.sqrt(excess ** 2 + 4 * joint ** 2)) / (2 * joint)
  const intercept = mean(y) - slope * mean(x)
  const distances = before.map(
    (delta, at) => (slope * delta + intercept - (after[at] as number)) / Math.sqrt(slope ** 2 + 1),
  )
  return { slope, intercept, distances }
}

export interface CleanAnchors {
  /** indices of the anchors that stay */
  kept: number[]
  /** those dropped, the farthest first */
  dropped: number[]
  /** the plot of those that stay; null as `deltaPlot` */
  plot: DeltaPlot | null
}

/**
 * Drops anchors that drifted (|D| > 1.5), the farthest first and the axis drawn anew each time, at most a
 * fifth of them: where more drift, the sessions had different questions, and no rule mends that.
 */
export function dropDrifted(earlier: readonly number[], later: readonly number[]): CleanAnchors {
  let kept = earlier.map((_, anchor) => anchor)
  const dropped: number[] = []
  const most = Math.floor(earlier.length * DROPPED_AT_MOST)
  for (;;) {
    const plot = deltaPlot(earlier, later, kept)
    const distance = (anchor: number) => Math.abs(plot?.distances[anchor] ?? 0)
    const farthest = kept.toSorted((a, b) => distance(b) - distance(a) || a - b)[0]
    if (farthest === undefined || distance(farthest) <= DRIFTED_BEYOND || dropped.length >= most) {
      return { kept, dropped, plot }
    }
    dropped.push(farthest)
    kept = kept.filter((anchor) => anchor !== farthest)
  }
}

/** A line: x = slope · y + intercept. */
export interface Line {
  slope: number
  intercept: number
}

/**
 * Mean-sigma (Marco 1977): the line that brings the later session's difficulties onto the scale of the
 * earlier ones, by their mean and deviation.
 */
export function meanSigma(earlier: readonly number[], later: readonly number[]): Line {
  const slope = standardDeviation(earlier) / standardDeviation(later)
  return { slope, intercept: mean(earlier) - slope * mean(later) }
}

/** Difficulty as a logit, −ln(p/(1 − p)): the harder the larger. */
export function difficultyLogit(p: number): number {
  return -Math.log(p / (1 - p))
}
