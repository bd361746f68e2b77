import * as z from 'zod/mini'
import { errorPracticeUrl, hubUrl, resultsUrl, testsUrl, URLS } from '../../../platform/urls.ts'
import { answerSchema, type Question, questionSchema } from '../../question.ts'
import { markAnswers } from '../../scoring.ts'
import type { OutboxItem } from '../outbox.ts'
import { answersOf, builtDraftName, type Draft, draftName } from './quiz-draft.ts'

export const quizStateSchema = z.object({
  questions: z.array(questionSchema),
  category: z.string(),
  difficulty: z.string(),
  isErrorBasedTest: z.literal(true),
})
export type QuizState = z.infer<typeof quizStateSchema>

const builtSchema = z.object({
  title: z.string(),
  search: z.string(),
  /** the same choice again, with other questions, or the same ones for mistakes */
  againSearch: z.string(),
  ofMistakes: z.boolean(),
  clock: z.enum(['off', 'pace', 'timed']),
  about: z.record(z.string(), z.union([z.string(), z.int(), z.array(z.string())])),
  kind: z.enum(['built', 'slip']),
})
export type Built = z.infer<typeof builtSchema>

export const resultsStateSchema = z.object({
  questions: z.array(questionSchema),
  userAnswers: z.array(answerSchema),
  score: z.int(),
  totalQuestions: z.int(),
  isErrorBasedTest: z.boolean(),
  category: z.string(),
  difficulty: z.string(),
  /** checked because the browser's history outlives a sign-out */
  userId: z.optional(z.string()),
  attemptId: z.optional(z.uuid()),
  /** milliseconds in view by question id; missing if not measured */
  tookMs: z.optional(z.record(z.string(), z.number())),
  completedAt: z.optional(z.iso.datetime()),
  built: z.optional(builtSchema),
})
export type ResultsState = z.infer<typeof resultsStateSchema>

export interface QuizTest {
  category: string
  difficulty: string
  testNumber: number | null
  questions: Question[]
  built?: Built
}

export const nameOfTest = ({ category, difficulty, testNumber, built }: QuizTest): string =>
  built ? builtDraftName(built.search) : draftName(category, difficulty, testNumber)

export function wayBackFrom(test: Omit<QuizTest, 'questions'>): string {
  if (test.built) return test.built.kind === 'slip' ? hubUrl('mistakes') : URLS.build
  return test.testNumber === null
    ? errorPracticeUrl(test.category, test.difficulty)
    : testsUrl(test.category, test.difficulty)
}

export type Finished = NonNullable<Draft['finished']>

/** Returns what Finish opens and sends, or null if incomplete. A custom test's open questions count as wrong. */
export function finishTest(
  test: QuizTest,
  draft: Pick<Draft, 'answers' | 'tookMs'>,
  finished: Finished,
  userId: string,
): { url: string; state: ResultsState; item: OutboxItem | null } | null {
  const { category, difficulty, testNumber, questions, built } = test
  const userAnswers = answersOf(draft, questions)
  const marked = built
    ? { score: questions.filter((one) => draft.answers[one.id] === one.correctOption).length }
    : markAnswers(questions, userAnswers)
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
    ...(built && { built }),
  }
  if (testNumber === null) {
    // There is no result, but the answers and the day count (product 3.9.4).
    const body = {
      id,
      kind: built?.kind ?? ('mistakes' as const),
      about: built?.about ?? { category, difficulty },
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
    const item = userAnswers.length > 0 ? { kind: 'session' as const, body } : null
    return { url: URLS.errorResults, state, item }
  }
  return {
    url: resultsUrl(category, difficulty, testNumber),
    state,
    item: {
      kind: 'result',
      body: {
        id,
        // The bank's spelling is used, because the test's comes from the address.
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
