import type { DrillSummary } from '../contract/drills.ts'
import { areEqual, parseAnswer } from './fraction.ts'
import { countSums, KIND_NAMES, KINDS, type KindName, type Preset } from './presets.ts'
import type { Sum } from './sum.ts'

export interface ReachedSum<S extends Pick<Sum, 'kind'> = Sum> {
  sum: S
  answer: string
  tookMs: number
  isRight: boolean
}

export interface KindReport {
  name: KindName
  right: number
  medianMs: number
  reached: readonly ReachedSum<Pick<Sum, 'kind'>>[]
}

export function reportKinds(reached: readonly ReachedSum<Pick<Sum, 'kind'>>[]): KindReport[] {
  return KIND_NAMES.flatMap((name) => {
    const own = reached.filter(({ sum }) => sum.kind === name)
    if (own.length === 0) return []
    return {
      name,
      right: own.filter(({ isRight }) => isRight).length,
      medianMs: median(own.map(({ tookMs }) => tookMs)),
      reached: own,
    }
  })
}

/** A kind is slow if its median is over 1.5 times the overall median, from three questions on. */
const SLOW_FROM = 1.5
const FEWEST_SUMS = 3

export function slowestKind(kinds: readonly KindReport[]): KindName | null {
  const whole = median(kinds.flatMap(({ reached }) => reached.map(({ tookMs }) => tookMs)))
  const [slowest] = kinds
    .filter((kind) => kind.reached.length >= FEWEST_SUMS)
    .filter((kind) => kind.medianMs > SLOW_FROM * whole)
    .sort((a, b) => b.medianMs - a.medianMs)
  return slowest?.name ?? null
}

export function drillHeading(
  score: number,
  earlierScores: readonly number[],
  slow: KindName | null,
): string {
  const best = Math.max(...earlierScores)
  const standing =
    earlierScores.length === 0
      ? 'Your first score is set.'
      : score > best
        ? 'Your best so far.'
        : score === best
          ? 'Level with your best.'
          : `${best - score} ${best - score === 1 ? 'point' : 'points'} below your best.`
  if (!slow) return standing
  return `${standing} ${KINDS[slow].title} ${KINDS[slow].verb} you up.`
}

export function paceByMinute(
  answers: readonly { tookMs: number; isRight: boolean }[],
  limitSeconds: number,
): number[] {
  const stepMs = limitSeconds > 240 ? 60_000 : 15_000
  const steps = Math.ceil((limitSeconds * 1000) / stepMs)
  let atMs = 0
  const rightAtMs = answers.flatMap(({ tookMs, isRight }) => {
    atMs += tookMs
    return isRight ? [atMs] : []
  })
  return Array.from(
    { length: steps },
    (_, step) => rightAtMs.filter((ms) => step === steps - 1 || ms <= (step + 1) * stepMs).length,
  )
}

export function answeredBy(answers: readonly { tookMs: number }[], atMs: number): number {
  let at = 0
  const first = answers.findIndex(({ tookMs }) => {
    at += tookMs
    return at > atMs
  })
  return first === -1 ? answers.length : first
}

export function slowestTen<T extends { tookMs: number }>(reached: readonly T[]): T[] {
  return [...reached].sort((a, b) => b.tookMs - a.tookMs).slice(0, 10)
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

/** Whether a chosen or typed answer equals the key. '7/8' equals 0.875 (product 3.11.6). */
export function isRight(sum: Pick<Sum, 'key'>, answer: string): boolean {
  const [value, key] = [parseAnswer(answer), parseAnswer(sum.key)]
  return value !== null && key !== null && areEqual(value, key)
}

type DrillMarks = Pick<DrillSummary, 'correct' | 'wrong' | 'skipped' | 'score'>

/** Marks a drill's answers (product 3.11.5). @param penalty points lost per wrong answer */
export function markDrill(
  preset: Preset,
  sums: readonly Pick<Sum, 'key'>[],
  answers: readonly { answer: string }[],
  penalty: number,
): DrillMarks & { isRight: boolean[] } {
  const marks = answers.map(({ answer }, index) => {
    const sum = sums[index]
    return sum !== undefined && isRight(sum, answer)
  })
  const correct = marks.filter(Boolean).length
  const wrong = marks.length - correct
  return {
    correct,
    wrong,
    skipped: preset.isEndless ? 0 : countSums(preset) - marks.length,
    score: correct - wrong * penalty,
    isRight: marks,
  }
}

/** Derives the points lost per wrong answer from a stored drill, or returns null if no answer was wrong. */
export function penaltyOf(drill: Pick<DrillMarks, 'correct' | 'wrong' | 'score'>): number | null {
  return drill.wrong === 0 ? null : (drill.correct - drill.score) / drill.wrong
}
