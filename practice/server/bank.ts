import { asc, eq } from 'drizzle-orm'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { isCategory } from '../categories.ts'
import { isDifficulty } from '../difficulties.ts'
import type { CellCount } from '../progress.ts'
import type { Question } from '../question.ts'
import { questionsOfTest } from '../test-of-ten.ts'
import { questions } from './tables.ts'

interface Cell {
  /** in id order */
  questions: Question[]
  /** what each of them is about, in the same order */
  topics: QuestionTopic[]
  /** answers already written out as bytes of JSON, by test number; 0 is the whole cell */
  json: Map<number, Uint8Array>
}

export interface QuestionTopic {
  id: number
  /** null where an imported question names none */
  topic: string | null
}

/**
 * The question bank in memory, read from the database whenever its version has risen. Every call
 * learns the version with its session read, so that an import is seen by all nodes at once and none of
 * them asks the database for what it has.
 */
export interface Bank {
  /** The questions of a cell in id order; empty for an unknown cell. */
  cell(category: string, difficulty: string, version: number): Promise<readonly Question[]>
  /** A cell, or one of its tests, as JSON in UTF-8: text would be encoded anew at every call. */
  cellJson(
    category: string,
    difficulty: string,
    testNumber: number | undefined,
    version: number,
  ): Promise<Uint8Array>
  /** What the questions of a cell are about, in id order; empty for an unknown cell. */
  topics(category: string, difficulty: string, version: number): Promise<readonly QuestionTopic[]>
  /** How many questions each cell holds. */
  counts(version: number): Promise<readonly CellCount[]>
}

/** The bank's version in SQL, for the guard to read with each session; 0 before anything was loaded. */
export const BANK_VERSION = 'coalesce((select version from bank), 0)'

export function createBank({ db }: Pick<AppDependencies, 'db'>): Bank {
  let loaded: { version: number; cells: Promise<Map<string, Cell>> } | undefined

  async function read(): Promise<Map<string, Cell>> {
    const rows = await db
      .select()
      .from(questions)
      .where(eq(questions.retired, false))
      .orderBy(asc(questions.id))
    const cells = new Map<string, Cell>()
    for (const row of rows) {
      if (!isCategory(row.category) || !isDifficulty(row.difficulty)) continue
      const key = cellKey(row.category, row.difficulty)
      const cell: Cell = cells.get(key) ?? { questions: [], topics: [], json: new Map() }
      cell.questions.push({
        id: row.id,
        category: row.category,
        difficulty: row.difficulty,
        question: row.question,
        options: { A: row.answerA, B: row.answerB, C: row.answerC, D: row.answerD },
        correctOption: row.correctOption,
        explanation: row.explanation,
        why: row.why,
      })
      cell.topics.push({ id: row.id, topic: row.topic })
      cells.set(key, cell)
    }
    return cells
  }

  async function cellsAt(version: number): Promise<Map<string, Cell>> {
    // A call that read an older version than is loaded gets the newer bank: never go back.
    if (!loaded || loaded.version < version) {
      const attempt = { version, cells: read() }
      loaded = attempt
      attempt.cells.catch(() => {
        // Forget a failed read, so that the next call tries again.
        if (loaded === attempt) loaded = undefined
      })
    }
    return loaded.cells
  }

  return {
    async cell(category, difficulty, version) {
      return (await cellsAt(version)).get(cellKey(category, difficulty))?.questions ?? []
    },
    async cellJson(category, difficulty, testNumber, version) {
      const cell = (await cellsAt(version)).get(cellKey(category, difficulty))
      if (!cell) return NO_QUESTIONS
      const key = testNumber ?? 0
      let json = cell.json.get(key)
      if (json === undefined) {
        const chosen =
          testNumber === undefined ? cell.questions : questionsOfTest(cell.questions, testNumber)
        json = Buffer.from(JSON.stringify(chosen))
        // Only tests that exist are kept, so that made-up numbers don't fill the memory.
        if (chosen.length > 0) cell.json.set(key, json)
      }
      return json
    },
    async topics(category, difficulty, version) {
      return (await cellsAt(version)).get(cellKey(category, difficulty))?.topics ?? []
    },
    async counts(version) {
      return [...(await cellsAt(version)).values()].map((cell) => ({
        category: cell.questions[0]?.category ?? '',
        difficulty: cell.questions[0]?.difficulty ?? '',
        count: cell.questions.length,
      }))
    },
  }
}

const NO_QUESTIONS = Buffer.from('[]')

function cellKey(category: string, difficulty: string): string {
  return `${category}/${difficulty}`
}
