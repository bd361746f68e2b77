import type { DrillSummary } from '../contract/drills.ts'
import { areEqual, parseAnswer } from './fraction.ts'
import { countSums, type Preset } from './presets.ts'
import type { Sum } from './sum.ts'

/** Whether an answer, chosen or typed, has the value of the key; '7/8' is 0.875 (product 3.11.6). */
export function isRight(sum: Pick<Sum, 'key'>, answer: string): boolean {
  const [value, key] = [parseAnswer(answer), parseAnswer(sum.key)]
  return value !== null && key !== null && areEqual(value, key)
}

type DrillMarks = Pick<DrillSummary, 'correct' | 'wrong' | 'skipped' | 'score'>

/** What a drill's answers are worth (product 3.11.5). @param penalty points that a wrong answer costs */
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

/** What a wrong answer cost, from what is stored; null where none was wrong and it made no difference. */
export function penaltyOf(drill: Pick<DrillMarks, 'correct' | 'wrong' | 'score'>): number | null {
  return drill.wrong === 0 ? null : (drill.correct - drill.score) / drill.wrong
}

/** The score that a drill has with another penalty, so that drills are compared alike. */
export function scoreAt(
  { correct, wrong }: Pick<DrillMarks, 'correct' | 'wrong'>,
  penalty: number,
): number {
  return correct - wrong * penalty
}
