import { describe, expect, it } from 'vitest'
import { seededRandom } from '../distributions/seeded-random.ts'
import { mean } from '../moments.ts'
import {
  anchorDifference,
  deltaOf,
  deltaPlot,
  difficultyLogit,
  dropDrifted,
  innerShare,
  meanAnchorShift,
  meanSigma,
} from './anchors.ts'
import { compareSessions, type Session } from './comparison.ts'
import {
  bootstrapShift,
  chainedLinear,
  chainedMeanShift,
  onEarlierScale,
  type SessionMoments,
  sessionMoments,
  tuckerLink,
} from './linking.ts'

const MORNING_P = [0.8, 0.65, 0.55, 0.7, 0.4, 0.6]
const AFTERNOON_P = [0.86, 0.7, 0.64, 0.72, 0.52, 0.66]

describe('six anchors', () => {
  it('have their difficulties on the scale of ETS', () => {
    const deltas = { morning: MORNING_P.map(deltaOf), afternoon: AFTERNOON_P.map(deltaOf) }
    expectAll(deltas.morning, [9.6335, 11.4587, 12.4974, 10.9024, 14.0134, 11.9866], 4)
    expectAll(deltas.afternoon, [8.6787, 10.9024, 11.5662, 10.6686, 12.7994, 11.3501], 4)
  })

  it('lie about their principal axis', () => {
    const plot = deltaPlot(MORNING_P, AFTERNOON_P)
    expect(plot?.slope).toBeCloseTo(0.910905, 6)
    expect(plot?.intercept).toBeCloseTo(0.292326, 6)
    expectAll(plot?.distances ?? [], [0.2874, -0.1274, 0.0814, -0.3292, 0.1906, -0.1029], 4)
  })

  it('come onto one scale by mean and sigma', () => {
    const onDelta = meanSigma(MORNING_P.map(deltaOf), AFTERNOON_P.map(deltaOf))
    expect(onDelta.slope).toBeCloseTo(1.095155, 6)
    expect(onDelta.intercept).toBeCloseTo(-0.291729, 6)
    const logits = { m: MORNING_P.map(difficultyLogit), a: AFTERNOON_P.map(difficultyLogit) }
    expect(meanSigma(logits.m, logits.a).slope).toBeCloseTo(1.059109, 6)
    expect(meanSigma(logits.m, logits.a).intercept).toBeCloseTo(0.360601, 6)
    expect(mean(logits.m) - mean(logits.a)).toBeCloseTo(0.312075, 6)
  })

  it('have no axis where there are two, or where nothing goes together', () => {
    expect(deltaPlot([0.5, 0.6], [0.5, 0.6])).toBeNull()
    expect(deltaPlot([0.5, 0.5, 0.5], [0.4, 0.5, 0.6])).toBeNull()
  })
})

describe('anchors that drifted', () => {
  const before = [0.9, 0.8, 0.75, 0.7, 0.6, 0.5, 0.45, 0.4, 0.3, 0.2]

  it('are dropped, the farthest first, and the axis drawn anew', () => {
    const later = before.with(8, 0.85).with(5, 0.95)
    const clean = dropDrifted(before, later)
    expect(clean.dropped).toEqual([8, 5])
    expect(clean.kept).toEqual([0, 1, 2, 3, 4, 6, 7, 9])
    expect(clean.plot?.slope).toBeCloseTo(1, 12)
    expect(clean.plot?.intercept).toBeCloseTo(0, 12)
  })

  it('are no more than a fifth', () => {
    const later = before.with(8, 0.95).with(5, 0.95).with(9, 0.9)
    expect(dropDrifted(before, later).dropped).toHaveLength(2)
    // Of four anchors none: a fifth of them is less than one.
    expect(dropDrifted([0.9, 0.6, 0.4, 0.2], [0.9, 0.6, 0.4, 0.95]).dropped).toEqual([])
  })

  it('stay where they moved little', () => {
    expect(dropDrifted(MORNING_P, AFTERNOON_P).dropped).toEqual([])
  })

  it('have a difficulty also where all or none were right', () => {
    expect(innerShare(0, 20)).toBe(0.025)
    expect(innerShare(20, 20)).toBe(0.975)
    expect(innerShare(7, 20)).toBe(0.35)
  })
})

describe('the difference of an anchor', () => {
  it('has its standard error', () => {
    const marks = (right: number, of: number) => Array.from({ length: of }, (_, i) => +(i < right))
    const difference = anchorDifference(marks(30, 50), marks(32, 40))
    expect(difference).toMatchObject({
      earlier: { right: 30, of: 50 },
      later: { right: 32, of: 40 },
    })
    expect(difference.shift).toBeCloseTo(0.2, 12)
    expect(difference.error).toBeCloseTo(Math.sqrt(0.24 / 50 + 0.16 / 40), 12)
  })

  it('has over all anchors the error of people, not of answers', () => {
    // Whoever has one right has both: two anchors say no more than one.
    const earlier = [0, 0, 1, 1].map((mark) => [mark, mark])
    const later = [0, 1, 1, 1].map((mark) => [mark, mark])
    const { shift, error } = meanAnchorShift(earlier, later)
    expect(shift).toBeCloseTo(0.25, 12)
    expect(error).toBeCloseTo(Math.sqrt((1 / 3 + 1 / 4) / 4), 12)
  })
})

describe('linking Afternoon to Morning', () => {
  const morning: SessionMoments = {
    people: 90,
    mean: 13.2,
    deviation: 3.4,
    anchorMean: 3.7,
    anchorDeviation: 1.45,
    correlation: 0.78,
  }
  const afternoon: SessionMoments = {
    people: 74,
    mean: 13.9,
    deviation: 3.1,
    anchorMean: 4.1,
    anchorDeviation: 1.38,
    correlation: 0.75,
  }
  const TOTALS = [8, 12, 16, 20]

  it('by chained means', () => {
    expect(chainedMeanShift(morning, afternoon)).toBeCloseTo(0.2379, 4)
  })

  it('by a chained line', () => {
    const line = chainedLinear(morning, afternoon)
    const linked = TOTALS.map((total) => onEarlierScale(total, line))
    expectAll(linked, [7.9794, 12.1547, 16.33, 20.5053], 4)
  })

  it('by Tucker', () => {
    const link = tuckerLink(morning, afternoon)
    const linked = TOTALS.map((total) => onEarlierScale(total, link))
    expectAll(linked, [7.6363, 11.8993, 16.1623, 20.4253], 4)
    expectAll([link.gamma.earlier, link.gamma.later], [1.828966, 1.684783], 6)
    expectAll([link.synthetic.earlier, link.synthetic.later], [13.53011, 13.53017], 5)
    expect(link.slope).toBeCloseTo(1.065752, 6)
    expect(link.meanShift).toBeCloseTo(13.53011 - 13.53017, 5)
  })

  it('needs totals and anchor scores that vary', () => {
    expect(sessionMoments([{ total: 1, anchor: 1 }])).toBeNull()
    expect(
      sessionMoments([
        { total: 1, anchor: 1 },
        { total: 2, anchor: 1 },
      ]),
    ).toBeNull()
  })

  it('takes its moments from people', () => {
    const moments = sessionMoments([
      { total: 1, anchor: 1 },
      { total: 2, anchor: 1 },
      { total: 3, anchor: 4 },
    ])
    expect(moments).toMatchObject({ people: 3, mean: 2, deviation: 1, anchorMean: 2 })
    expect(moments?.anchorDeviation).toBeCloseTo(Math.sqrt(3), 12)
    expect(moments?.correlation).toBeCloseTo(Math.sqrt(3) / 2, 12)
  })
})

describe('two sessions', () => {
  const plain = session({ people: 80, seed: 1 })

  it('of which one form is two points easier are offered a shift, to the half point', () => {
    const easier = session({ people: 80, seed: 2, bonus: 2 })
    const comparison = compareSessions(plain, easier, 7)
    if (comparison.say !== 'offer-shift') throw new Error(comparison.say)
    expect(comparison.shift * 2).toBe(Math.round(comparison.shift * 2))
    expect(Math.abs(comparison.shift - comparison.chainedMean)).toBeLessThanOrEqual(0.25)
    expect(comparison.shift).toBeLessThan(-1)
    expect(comparison.shift).toBeGreaterThan(-3)
    expect(comparison.interval.low).toBeLessThan(comparison.chainedMean)
    expect(comparison.interval.high).toBeGreaterThan(comparison.chainedMean)
    expect(comparison.interval.high - comparison.interval.low).toBeLessThan(3)
    expect(compareSessions(plain, easier, 7)).toEqual(comparison)
    const other = compareSessions(plain, easier, 8)
    expect('interval' in other && other.interval).not.toEqual(comparison.interval)
  })

  it.each([
    [20, 8],
    [80, 4],
  ])('of %i, to whom %i common questions were told, are warned of a leak', (people, told) => {
    const later = session({ people, seed: 2, told })
    const comparison = compareSessions(session({ people, seed: 1 }), later, 7)
    expect(comparison.say).toBe('leak-warning')
    expect(comparison.meanShift.shift).toBeGreaterThan(2 * comparison.meanShift.error)
    const untold = comparison.anchors.slice(told).map(({ anchor }) => anchor)
    expect(Math.min(...untold)).toBe(told)
  })

  it('where they became harder are not', () => {
    const told = session({ people: 80, seed: 2, told: 4 })
    expect(compareSessions(told, plain, 7).say).not.toBe('leak-warning')
  })

  it.each([
    ['too-few-people', { people: 29, seed: 2, bonus: 2 }, 10],
    ['too-few-anchors', { people: 80, seed: 2, bonus: 2 }, 7],
    ['no-difference', { people: 80, seed: 1 }, 10],
  ])('are reported only: %s', (because, later, anchors) => {
    const cut = (all: Session) => ({
      ...all,
      anchors: all.anchors.map((row) => row.slice(0, anchors)),
    })
    const comparison = compareSessions(cut(plain), cut(session(later)), 7)
    expect(comparison).toMatchObject({ say: 'report-only', because })
    expect(comparison.anchors).toHaveLength(anchors)
  })

  it('without variation are reported only', () => {
    const same = { ...plain, totals: plain.totals.map(() => 12) }
    expect(compareSessions(same, plain, 7)).toMatchObject({ because: 'no-variation' })
  })

  it('about which the methods disagree are left alone', () => {
    // Anchors harder later, and hardly going with the totals: Tucker adjusts for them far less than the chain.
    const loose = session({ people: 80, seed: 3, noise: true })
    const harder = session({ people: 80, seed: 4, noise: true, ability: -1 })
    const comparison = compareSessions(loose, harder, 7)
    expect(comparison.say).toBe('methods-disagree')
    if (comparison.say !== 'methods-disagree') return
    expect(Math.abs(comparison.chainedMean - comparison.tuckerMean)).toBeGreaterThan(0.5)
  })

  it('tell which anchors were answered faster', () => {
    const timed = (all: Session, ms: number) => ({
      ...all,
      anchorTimesMs: all.anchors.map((row) => row.map((_, anchor) => (anchor === 9 ? null : ms))),
    })
    const { anchors } = compareSessions(timed(plain, 40_000), timed(plain, 25_000), 7)
    expect(anchors.find(({ anchor }) => anchor === 0)?.slowerByMs).toBe(-15_000)
    expect(anchors.find(({ anchor }) => anchor === 9)?.slowerByMs).toBeNull()
    expect(compareSessions(plain, plain, 7).anchors[0]?.slowerByMs).toBeNull()
  })

  it('of nobody say so', () => {
    expect(
      compareSessions({ totals: [], anchors: [] }, { totals: [], anchors: [] }, 7),
    ).toMatchObject({ say: 'report-only', because: 'too-few-people', anchors: [] })
  })
})

describe('the bootstrap', () => {
  it('is the same for a stored seed', () => {
    const scores = Array.from({ length: 40 }, (_, i) => ({ total: i % 17, anchor: i % 5 }))
    expect(bootstrapShift(scores, scores, 3)).toEqual(bootstrapShift(scores, scores, 3))
    expect(bootstrapShift(scores, scores, 3)).not.toEqual(bootstrapShift(scores, scores, 4))
    expect(bootstrapShift([], scores, 3)).toBeNull()
  })
})

/**
 * Ten anchors and twenty other questions by the Rasch model. `bonus`: points that the form gives away; `told`:
 * so many anchors are known to most; `noise`: anchors that the totals have little to do with.
 */
function session(options: {
  people: number
  seed: number
  bonus?: number
  told?: number
  noise?: boolean
  ability?: number
}): Session {
  const { people, seed, bonus = 0, told = 0, noise = false, ability = 0 } = options
  const random = seededRandom(seed)
  const bell = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const right = (theta: number, difficulty: number) =>
    +(random() < 1 / (1 + Math.exp(difficulty - theta)))
  const anchors: number[][] = []
  const totals: number[] = []
  for (let candidate = 0; candidate < people; candidate += 1) {
    const theta = bell() * 1.2
    const onAnchors = (noise ? bell() : theta) + ability
    const row = Array.from({ length: 10 }, (_, anchor) =>
      anchor < told
        ? Math.max(right(onAnchors, -0.9 + anchor / 5), +(random() < 0.8))
        : right(onAnchors, -0.9 + anchor / 5),
    )
    const others = Array.from({ length: 20 }, (_, item) => right(theta, -1.4 + item / 7))
    anchors.push(row)
    totals.push(row.reduce((a, b) => a + b, 0) + others.reduce((a, b) => a + b, 0) + bonus)
  }
  return { totals, anchors }
}

function expectAll(actual: readonly number[], expected: readonly number[], digits: number) {
  expect(actual).toHaveLength(expected.length)
  for (const [at, value] of expected.entries()) expect(actual[at]).toBeCloseTo(value, digits)
}
