// How a mock superday runs: product 3.15.1 and 3.15.2.

/** An evening is closed so long after its start, whatever was done of it. */
export const EVENING_MS = 4 * 3_600_000

/** Its test: questions, and seconds for all of them. */
export const TEST_QUESTIONS = 20
export const TEST_SECONDS = 1_800

export const EVENING_DRILL = '80-in-8'

/** The four parts in their order, with the minutes that each takes. */
export const PARTS = ['test', 'case', 'aloud', 'drill'] as const
export type Part = (typeof PARTS)[number]
export const PART_MINUTES: Record<Part, number> = { test: 30, case: 12, aloud: 12, drill: 8 }

/** @param startedAtMs epoch milliseconds, as everything here */
export const closesAtMs = (startedAtMs: number): number => startedAtMs + EVENING_MS

/** The last moment to begin the test: its whole time lies within the evening. */
export const lastTestStartMs = (startedAtMs: number): number =>
  closesAtMs(startedAtMs) - TEST_SECONDS * 1_000
