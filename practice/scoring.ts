import type { OptionLetter } from '../platform/options.ts'
import type { Answer, Question, ReviewEntry } from './question.ts'

/** Marks the questions in order (product 3.4.1). Returns null unless each question has exactly one answer. */
export function markAnswers(questions: readonly Question[], answers: readonly Answer[]) {
  const chosen = new Map<number, OptionLetter>()
  for (const answer of answers) {
    if (chosen.has(answer.questionId)) return null
    chosen.set(answer.questionId, answer.selectedAnswer)
  }
  if (chosen.size !== questions.length) return null
  const entries: ReviewEntry[] = []
  for (const question of questions) {
    const userAnswer = chosen.get(question.id)
    if (userAnswer === undefined) return null
    entries.push({ question, userAnswer, isCorrect: userAnswer === question.correctOption })
  }
  return { entries, score: entries.filter((entry) => entry.isCorrect).length }
}

export function percentageOf(score: number, total: number): number {
  return total === 0 ? 0 : Math.round((score / total) * 100)
}

export const GREEN_FROM = 80
export const YELLOW_FROM = 60

export function gradeOf(percentage: number): {
  color: 'green' | 'yellow' | 'red'
  badge: 'default' | 'secondary' | 'destructive'
} {
  if (percentage >= GREEN_FROM) return { color: 'green', badge: 'default' }
  if (percentage >= YELLOW_FROM) return { color: 'yellow', badge: 'secondary' }
  return { color: 'red', badge: 'destructive' }
}

export function encouragementFor(percentage: number): string {
  if (percentage >= 90) return "Outstanding performance! You've mastered this topic."
  if (percentage >= 80) return 'Great job! You have a solid understanding of the material.'
  if (percentage >= 70) return "Good work! You're on the right track."
  if (percentage >= 60) return "Not bad! With some review, you'll improve even more."
  return 'Keep practicing! Every attempt helps you learn and grow.'
}

export function meanPercentage(percentages: readonly number[]): number | null {
  return roundedMean(
    percentages.reduce((total, percentage) => total + percentage, 0),
    percentages.length,
  )
}

export function roundedMean(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round((sum / count) * 10) / 10
}
