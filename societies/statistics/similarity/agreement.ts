import { normalAbove } from '../distributions/normal.ts'
import { atLeast } from '../distributions/poisson-binomial.ts'

/*
 * How probable it is that two people who do not know of each other agree as much as these two do. The first
 * is what the product uses; the others are here to be compared with.
 */

/** An item as two people meet it. */
export interface MetItem {
  /** each one's probability of a right answer */
  p1: number
  p2: number
  /** that two people who are both wrong took the same option: `bothAlike` of the wrong ones */
  wrongAlike: number
  /** the same of two who are both right; 1 where one option is right */
  rightAlike?: number
}

/**
 * The probability that two independent people answer an item alike (van der Linden and Sotaridona 2006):
 * p₁p₂ + (1 − p₁)(1 − p₂)Σq².
 */
export function matchProbability({ p1, p2, wrongAlike, rightAlike = 1 }: MetItem): number {
  return p1 * p2 * rightAlike + (1 - p1) * (1 - p2) * wrongAlike
}

/** The probability that two people take the same of several options, Σq², from the share that each has. */
export function bothAlike(shares: readonly number[]): number {
  return shares.reduce((total, share) => total + share ** 2, 0)
}

/**
 * Generalised binomial test (van der Linden and Sotaridona 2006): the probability of as many identical
 * answers or more. Symmetric: it says nothing of who may have looked at whom.
 */
export function gbtTail(identical: number, items: readonly MetItem[]): number {
  return atLeast(identical, items.map(matchProbability))
}

export interface Omega {
  expected: number
  deviation: number
  omega: number
  /** of so large an ω by chance */
  p: number
}

/**
 * ω (Wollack 1997): how many of a source's answers somebody was to be expected to share, and shared.
 * It accuses one of the two, so the product does not show it.
 * @param observed how many answers they share
 * @param probabilities by item: that the possible copier gives the source's answer
 */
export function wollackOmega(observed: number, probabilities: readonly number[]): Omega {
  const expected = probabilities.reduce((total, p) => total + p, 0)
  const deviation = Math.sqrt(probabilities.reduce((total, p) => total + p * (1 - p), 0))
  const omega = (observed - expected) / deviation
  return { expected, deviation, omega, p: normalAbove(omega) }
}

/**
 * K-index (Holland 1996; Sotaridona and Meijer 2002): the probability that somebody shares so many of the
 * source's wrong answers or more.
 * @param share of the source's wrong answers that people as weak share on average
 */
export function kIndexTail(shared: number, wrongOfSource: number, share: number): number {
  return atLeast(shared, Array<number>(wrongOfSource).fill(share))
}

/**
 * Error similarity (Bellezza and Bellezza 1989, with shares of each item's own): the probability of as many
 * identical wrong answers or more among items that both have wrong.
 * @param alike by such an item: `bothAlike` of its wrong options
 */
export function errorSimilarityTail(identicalWrong: number, alike: readonly number[]): number {
  return atLeast(identicalWrong, alike)
}
