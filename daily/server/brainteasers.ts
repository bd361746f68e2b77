import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { asc, inArray, notInArray, sql } from 'drizzle-orm'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { OPTION_LETTERS, optionLetterSchema } from '../../platform/options.ts'
import { FileProblems } from '../../platform/server/admin-error.ts'
import { readCsv, writeCsv } from '../../platform/server/csv/csv.ts'
import { CONTENT_DIR } from '../../platform/server/project-folder.ts'
import { readSlips, type Slip } from '../../practice/server/slips-store.ts'
import { brainteasers, dailyBrainteasers, type Mistakes } from './tables.ts'

const text = z.string().trim().min(1)
const mistake = text.optional()
const slip = z.string().optional()

const brainteaserSchema = z.strictObject({
  id: z.int().positive(),
  kind: z.enum(['logic', 'probability', 'estimation', 'sequence', 'market']),
  /** from 1 (easy) to 3 (hard) */
  level: z.int().min(1).max(3),
  statement: text,
  options: z.strictObject({ A: text, B: text, C: text, D: text }),
  answer: optionLetterSchema,
  compute: z.union([z.string(), z.number().transform(String)]).optional(),
  explanation: text,
  /** for each distractor, the mistake that leads to it */
  why: z.strictObject({ A: mistake, B: mistake, C: mistake, D: mistake }),
  /** for each distractor, the code of that mistake in slips.yaml */
  slips: z.strictObject({ A: slip, B: slip, C: slip, D: slip }),
  retired: z.boolean().optional(),
})
export type BrainteaserContent = z.infer<typeof brainteaserSchema>

/** The brainteasers of content/, in the order in which they are used. Throws ZodError or a YAML error. */
export async function readBrainteasers(contentDir = CONTENT_DIR): Promise<BrainteaserContent[]> {
  const file = await readFile(path.join(contentDir, 'brainteasers.yaml'), 'utf8').catch(() => '[]')
  return z.array(brainteaserSchema).parse(parseYaml(file))
}

const WRITTEN = 'statement a b c d correct explanation mistakes retired'.split(' ')
const listed = (of: string) => sql.raw(WRITTEN.map((name) => `${of}.${name}`).join(', '))

/** Adds, corrects and retires brainteasers in one statement. Days that already have one keep their snapshot. */
export async function loadBrainteasers(db: Database, contentDir = CONTENT_DIR): Promise<void> {
  const items = await readBrainteasers(contentDir)
  const slips = await readSlips(contentDir)
  const ids = items.map(({ id }) => id)
  await db.transaction(async (tx) => {
    if (items.length > 0) {
      await tx
        .insert(brainteasers)
        .values(
          items.map((item) => ({
            id: item.id,
            statement: item.statement,
            a: item.options.A,
            b: item.options.B,
            c: item.options.C,
            d: item.options.D,
            correct: item.answer,
            explanation: item.explanation,
            mistakes: mistakesOf(item, slips),
            retired: item.retired ?? false,
          })),
        )
        .onConflictDoUpdate({
          target: brainteasers.id,
          set: Object.fromEntries(WRITTEN.map((name) => [name, sql.raw(`excluded.${name}`)])),
          setWhere: sql`(${listed('brainteasers')}) is distinct from (${listed('excluded')})`,
        })
    }
    await tx
      .update(brainteasers)
      .set({ retired: true })
      .where(ids.length > 0 ? notInArray(brainteasers.id, ids) : sql`true`)
  })
}

function mistakesOf({ why, slips }: BrainteaserContent, named: Map<string, Slip>): Mistakes {
  return Object.fromEntries(
    OPTION_LETTERS.flatMap((letter) => {
      const name = named.get(slips[letter] ?? '')?.name
      const sentence = why[letter]
      return name && sentence ? [[letter, { name, sentence }]] : []
    }),
  )
}

/** The columns of product 5.2. */
const COLUMNS = ['Date', 'Statement', 'A', 'B', 'C', 'D', 'Correct', 'Explanation'] as const

/**
 * Schedules brainteasers from a CSV file (product 5.2, 5.3), all or nothing. Dates are d/m/yy; a date that already has
 * one is rejected. Returns how many. Errors: FileProblems with every problem and its line.
 */
export async function importDaily(db: Database, csv: string, now: Date): Promise<number> {
  const { rows, problems } = readCsv(csv, {
    required: ['Date', 'Statement', 'A', 'B', 'C', 'D', 'Correct'],
    optional: ['Explanation'],
  })
  const lineOf = new Map<string, number>()
  const values = rows.map(({ line, cells }) => {
    const date = parseShortDate(cells.Date)
    if (!date) problems.push(`line ${line}: '${cells.Date}' is not a date such as 5/3/27`)
    else if (lineOf.has(date)) {
      problems.push(`line ${line}: ${cells.Date} is also on line ${lineOf.get(date)}`)
    } else lineOf.set(date, line)
    for (const column of ['Statement', 'A', 'B', 'C', 'D'] as const) {
      if (cells[column] === '') problems.push(`line ${line}: ${column} is empty`)
    }
    if (new Set([cells.A, cells.B, cells.C, cells.D]).size < 4) {
      problems.push(`line ${line}: two options are the same`)
    }
    const correct = optionLetterSchema.safeParse(cells.Correct)
    if (!correct.success) {
      problems.push(`line ${line}: Correct '${cells.Correct}' is not A, B, C or D`)
    }
    return {
      date: date ?? '',
      statement: cells.Statement,
      a: cells.A,
      b: cells.B,
      c: cells.C,
      d: cells.D,
      correct: correct.data ?? 'A',
      explanation: cells.Explanation || null,
      createdAt: now,
    }
  })
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${dailyBrainteasers} in share row exclusive mode`)
    const dates = [...lineOf.keys()]
    const taken =
      dates.length === 0
        ? []
        : await tx
            .select({ date: dailyBrainteasers.date })
            .from(dailyBrainteasers)
            .where(inArray(dailyBrainteasers.date, dates))
    for (const { date } of taken) {
      problems.push(`line ${lineOf.get(date)}: ${formatShortDate(date)} already has a brainteaser`)
    }
    if (problems.length > 0) throw new FileProblems(problems)
    await tx.insert(dailyBrainteasers).values(values)
    return values.length
  })
}

/** Exports all dates that have a brainteaser, as CSV for importDaily. */
export async function exportDaily(db: Database): Promise<string> {
  const rows = await db.select().from(dailyBrainteasers).orderBy(asc(dailyBrainteasers.date))
  return writeCsv(
    COLUMNS,
    rows.map((row) => [
      formatShortDate(row.date),
      row.statement,
      row.a,
      row.b,
      row.c,
      row.d,
      row.correct,
      row.explanation ?? '',
    ]),
  )
}

/** yyyy-mm-dd → d/m/yy without zero padding (product 5.2). */
export function formatShortDate(date: string): string {
  const [year = '', month = '', day = ''] = date.split('-')
  return `${Number(day)}/${Number(month)}/${year.slice(2)}`
}

/** d/m/yy → yyyy-mm-dd in the years 2000 to 2099; null for an invalid date. */
export function parseShortDate(text: string): string | null {
  const match = /^([1-9]\d?)\/([1-9]\d?)\/(\d\d)$/.exec(text)
  if (!match) return null
  const [, day = '', month = '', year = ''] = match
  const iso = `20${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const parsed = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(iso) ? iso : null
}
