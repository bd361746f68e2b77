import type { ResultsState } from '../quiz/quiz-state.ts'

/** What a results screen shows, whether just finished or loaded. */
export type ResultsData = ResultsState & { testNumber: number | null; completedAt?: string }
