import { asc, eq } from 'drizzle-orm'
import type { OptionLetter } from '../../platform/options.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { caseItem } from '../cases/case.ts'
import { isCategory, isDifficulty } from '../categories.ts'
import { isVariant, VARIANTS_PER_FAMILY, variantAt } from '../family/variants.ts'
import type { Question } from '../question.ts'
import { questionsOfTest } from '../test-of-ten.ts'
import type { StoredCase } from './cases/content.ts'
import { practiceCases, questions } from './tables.ts'

interface Cell {
  /** in id order */
  questions: Question[]
  /** JSON bytes of responses by test and variant; '' is the whole cell */
  json: Map<string, Uint8Array>
}

interface Loaded {
  cells: Map<string, Cell>
  items: ReadonlyMap<string, BankItem>
  families: Families
  /** by the id of the question that they replace, in id order */
  variants: Map<number, Question[]>
  cases: ReadonlyMap<string, StoredCase>
  caseItems: ReadonlyMap<string, Markable>
}

export interface Markable {
  question: { correctOption: OptionLetter }
  family: string
  slips: Partial<Record<OptionLetter, string>>
}

export interface BankItem extends Markable {
  question: Question
  topic: string | null
  /** the median of all users in milliseconds, or null if too few were measured */
  usualMs: number | null
}

/** All variants of each family that is served. */
export type Families = ReadonlyMap<string, readonly BankItem[]>

export type Bank = ReturnType<typeof createBank>

/** SQL for the bank's version, which the guard reads with each session. It's 0 before the first load. */
export const BANK_VERSION = 'coalesce((select version from bank), 0)'

/** Keeps the bank in memory. Each call brings the version from its session, and a higher one causes a reload. */
export function createBank({ db }: Pick<AppDependencies, 'db'>) {
  let loaded: { version: number; bank: Promise<Loaded> } | undefined

  async function bankAt(version: number): Promise<Loaded> {
    // A call may have read an older version than the loaded one. It gets the newer bank.
    if (!loaded || loaded.version < version) {
      const attempt = { version, bank: readBank(db) }
      loaded = attempt
      attempt.bank.catch(() => {
        // A failed read is dropped so the next call tries again.
        if (loaded === attempt) loaded = undefined
      })
    }
    return loaded.bank
  }

  return {
    /** Returns a test's questions in the answered variants (product 3.12.2). Empty for an unknown test. */
    async testAsAnswered(
      { category, difficulty }: { category: string; difficulty: string },
      testNumber: number,
      answered: ReadonlySet<number>,
      version: number,
    ): Promise<readonly Question[]> {
      const { cells, variants } = await bankAt(version)
      const cell = cells.get(cellKey(category, difficulty))
      return questionsOfTest(cell?.questions ?? [], testNumber).map(
        (slot) =>
          [slot, ...(variants.get(slot.id) ?? [])].find(({ id }) => answered.has(id)) ?? slot,
      )
    },
    /** Returns a cell's questions without variants, in id order with topics. Empty for an unknown cell. */
    async topics(category: string, difficulty: string, version: number) {
      const { cells, items } = await bankAt(version)
      const inOrder = cells.get(cellKey(category, difficulty))?.questions ?? []
      return inOrder.map(({ id }) => ({ id, topic: items.get(String(id))?.topic ?? null }))
    },
    /** Returns a cell or a test's variant (product 3.12.2) as JSON bytes, cached because encoding is expensive. */
    async cellJson(
      category: string,
      difficulty: string,
      test: { number: number; attempts: number } | undefined,
      version: number,
    ): Promise<Uint8Array> {
      const { cells, variants } = await bankAt(version)
      const cell = cells.get(cellKey(category, difficulty))
      if (!cell) return Buffer.from('[]')
      const key = test ? `${test.number}/${test.attempts % VARIANTS_PER_FAMILY}` : ''
      let json = cell.json.get(key)
      if (json === undefined) {
        const chosen = test
          ? questionsOfTest(cell.questions, test.number).map((slot) =>
              variantAt(slot, variants.get(slot.id) ?? [], test.attempts),
            )
          : cell.questions
        json = Buffer.from(JSON.stringify(chosen))
        // Unknown tests are not cached, so that made-up numbers can't fill the memory.
        if (chosen.length > 0) cell.json.set(key, json)
      }
      return json
    },
    /** All served questions and variants by id as text, in id order. */
    items: async (version: number) => (await bankAt(version)).items,
    families: async (version: number) => (await bankAt(version)).families,
    cases: async (version: number) => (await bankAt(version)).cases,
    caseItems: async (version: number) => (await bankAt(version)).caseItems,
    counts: async (version: number) =>
      [...(await bankAt(version)).cells.values()].flatMap(({ questions: own }) =>
        own
          .slice(0, 1)
          .map(({ category, difficulty }) => ({ category, difficulty, count: own.length })),
      ),
  }
}

async function readBank(db: AppDependencies['db']): Promise<Loaded> {
  const rows = await db
    .select()
    .from(questions)
    .where(eq(questions.retired, false))
    .orderBy(asc(questions.id))
  const cells = new Map<string, Cell>()
  const items = new Map<string, BankItem>()
  const variants = new Map<number, Question[]>()
  // A family's original question has a lower id than its variants.
  const baseOf = new Map<string, number>()
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
      ...(Object.keys(row.slips).length > 0 && { slips: row.slips }),
      ...(row.cites !== null && { source: row.cites }),
      ...(row.rightPercent !== null && { rightPercent: row.rightPercent }),
    }
    const { topic, slips, usualMs } = row
    const item = String(row.id)
    items.set(item, { question, topic, family: row.family ?? item, slips, usualMs })
    if (row.family !== null && isVariant(row.id)) {
      const base = baseOf.get(row.family)
      if (base !== undefined) variants.set(base, [...(variants.get(base) ?? []), question])
      continue
    }
    if (row.family !== null) baseOf.set(row.family, row.id)
    cell.questions.push(question)
    cells.set(key, cell)
  }
  return { cells, items, families: familiesOf(items), variants, ...(await readCases(db)) }
}

function familiesOf(items: ReadonlyMap<string, BankItem>): Families {
  const families = new Map<string, BankItem[]>()
  for (const item of items.values()) {
    const variants = families.get(item.family)
    if (variants) variants.push(item)
    else families.set(item.family, [item])
  }
  return families
}

async function readCases(db: AppDependencies['db']): Promise<Pick<Loaded, 'cases' | 'caseItems'>> {
  const rows = await db
    .select()
    .from(practiceCases)
    .where(eq(practiceCases.retired, false))
    .orderBy(asc(practiceCases.place), asc(practiceCases.slug))
  const cases = new Map(rows.map(({ slug, body }) => [slug, body]))
  const caseItems = new Map<string, Markable>()
  for (const [slug, { served, slips }] of cases) {
    served.questions.forEach(({ answer }, index) => {
      const item = caseItem(slug, index + 1)
      const question = { correctOption: answer }
      caseItems.set(item, { question, family: item, slips: slips[index] ?? {} })
    })
  }
  return { cases, caseItems }
}

function cellKey(category: string, difficulty: string): string {
  return `${category}/${difficulty}`
}
