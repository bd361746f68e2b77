import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { and, eq, getTableColumns, notInArray, sql } from 'drizzle-orm'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import type { Database } from '../../../platform/database/database.ts'
import { optionLetterSchema } from '../../../platform/options.ts'
import { CONTENT_DIR } from '../../../platform/server/project-folder.ts'
import { type Category, type Difficulty, listCells, slugOf } from '../../categories.ts'
import { categorySchema, difficultySchema } from '../../question.ts'
import { type CaseContent, parseCase, toStoredCase } from '../cases/content.ts'
import { readSlips, type Slip } from '../slips-store.ts'
import { bank, practiceCases, questions, type spokenPrompts } from '../tables.ts'

/** Ids from here on belong to imported questions. Ids in content/ are lower. */
const FIRST_IMPORT_ID = 100_000

const text = z.string().trim().min(1)
const mistake = text.optional()
const slug = z.string().regex(/^[a-z0-9-]+$/, { error: 'must be lower case with hyphens' })
const slip = slug.optional()
const formula = z.union([z.string(), z.number().transform(String)]).optional()

export const THINKING = ['recall', 'apply', 'compute', 'judge'] as const

export const contentQuestionSchema = z.strictObject({
  id: z
    .int()
    .positive()
    .max(FIRST_IMPORT_ID - 1),
  topic: z.string().regex(/^[a-z0-9&-]+$/, { error: 'must be lower case with hyphens' }),
  /** required in practice, but not in the samples of assessments */
  thinking: z.enum(THINKING).optional(),
  question: text,
  options: z.strictObject({ A: text, B: text, C: text, D: text }),
  answer: optionLetterSchema,
  /** a mathjs expression that gives the number in the key */
  compute: formula,
  /** for each distractor with a number, a mathjs expression of its mistake that gives that number */
  wrong: z.strictObject({ A: formula, B: formula, C: formula, D: formula }).optional(),
  explanation: text,
  why: z.strictObject({ A: mistake, B: mistake, C: mistake, D: mistake }),
  slips: z.strictObject({ A: slip, B: slip, C: slip, D: slip }).optional(),
  /** the standard or text that states the rule: 'ASC 842-20-25' */
  source: text.max(120).optional(),
  /** the month when an editor last checked the source, if the rule can change: '2026-11' */
  asOf: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'must be a month: 2026-11' })
    .optional(),
  /** how hard independent solvers found it for an internship superday, from 1 (warm-up) to 5 (few get it) */
  hardness: z.number().min(1).max(5).optional(),
  /** the family in families/NAME.yaml that has variants with other numbers */
  family: slug.optional(),
  retired: z.boolean().optional(),
})
export type ContentQuestion = z.infer<typeof contentQuestionSchema>

export interface ContentFile {
  category: Category
  difficulty: Difficulty
  name: string
  text: string
}

/** Reads the files of a folder of content/ named CATEGORY/DIFFICULTY.yaml. */
async function readCellFiles(folder: string, contentDir: string): Promise<ContentFile[]> {
  const files: ContentFile[] = []
  for (const { category, difficulty } of listCells()) {
    const name = path.join(folder, slugOf(category), `${slugOf(difficulty)}.yaml`)
    const text = await readFile(path.join(contentDir, name), 'utf8').catch(() => null)
    if (text !== null) files.push({ category, difficulty, name, text })
  }
  return files
}

export const readQuestionFiles = (contentDir = CONTENT_DIR) =>
  readCellFiles('questions', contentDir)

const variantsFileSchema = z.strictObject({
  family: slug,
  category: categorySchema,
  difficulty: difficultySchema,
  variants: z.array(contentQuestionSchema),
})
export type VariantsFile = z.infer<typeof variantsFileSchema>

/** Reads the files of a folder of content/, sorted by name. Returns none if the folder is missing. */
export async function readYamlFiles(
  folder: string,
  contentDir = CONTENT_DIR,
): Promise<{ name: string; text: string }[]> {
  const found = await readdir(path.join(contentDir, folder)).catch(() => [])
  const names = found.filter((name) => name.endsWith('.yaml')).sort()
  return Promise.all(
    names.map(async (name) => ({
      name: `${folder}/${name}`,
      text: await readFile(path.join(contentDir, folder, name), 'utf8'),
    })),
  )
}

export const blueprintSchema = z.strictObject({
  topics: z.array(
    z.strictObject({
      topic: text,
      asked: z.enum(['very-often', 'often', 'sometimes']),
      recall: z.int().positive().optional(),
      apply: z.int().positive().optional(),
      compute: z.int().positive().optional(),
      judge: z.int().positive().optional(),
    }),
  ),
})

export async function readBlueprintFiles(contentDir = CONTENT_DIR): Promise<Map<string, string>> {
  const files = await readCellFiles('blueprints', contentDir)
  return new Map(
    files.map(({ category, difficulty, text }) => [
      `${slugOf(category)}/${slugOf(difficulty)}`,
      text,
    ]),
  )
}

/** Lists files that belong to no cell, because a misspelled name would silently lose its questions. */
export async function listStrayQuestionFiles(contentDir = CONTENT_DIR): Promise<string[]> {
  const known = new Set((await readQuestionFiles(contentDir)).map((file) => file.name))
  const found = await readdir(path.join(contentDir, 'questions'), { recursive: true })
  return found
    .map((name) => path.join('questions', name))
    .filter((name) => /\.ya?ml$/.test(name) && !known.has(name))
}

export function parseQuestions(file: ContentFile): ContentQuestion[] {
  return z.array(contentQuestionSchema).parse(parseYaml(file.text))
}

/** Change this text if the same files must be stored differently. The next start then loads them again. */
const STORED_AS = 'families, cases and what a rule cites'

/** This lock number is arbitrary but must be the same on every node. */
export const BANK_LOCK = 7_201_976

/** Updates the bank from content/, but not imports or measured values. Returns null if nothing changed. */
export async function loadContent(db: Database, contentDir = CONTENT_DIR): Promise<number | null> {
  const files = await readQuestionFiles(contentDir)
  const variants = await readYamlFiles('variants', contentDir)
  const cases = await readYamlFiles('cases', contentDir)
  const slips = await readSlips(contentDir)
  const hash = createHash('sha256').update(STORED_AS)
  for (const file of [...files, ...variants, ...cases]) {
    hash.update(file.name).update('\0').update(file.text).update('\0')
  }
  // Stored cases include the names of mistake patterns.
  const contentHash = hash.update(JSON.stringify([...slips.values()])).digest('hex')

  return db.transaction(async (tx) => {
    // Nodes that start together load one after another, and only the first has work to do. Loading may exceed the
    // pool's timeouts for calls.
    await tx.execute(sql`set local lock_timeout = 0`)
    await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`)
    await tx.execute(sql`select pg_advisory_xact_lock(${BANK_LOCK})`)
    const [state] = await tx.select().from(bank)
    if (state?.contentHash === contentHash) return null

    const rows = [
      ...files.flatMap((file) => parseQuestions(file).map((question) => toRow(question, file))),
      ...variants.flatMap(({ text }) => {
        const file = variantsFileSchema.parse(parseYaml(text))
        return file.variants.map((question) => toRow(question, file))
      }),
    ]
    for (let start = 0; start < rows.length; start += 500) {
      await tx
        .insert(questions)
        .values(rows.slice(start, start + 500))
        .onConflictDoUpdate({
          target: questions.id,
          set: excludedOf(questions, rows[0], ['id', 'source']),
        })
    }
    const ids = rows.map((row) => row.id)
    await tx
      .update(questions)
      .set({ retired: true })
      .where(
        and(
          eq(questions.source, 'content'),
          ids.length > 0 ? notInArray(questions.id, ids) : sql`true`,
        ),
      )
    await storeCases(
      tx,
      cases.map(({ text }) => parseCase(text)),
      slips,
    )
    await raiseBankVersion(tx, contentHash)
    return rows.length
  })
}

async function storeCases(
  tx: Transaction,
  cases: readonly CaseContent[],
  slips: ReadonlyMap<string, Slip>,
): Promise<void> {
  await tx.update(practiceCases).set({ retired: true })
  if (cases.length === 0) return
  const rows = cases.map((content) => ({
    slug: content.case,
    place: content.place,
    body: toStoredCase(content, slips),
    retired: content.retired,
  }))
  await tx
    .insert(practiceCases)
    .values(rows)
    .onConflictDoUpdate({
      target: practiceCases.slug,
      set: excludedOf(practiceCases, rows[0], ['slug']),
    })
}

/** Lists the columns that an upsert overwrites. Measured values stay. */
export function excludedOf(
  table: typeof questions | typeof practiceCases | typeof spokenPrompts,
  brought: object = {},
  kept: readonly string[],
) {
  return Object.fromEntries(
    Object.entries(getTableColumns(table))
      .filter(([name]) => name in brought && !kept.includes(name))
      .map(([name, column]) => [name, sql.raw(`excluded.${column.name}`)]),
  )
}

function toRow(
  question: ContentQuestion,
  { category, difficulty }: { category: Category; difficulty: Difficulty },
) {
  const { id, topic, options, explanation, why } = question
  return {
    ...{ id, category, difficulty, topic, explanation, why },
    question: question.question,
    answerA: options.A,
    answerB: options.B,
    answerC: options.C,
    answerD: options.D,
    correctOption: question.answer,
    slips: question.slips ?? {},
    family: question.family ?? null,
    cites: question.source ?? null,
    source: 'content' as const,
    retired: question.retired ?? false,
  }
}

type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/** Tells every node that the bank changed (see practice/server/bank.ts). */
export async function raiseBankVersion(tx: Transaction, contentHash?: string): Promise<void> {
  await tx
    .insert(bank)
    .values({ id: 1, version: 1, contentHash })
    .onConflictDoUpdate({
      target: bank.id,
      set: {
        version: sql`${bank.version} + 1`,
        ...(contentHash === undefined ? {} : { contentHash }),
      },
    })
}
