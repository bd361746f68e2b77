import sql from 'sql-template-tag'
import type { Client } from '../../kit/server/action.ts'

interface Grade {
  correct: number
  incorrect: number
}

export interface ResultChange {
  username: string
  isDemo: boolean
  before: Grade
  after: Grade
}

/**
 * Compares results before and after a change of keys or answers.
 * @param work makes the change in the same transaction
 * @returns all results before and after by attempt, in the order of usernames, including unchanged ones
 */
export async function compareResults<T>(
  client: Client,
  code: string,
  work: () => Promise<T>,
): Promise<{ done: T; results: Map<string, ResultChange> }> {
  const before = new Map((await readGrades(client, code)).map((one) => [one.attemptId, one.grade]))
  const done = await work()
  const results = new Map<string, ResultChange>()
  for (const { attemptId, grade, ...whose } of await readGrades(client, code)) {
    const was = before.get(attemptId)
    if (was) results.set(attemptId, { ...whose, before: was, after: grade })
  }
  return { done, results }
}

async function readGrades(client: Client, code: string) {
  const { rows } = await client.query<
    Pick<ResultChange, 'username' | 'isDemo'> & { attemptId: string; grade: Grade }
  >(
    sql`select attempt_id as "attemptId", "user" as username, is_demo as "isDemo",
       jsonb_build_object('correct', correct, 'incorrect', incorrect) as grade
     from assessment_results where assessment = ${code} order by lower("user")`,
  )
  return rows
}

export const changedOnly = (results: ReadonlyMap<string, ResultChange>): ResultChange[] =>
  [...results.values()].filter(
    ({ before, after }) => before.correct !== after.correct || before.incorrect !== after.incorrect,
  )

export const summarizeChanges = (changes: readonly ResultChange[]) =>
  changes.map(({ isDemo, ...change }) => change)
