import { asc, eq } from 'drizzle-orm'
import type { OptionLetter } from '../../platform/options.ts'
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
  /** answers already written out as bytes of JSON, by test number; 0 is the whole cell */
  json: Map<number, Uint8Array>
}

interface Loaded {
  cells: Map<string, Cell>
  items: Map<string, BankItem>
}

/** A question as the server knows it: with what the schedule and the count of slips need besides. */
export interface BankItem {
  question: Question
  /** null where an imported question names none */
  topic: string | null
  /** one for questions that differ in their numbers alone; the question's own id else */
  family: string
  /** for a distractor, the code of the mistake behind it */
  slips: Partial<Record<OptionLetter, string>>
  /** median time of everybody, milliseconds; null where too few were measured */
  usualMs: number | null
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
  /** Every question that is served, by its id as text (what facts call an item), in id order. */
  items(version: number): Promise<ReadonlyMap<string, BankItem>>
  /** How many questions each cell holds. */
  counts(version: number): Promise<readonly CellCount[]>
}

/** The bank's version in SQL, for the guard to read with each session; 0 before anything was loaded. */
export const BANK_VERSION = 'coalesce((select version from bank), 0)'

export function createBank({ db }: Pick<AppDependencies, 'db'>): Bank {
  let loaded: { version: number; bank: Promise<Loaded> } | undefined

  async function read(): Promise<Loaded> {
    const rows = await db
      .select()
      .from(questions)
      .where(eq(questions.retired, false))
      .orderBy(asc(questions.id))
    const cells = new Map<string, Cell>()
    const items = new Map<string, BankItem>()
    for (const row of rows) {
      if (!isCategory(row.category) || !isDifficulty(row.difficulty)) continue
      const key = cellKey(row.category, row.difficulty)
      const cell: Cell = cells.get(key) ?? { questions: [], json: new Map() }
      const question: Question = {
        id: row.id,
        category: row.category,
        difficulty: row.difficulty,
        question: row.question,
        options: { A: row.answerA, B: row.answerB, C: row.answerC, D: row.answerD },
        correctOption: row.correctOption,
        explanation: row.explanation,
        why: row.why,
      }
      cell.questions.push(question)
      const { topic, slips, usualMs } = row
      const item = String(row.id)
      items.set(item, { question, topic, family: row.family ?? item, slips, usualMs })
      cells.set(key, cell)
    }
    return { cells, items }
  }

  async function bankAt(version: number): Promise<Loaded> {
    // A call that read an older version than is loaded gets the newer bank: never go back.
    if (!loaded || loaded.version < version) {
      const attempt = { version, bank: read() }
      loaded = attempt
      attempt.bank.catch(() => {
        // Forget a failed read, so that the next call tries again.
        if (loaded === attempt) loaded = undefined
      })
    }
    return loaded.bank
  }

  return {
    async cell(category, difficulty, version) {
      return (await bankAt(version)).cells.get(cellKey(category, difficulty))?.questions ?? []
    },
    async cellJson(category, difficulty, testNumber, version) {
      const cell = (await bankAt(version)).cells.get(cellKey(category, difficulty))
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
    async items(version) {
      return (await bankAt(version)).items
    },
    async counts(version) {
      return [...(await bankAt(version)).cells.values()].map((cell) => ({
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
