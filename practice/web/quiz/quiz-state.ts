import * as z from 'zod/mini'
import { errorPracticeUrl, resultsUrl, testsUrl, URLS } from '../../../platform/urls.ts'
import { answerSchema, type Question, questionSchema } from '../../question.ts'
import { markAnswers } from '../../scoring.ts'
import type { OutboxItem } from '../outbox.ts'
import { answersOf, type Draft } from './quiz-draft.ts'

/** What the bare /quiz receives (product 3.3.8). */
export const quizStateSchema = z.object({
  questions: z.array(questionSchema),
  category: z.string(),
  difficulty: z.string(),
  isErrorBasedTest: z.literal(true),
})
export type QuizState = z.infer<typeof quizStateSchema>

/** What the results screen receives (product 3.5.1). */
export const resultsStateSchema = z.object({
  questions: z.array(questionSchema),
  userAnswers: z.array(answerSchema),
  score: z.int(),
  totalQuestions: z.int(),
  isErrorBasedTest: z.boolean(),
  category: z.string(),
  difficulty: z.string(),
  /** whose it is: the browser's history outlives a sign-out */
  userId: z.optional(z.string()),
  /** the attempt's id, to say whether it is saved */
  attemptId: z.optional(z.uuid()),
  /** how long each question was in view, milliseconds by question id; of one without, nobody knows */
  tookMs: z.optional(z.record(z.string(), z.number())),
  completedAt: z.optional(z.iso.datetime()),
})
export type ResultsState = z.infer<typeof resultsStateSchema>

/** The test that a quiz plays: a regular one has a number, an error-based one has none. */
export interface QuizTest {
  category: string
  difficulty: string
  testNumber: number | null
  questions: Question[]
}

/** Where the cross of a quiz leads. */
export function wayBackFrom(test: Omit<QuizTest, 'questions'>): string {
  return test.testNumber === null
    ? errorPracticeUrl(test.category, test.difficulty)
    : testsUrl(test.category, test.difficulty)
}

export type Finished = NonNullable<Draft['finished']>

/** What Finish makes of a completed draft: where to go, with what, and what to send; null if incomplete. */
export function finishTest(
  test: QuizTest,
  draft: Pick<Draft, 'answers' | 'tookMs'>,
  finished: Finished,
  userId: string,
): { url: string; state: ResultsState; item: OutboxItem } | null {
  const { category, difficulty, testNumber, questions } = test
  const userAnswers = answersOf(draft, questions)
  const marked = markAnswers(questions, userAnswers)
  const [first] = questions
  if (!marked || !first) return null
  const { id, completedAt, timeZone } = finished
  const timeOf = (questionId: number) => {
    const tookMs = draft.tookMs[questionId]
    return tookMs === undefined ? {} : { tookMs }
  }
  const state: ResultsState = {
    questions,
    userAnswers,
    score: marked.score,
    totalQuestions: questions.length,
    isErrorBasedTest: testNumber === null,
    category,
    difficulty,
    userId,
    attemptId: id,
    tookMs: draft.tookMs,
    completedAt,
  }
  if (testNumber === null) {
    // No result, but its answers are facts as any others, and the day counts (product 3.9.4).
    const body = {
      id,
      kind: 'mistakes' as const,
      about: { category, difficulty },
      answers: userAnswers.map(({ questionId, selectedAnswer }, place) => ({
        place,
        item: String(questionId),
        choice: selectedAnswer,
        ...timeOf(questionId),
        answeredAt: completedAt,
      })),
      isFinished: true,
      completedAt,
      timeZone,
    }
    return { url: URLS.errorResults, state, item: { kind: 'session', body } }
  }
  return {
    url: resultsUrl(category, difficulty, testNumber),
    state,
    item: {
      kind: 'result',
      body: {
        id,
        // As the bank writes them; the test's own come from the address.
        category: first.category,
        difficulty: first.difficulty,
        testNumber,
        answers: userAnswers.map((answer) => ({ ...answer, ...timeOf(answer.questionId) })),
        completedAt,
        timeZone,
      },
      score: marked.score,
      totalQuestions: questions.length,
    },
  }
}
