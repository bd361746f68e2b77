import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/database.ts'
import { FileProblems } from '../../../platform/server/admin-error.ts'
import { inLineOrder, readCsv, writeCsv } from '../../../platform/server/csv/csv.ts'
import { CATEGORIES, DIFFICULTIES, isCategory, isDifficulty } from '../../categories.ts'
import { questions } from '../tables.ts'
import { FIRST_IMPORT_ID, raiseBankVersion } from './content.ts'

/** The columns of product 3.1.1, in its order. */
export const QUESTION_COLUMNS = [
  'ID',
  'Category',
  'Difficulty',
  'Question',
  'Answer A',
  'Answer B',
  'Answer C',
  'Answer D',
  'Correct Option',
  'Explanation',
] as const
type Column = (typeof QUESTION_COLUMNS)[number]
type Row = Record<Column, string>

interface Parsed {
  line: number
  /** null: the next free one */
  id: number | null
  row: Row
}

/** All served questions as CSV; cells that a spreadsheet would run get an apostrophe, which import takes off. */
export async function exportQuestions(db: Database): Promise<string> {
  const rows = await db
    .select()
    .from(questions)
    .where(eq(questions.retired, false))
    .orderBy(asc(questions.id))
  return writeCsv(
    QUESTION_COLUMNS,
    rows.map(toRow).map((row) => QUESTION_COLUMNS.map((column) => row[column])),
  )
}

/**
 * Adds and corrects questions from a CSV file (product 3.1.1, 3.1.4), all or nothing. Ids from 100,000 are imported
 * ones; lower ids belong to content/ and may only be unchanged. Errors: FileProblems with every problem and its line.
 */
export async function importQuestions(
  db: Database,
  text: string,
): Promise<{ added: number; changed: number }> {
  const parsed = readRows(text)
  return db.transaction(async (tx) => {
    // One import at a time: two of them would give out the same ids.
    await tx.execute(sql`lock table ${questions} in share row exclusive mode`)
    const ids = parsed.flatMap(({ id }) => (id === null ? [] : [id]))
    const stored = new Map(
      (ids.length > 0
        ? await tx.select().from(questions).where(inArray(questions.id, ids))
        : []
      ).map((row) => [row.id, row]),
    )
    const problems = parsed.flatMap(({ line, id, row }) => {
      if (id === null || id >= FIRST_IMPORT_ID) return []
      const known = stored.get(id)
      if (known && isSame(toRow(known), row)) return []
      return [
        known
          ? `line ${line}: ID ${id} belongs to the product's own content and can't be changed here`
          : `line ${line}: ID ${id} is too low; leave it empty for a new question, or use ${FIRST_IMPORT_ID} and above`,
      ]
    })
    if (problems.length > 0) throw new FileProblems(problems)

    const [highest] = await tx
      .select({ id: sql<number | null>`max(${questions.id})` })
      .from(questions)
      .where(eq(questions.source, 'import'))
    let nextId = Math.max(FIRST_IMPORT_ID, (highest?.id ?? 0) + 1, ...ids.map((id) => id + 1))
    let added = 0
    let changed = 0
    for (const { id, row } of parsed) {
      const known = id === null ? undefined : stored.get(id)
      if (known && isSame(toRow(known), row) && !known.retired) continue
      const values = {
        category: row.Category,
        difficulty: row.Difficulty,
        question: row.Question,
        answerA: row['Answer A'],
        answerB: row['Answer B'],
        answerC: row['Answer C'],
        answerD: row['Answer D'],
        correctOption: row['Correct Option'] as 'A' | 'B' | 'C' | 'D',
        explanation: row.Explanation || null,
        retired: false,
      }
      if (known) {
        changed += 1
        await tx.update(questions).set(values).where(eq(questions.id, known.id))
      } else {
        added += 1
        const newId = id ?? nextId++
        await tx.insert(questions).values({ id: newId, source: 'import', ...values })
      }
    }
    if (added + changed > 0) await raiseBankVersion(tx)
    return { added, changed }
  })
}

/** Errors: FileProblems. */
function readRows(text: string): Parsed[] {
  const { rows, problems } = readCsv(text, { required: QUESTION_COLUMNS })
  const parsed: Parsed[] = []
  const lineOfId = new Map<number, number>()
  for (const { line, cells } of rows) {
    if (QUESTION_COLUMNS.every((column) => cells[column] === '')) continue
    problems.push(...checkRow(cells).map((problem) => `line ${line}: ${problem}`))
    const id = cells.ID === '' ? null : Number(cells.ID)
    if (id !== null && Number.isInteger(id)) {
      const earlier = lineOfId.get(id)
      if (earlier) problems.push(`line ${line}: ID ${id} stands on line ${earlier} too`)
      lineOfId.set(id, line)
    }
    parsed.push({ line, id, row: cells })
  }
  if (problems.length > 0) throw new FileProblems(inLineOrder(problems))
  return parsed
}

function checkRow(row: Row): string[] {
  const problems: string[] = []
  const id = Number(row.ID)
  if (row.ID !== '' && !(Number.isInteger(id) && id > 0 && id < 2 ** 31)) {
    problems.push(`ID '${row.ID}' is no positive whole number`)
  }
  if (!isCategory(row.Category)) {
    problems.push(`Category '${row.Category}' is none of: ${CATEGORIES.join('; ')}`)
  }
  if (!isDifficulty(row.Difficulty)) {
    problems.push(`Difficulty '${row.Difficulty}' is none of: ${DIFFICULTIES.join('; ')}`)
  }
  for (const column of ['Question', 'Answer A', 'Answer B', 'Answer C', 'Answer D'] as const) {
    if (row[column] === '') problems.push(`${column} is empty`)
    if (row[column].includes('\0'))
      problems.push(`${column} holds a character that can't be stored`)
  }
  const answers = [row['Answer A'], row['Answer B'], row['Answer C'], row['Answer D']]
  if (new Set(answers).size < 4) problems.push('two answers are the same')
  if (!/^[A-D]$/.test(row['Correct Option'])) {
    problems.push(`Correct Option '${row['Correct Option']}' is none of A, B, C, D`)
  }
  return problems
}

function isSame(a: Row, b: Row): boolean {
  return QUESTION_COLUMNS.every((column) => a[column].trim() === b[column].trim())
}

function toRow(row: typeof questions.$inferSelect): Row {
  return {
    ID: String(row.id),
    Category: row.category,
    Difficulty: row.difficulty,
    Question: row.question,
    'Answer A': row.answerA,
    'Answer B': row.answerB,
    'Answer C': row.answerC,
    'Answer D': row.answerD,
    'Correct Option': row.correctOption,
    Explanation: row.explanation ?? '',
  }
}
