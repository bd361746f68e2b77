import { seededRandom } from '../distributions/seeded-random.ts'
import { correlation, type Interval, mean, quantile, standardDeviation } from '../moments.ts'
import { atOnce, type Slices } from '../slices.ts'
import type { Line } from './anchors.ts'

/** As many resamples as an interval of two digits takes. */
const RESAMPLES = 1_000

/** What linking knows of a session: its totals, and how the same people did on the anchors. */
export interface SessionMoments {
  people: number
  mean: number
  deviation: number
  anchorMean: number
  anchorDeviation: number
  /** between total and anchor score */
  correlation: number
}

/** A candidate's total, and the points of it that the anchors gave. */
export interface LinkedScore {
  total: number
  anchor: number
}

/**
 * Null with fewer than two people, or where totals or anchor scores do not vary: nothing can be linked then.
 */
export function sessionMoments(scores: readonly LinkedScore[]): SessionMoments | null {
  if (scores.length < 2) return null
  const [totals, anchors] = [scores.map(({ total }) => total), scores.map(({ anchor }) => anchor)]
  const r = correlation(totals, anchors)
  if (r === null) return null
  return {
    people: scores.length,
    mean: mean(totals),
    deviation: standardDeviation(totals),
    anchorMean: mean(anchors),
    anchorDeviation: standardDeviation(anchors),
    correlation: r,
  }
}

/**
 * Chained mean linking: by how many points a total of the later form is to be raised to stand on the earlier
 * form's scale, m_X − m_Y + (s_X/s_V1)(m_V2 − m_V1). Steady in small groups (Kim and Livingston 2009).
 */
export function chainedMeanShift(earlier: SessionMoments, later: SessionMoments): number {
  const perAnchor = earlier.deviation / earlier.anchorDeviation
  return earlier.mean - later.mean + perAnchor * (later.anchorMean - earlier.anchorMean)
}

/** Chained linear linking (Angoff 1971): later total to anchor score to earlier total. */
export function chainedLinear(earlier: SessionMoments, later: SessionMoments): Line {
  const perAnchor = earlier.deviation / earlier.anchorDeviation
  const slope = (perAnchor * later.anchorDeviation) / later.deviation
  const atZero = later.anchorMean - (later.anchorDeviation / later.deviation) * later.mean
  return { slope, intercept: earlier.mean + perAnchor * (atZero - earlier.anchorMean) }
}

export interface TuckerLink extends Line {
  /** points of total for a point of anchor score */
  gamma: { earlier: number; later: number }
  /** means of both forms, had both sessions together taken each */
  synthetic: { earlier: number; later: number }
  /** the same by means alone: by how many points a later total is to be raised */
  meanShift: number
}

/** Tucker's method (Gulliksen 1950): both forms as if all people of both sessions had taken each. */
export function tuckerLink(earlier: SessionMoments, later: SessionMoments): TuckerLink {
  const gammaOf = (session: SessionMoments) =>
    (session.correlation * session.deviation) / session.anchorDeviation
  const gamma = { earlier: gammaOf(earlier), later: gammaOf(later) }
  const everybody = earlier.people + later.people
  const weight = { earlier: earlier.people / everybody, later: later.people / everybody }
  const apart = earlier.anchorMean - later.anchorMean
  const spread = earlier.anchorDeviation ** 2 - later.anchorDeviation ** 2
  const synthetic = {
    earlier: earlier.mean - weight.later * gamma.earlier * apart,
    later: later.mean + weight.earlier * gamma.later * apart,
  }
  const between = weight.earlier * weight.later * apart ** 2
  const varianceEarlier =
    earlier.deviation ** 2 -
    weight.later * gamma.earlier ** 2 * spread +
    gamma.earlier ** 2 * between
  const varianceLater =
    later.deviation ** 2 + weight.earlier * gamma.later ** 2 * spread + gamma.later ** 2 * between
  const slope = Math.sqrt(varianceEarlier / varianceLater)
  return {
    slope,
    intercept: synthetic.earlier - slope * synthetic.later,
    gamma,
    synthetic,
    meanShift: synthetic.earlier - synthetic.later,
  }
}

/** Where a later total lies on the earlier scale. */
export function onEarlierScale(total: number, { slope, intercept }: Line): number {
  return slope * total + intercept
}

/**
 * The 95% interval of the chained-mean shift by bootstrap (Efron 1979): the people of each session drawn anew
 * 1,000 times. The same for the same people, in the same order, and seed. Null where nothing can be linked.
 * @param seed a whole number, stored beside what was decided
 */
export function bootstrapShift(
  earlier: readonly LinkedScore[],
  later: readonly LinkedScore[],
  seed: number,
): Interval | null {
  return atOnce(bootstrapInSlices(earlier, later, seed))
}

/** The same a resample at a time: of 300 and 300 people it takes a third of a second. */
export function* bootstrapInSlices(
  earlier: readonly LinkedScore[],
  later: readonly LinkedScore[],
  seed: number,
): Slices<Interval | null> {
  if (!sessionMoments(earlier) || !sessionMoments(later)) return null
  const random = seededRandom(seed)
  const redraw = (scores: readonly LinkedScore[]) =>
    scores.map(() => scores[Math.floor(random() * scores.length)] as LinkedScore)
  const shifts: number[] = []
  for (let drawn = 0; drawn < RESAMPLES; drawn += 1) {
    const [before, after] = [sessionMoments(redraw(earlier)), sessionMoments(redraw(later))]
    // Drawn so that all have the same score: it links nothing.
    if (before && after) shifts.push(chainedMeanShift(before, after))
    yield
  }
  if (shifts.length === 0) return null
  return { low: quantile(shifts, 0.025), high: quantile(shifts, 0.975) }
}
