import type { Client } from '../action.ts'

export interface Grade {
  correct: number
  incorrect: number
}

/** A result that an action changed, for whoever has to tell the candidate. */
export interface ResultChange {
  username: string
  isDemo: boolean
  before: Grade
  after: Grade
}

/** Every result there is, by attempt, in the order of usernames. */
export type Grades = ReadonlyMap<string, Grade & { username: string; isDemo: boolean }>

/**
 * Does something that moves results, and tells which.
 * @param work a change of keys or answers in the same transaction
 */
export async function findChanges(
  client: Client,
  code: string,
  work: () => Promise<void>,
): Promise<ResultChange[]> {
  const before = await readGrades(client, code)
  await work()
  return changesBetween(before, await readGrades(client, code))
}

/** Of those who were done before and after, whose result is another now. */
export function changesBetween(before: Grades, after: Grades): ResultChange[] {
  return [...after].flatMap(([attemptId, now]) => {
    const was = before.get(attemptId)
    if (!was || (was.correct === now.correct && was.incorrect === now.incorrect)) return []
    return [
      {
        username: now.username,
        isDemo: now.isDemo,
        before: { correct: was.correct, incorrect: was.incorrect },
        after: { correct: now.correct, incorrect: now.incorrect },
      },
    ]
  })
}

/** The results as they stand now. */
export async function readGrades(client: Client, code: string): Promise<Grades> {
  const { rows } = await client.query<
    Grade & { attemptId: string; username: string; isDemo: boolean }
  >(
    `select attempt_id as "attemptId", "user" as username, correct, incorrect, is_demo as "isDemo"
     from assessment_results where assessment = $1 order by lower("user")`,
    [code],
  )
  return new Map(rows.map((row) => [row.attemptId, row]))
}

/** As it stands in the audit log: username, then correct and incorrect before and after. */
export function summariseChanges(changes: readonly ResultChange[]) {
  return changes.map(({ username, before, after }) => ({ username, before, after }))
}
