import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { OPTION_LETTERS, optionLetterSchema } from '../../../../platform/options.ts'
import { AdminError, FileProblems } from '../../../../platform/server/admin-error.ts'
import { isStorable } from '../../../../platform/server/body/storable.ts'
import { readCsv } from '../../../../platform/server/csv/csv.ts'
import { CONTENT_DIR } from '../../../../platform/server/project-folder.ts'
import { parseLocalTime } from '../../../kit/server/local-time.ts'
import { isZone } from '../../../kit/zone-time.ts'
import type { WrittenQuestion } from '../../question-content.ts'
import { countForms, describeUneven, FORMS, isUneven } from '../../two-forms.ts'
import { identityOf } from '../../written-question.ts'

/** A request saves at most 500 answers (assessments/contract.ts). */
export const MAX_ITEMS = 500

/** product 7.2.1. */
export const ITEM_COLUMNS = [
  'ID',
  'Question',
  'Answer A',
  'Answer B',
  'Answer C',
  'Answer D',
  'Correct Option',
] as const
/** This column is added if a test has two forms. */
export const FORM_COLUMN = 'Form'

// YAML would read 0.10 as a number and show 0.1.
const text = z
  .string({ error: 'must be text; put it in quotes' })
  .trim()
  .min(1, { error: 'is empty' })
  .refine(isStorable, { error: 'has characters that cannot be stored' })
const lines = z.array(text, { error: 'must be a list of sentences, [] for none' })

const itemSchema = z.strictObject({
  id: z.int({ error: 'must be a number' }).positive(),
  topic: z.string().optional(),
  /** the form that has the question; both by default (product 7.19.1) */
  form: z
    .enum(FORMS, { error: 'must be A or B, or left out if both forms have the question' })
    .nullish(),
  question: text,
  options: z.strictObject({ A: text, B: text, C: text, D: text }),
  answer: optionLetterSchema,
  // For people who check the items; not stored.
  compute: z.union([z.string(), z.number()]).optional(),
  wrong: z.partialRecord(optionLetterSchema, z.union([z.string(), z.number()])).optional(),
  explanation: z.string().optional(),
  why: z.partialRecord(optionLetterSchema, z.string()).optional(),
  /** from 1, a warm-up, to 5, which few solve in time */
  hardness: z.number().optional(),
})

const fileSchema = z.strictObject({
  code: z.string().regex(/^[A-Z0-9_]{1,40}$/, {
    error: 'must be 1 to 40 capital letters, digits and underscores, such as PCF_2026',
  }),
  society: text,
  /** 'Morning', 'Afternoon'; null when the society has one session */
  session: text.nullable(),
  sample: z.boolean().default(false),
  durationSeconds: z
    .int({ error: 'must be a whole number of seconds' })
    .min(1)
    .max(86_400, { error: 'must be a day at most' }),
  shuffle: z.boolean({ error: 'must be true or false' }),
  navigator: z.boolean({ error: 'must be true or false' }),
  timeZone: z.string().refine(isZone, {
    error: 'must be a named time zone such as Europe/Lisbon',
  }),
  // Left out: unchanged. null: no limit.
  opensAt: text.nullish(),
  closesAt: text.nullish(),
  rules: z.strictObject({
    timing: lines,
    allowed: lines,
    forbidden: lines,
    contact: text.nullable(),
  }),
  items: z.array(z.unknown()).optional(),
})

type AssessmentItem = Omit<WrittenQuestion, 'explanation'> & {
  /** from 1 */
  position: number
}

export type AssessmentFile = Omit<z.infer<typeof fileSchema>, 'opensAt' | 'closesAt' | 'items'> & {
  /** undefined: the file doesn't set it */
  opensAt: Date | null | undefined
  closesAt: Date | null | undefined
  /** in table order */
  items: AssessmentItem[]
  /** hash of everything that was read */
  hash: string
}

type PlacedItem = AssessmentItem & { place: string }

/** Reads an assessment from a YAML file and items from a CSV file. Errors: FileProblems with every problem of both. */
export function parseAssessmentFile(yaml: string, itemsCsv: string | null = null): AssessmentFile {
  const document = readYaml(yaml)
  const { data, error } = fileSchema.safeParse(document)
  const problems = error ? describeIssues(error, '') : []
  // Items are checked even if the file's settings are invalid, so that all problems are reported together.
  const { items: listed } = (document ?? {}) as { items?: unknown }
  const hasItems = Array.isArray(listed)
  const items =
    itemsCsv === null
      ? readYamlItems(hasItems ? listed : null, problems)
      : readCsvItems(itemsCsv, hasItems, problems)
  checkItems(items, problems)
  const timeOf = (name: 'opensAt' | 'closesAt') => {
    const written = data?.[name]
    if (!data || !written) return written === undefined ? undefined : null
    try {
      return parseLocalTime(written, data.timeZone)
    } catch (failure) {
      if (!(failure instanceof AdminError)) throw failure
      problems.push(`${name}: ${failure.message}`)
      return null
    }
  }
  const [opensAt, closesAt] = [timeOf('opensAt'), timeOf('closesAt')]
  if (opensAt && closesAt && opensAt >= closesAt) problems.push('closesAt must be after opensAt')
  if (problems.length > 0 || !data) throw new FileProblems(problems)
  return {
    ...data,
    opensAt,
    closesAt,
    items: items.map(({ place: _, ...item }) => item).sort((a, b) => a.position - b.position),
    hash: hashFiles(yaml, itemsCsv),
  }
}

/** Identifies a previously loaded file without parsing it. */
export const hashFiles = (yaml: string, itemsCsv: string | null = null): string =>
  createHash('sha256')
    .update(`${yaml}\0${itemsCsv ?? ''}`)
    .digest('hex')

function readYaml(yaml: string): unknown {
  try {
    return parseYaml(yaml)
  } catch (error) {
    throw new FileProblems([
      `the file is not valid YAML: ${(error as Error).message.split('\n')[0]}`,
    ])
  }
}

function describeIssues({ issues }: z.ZodError, place: string): string[] {
  return issues.flatMap((issue) => {
    const where = [place, issue.path.join('.')].filter(Boolean).join(', ')
    if (issue.code !== 'unrecognized_keys') return [`${where || 'the file'}: ${issue.message}`]
    return issue.keys.map((key) => `${where ? `${where}: ` : ''}'${key}' is not a known field`)
  })
}

/**
 * Parses an item; the list is empty if it is invalid.
 * @param describe turns a problem into messages
 */
function parseItem(
  written: unknown,
  place: string,
  problems: string[],
  describe = describeIssues,
): PlacedItem[] {
  const { data, error } = itemSchema.safeParse(written)
  if (error) {
    problems.push(...describe(error, place))
    return []
  }
  const { id, question, options, answer, form = null } = data
  return [{ place, position: id, question, options, answer, form }]
}

function readYamlItems(list: unknown[] | null, problems: string[]): PlacedItem[] {
  if (list === null) {
    problems.push('items: the questions are missing (or give them as a CSV file with --items)')
    return []
  }
  return list.flatMap((written, index) => {
    const id = (written as { id?: unknown } | null)?.id
    const place = `item ${typeof id === 'number' ? id : `no. ${index + 1} of the list`}`
    return parseItem(written, place, problems)
  })
}

function readCsvItems(csv: string, hasYamlItems: boolean, problems: string[]): PlacedItem[] {
  if (hasYamlItems) problems.push('items: are in both the YAML file and the CSV file; keep one')
  try {
    const { rows, problems: ofRows } = readCsv<(typeof ITEM_COLUMNS)[number] | typeof FORM_COLUMN>(
      csv,
      { required: ITEM_COLUMNS, optional: [FORM_COLUMN] },
    )
    problems.push(...ofRows)
    return rows.flatMap(({ line, cells }, index) => {
      const isEmpty = Object.values(cells).every((cell) => cell === '')
      const [A, B, C, D] = OPTION_LETTERS.map((letter) => cells[`Answer ${letter}` as const])
      const written = {
        // Without an ID, items are numbered in the order of the file.
        id: cells.ID === '' ? index + 1 : Number(cells.ID),
        question: cells.Question,
        options: { A, B, C, D },
        answer: cells['Correct Option'].toUpperCase(),
        form: cells.Form.toUpperCase() || null,
      }
      return parseItem(isEmpty ? null : written, `line ${line}`, problems, describeCells)
    })
  } catch (error) {
    if (!(error instanceof FileProblems)) throw error
    problems.push(...error.problems)
    return []
  }
}

const COLUMNS = { id: 'ID', question: 'Question', answer: 'Correct Option:', form: 'Form' }

const describeCells = ({ issues }: z.ZodError, place: string) =>
  issues.map(({ path: [field, letter], message }) => {
    if (field === undefined) return `${place}: is empty`
    const column = COLUMNS[field as keyof typeof COLUMNS] ?? `Answer ${String(letter)}`
    return `${place}: ${column} ${message}`
  })

/** Checks the items against each other. */
function checkItems(items: readonly PlacedItem[], problems: string[]): void {
  const places = new Map<number, string>()
  const asking = new Map<string, string>()
  for (const { place, position, question, options } of items) {
    const sameNumber = places.get(position)
    if (sameNumber)
      problems.push(`${place}: the number ${position} is already used (${sameNumber})`)
    places.set(position, place)
    const asked = identityOf(question, Object.values(options))
    const same = asking.get(asked)
    if (same) problems.push(`${place}: has the same question as ${same}`)
    asking.set(asked, place)
    const answers = OPTION_LETTERS.map((letter) => options[letter].toLowerCase())
    if (new Set(answers).size < OPTION_LETTERS.length) {
      problems.push(`${place}: two options are the same`)
    }
  }
  // Gaps are only reported without other problems, because an invalid item causes one too.
  if (problems.length > 0) return
  if (items.length === 0) problems.push('items: the list is empty')
  const counts = countForms(items)
  if (isUneven(counts)) problems.push(`items: ${describeUneven(counts)}`)
  if (items.length > MAX_ITEMS) problems.push(`items: can be at most ${MAX_ITEMS}`)
  const missing = items.findIndex((_, index) => !places.has(index + 1))
  if (missing !== -1) problems.push(`items: must be numbered 1, 2, 3 …; ${missing + 1} is missing`)
}

export const SAMPLES_DIR = path.join(CONTENT_DIR, 'assessments')

/**
 * This advisory lock covers demo loading. The number is arbitrary but unique among our locks, and the same on every
 * node.
 */
export const SAMPLES_LOCK = 7_201_978

/** Reads the sample assessments of content/, whose keys are public. */
export async function readSampleFiles(dir = SAMPLES_DIR) {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.yaml')).sort()
  return Promise.all(
    names.map(async (name) => ({
      code: path.basename(name, '.yaml'),
      /** for messages: assessments/PCF.yaml */
      name: path.join('assessments', name),
      text: await readFile(path.join(dir, name), 'utf8'),
    })),
  )
}
export type SampleFile = Awaited<ReturnType<typeof readSampleFiles>>[number]
