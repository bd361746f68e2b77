import { createHash } from 'node:crypto'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { OPTION_LETTERS, optionLetterSchema } from '../../../../platform/options.ts'
import { AdminError, FileProblems } from '../../../../platform/server/admin-error.ts'
import { readCsv } from '../../../../platform/server/csv/csv.ts'
import { isStorable } from '../../../../platform/server/storable.ts'
import { parseLocalTime } from '../../../kit/server/local-time.ts'
import { isZone } from '../../../kit/zone-time.ts'
import { countForms, describeUneven, FORMS, isUneven } from '../../two-forms.ts'
import { normaliseStem, type WrittenQuestion } from '../../written-question.ts'

/** A call saves 500 answers at most (assessments/contract.ts). */
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
/** A further column, where a test has two forms. */
export const FORM_COLUMN = 'Form'

// YAML reads 0.10 as a number and would show 0.1.
const text = z
  .string({ error: 'must be text; put it in quotes' })
  .trim()
  .min(1, { error: 'is empty' })
  .refine(isStorable, { error: 'has characters that cannot be stored' })
const lines = z.array(text, { error: 'must be a list of sentences, [] for none' })

/** Of two forms, the one that asks it; both do where nothing is said (product 7.19.1). */
const formSchema = z.enum(FORMS, { error: 'must be A or B, or left out where both forms ask it' })

const itemSchema = z.strictObject({
  /** its number, from 1 */
  id: z.int({ error: 'must be a number' }).positive(),
  topic: z.string().optional(),
  form: formSchema.nullish(),
  question: text,
  options: z.strictObject({ A: text, B: text, C: text, D: text }),
  answer: optionLetterSchema,
  // For who checks the items; not stored.
  compute: z.union([z.string(), z.number()]).optional(),
  explanation: z.string().optional(),
  why: z.partialRecord(optionLetterSchema, z.string()).optional(),
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
  // Left out: what was set before stays. null: no limit.
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

export type AssessmentItem = Omit<WrittenQuestion, 'explanation'> & {
  /** from 1 */
  position: number
}

/** An assessment as its file says, checked. */
export type AssessmentFile = Omit<z.infer<typeof fileSchema>, 'opensAt' | 'closesAt' | 'items'> & {
  /** undefined: the file doesn't say */
  opensAt: Date | null | undefined
  closesAt: Date | null | undefined
  /** in table order */
  items: AssessmentItem[]
  /** of everything that was read */
  hash: string
}

/** An item as it was read, and where it stands, for messages. */
interface PlacedItem {
  place: string
  written: unknown
}
type NumberedItem = AssessmentItem & { place: string }

/**
 * An assessment from its YAML file, the items from a CSV file where one is given.
 * Errors: FileProblems with every problem of both.
 */
export function parseAssessmentFile(yaml: string, itemsCsv: string | null = null): AssessmentFile {
  const problems: string[] = []
  const head = readHead(yaml, problems)
  const items =
    itemsCsv === null
      ? readYamlItems(head.items, problems)
      : readCsvItems(itemsCsv, head.items !== undefined, problems)
  checkItems(items, problems)
  const opensAt = readTime('opensAt', head, problems)
  const closesAt = readTime('closesAt', head, problems)
  if (opensAt && closesAt && opensAt >= closesAt) problems.push('closesAt must be after opensAt')
  if (problems.length > 0 || !head.data) throw new FileProblems(problems)
  const { items: _, ...data } = head.data
  return {
    ...data,
    opensAt,
    closesAt,
    items: items.map(({ place: _, ...item }) => item).sort((a, b) => a.position - b.position),
    hash: hashFiles(yaml, itemsCsv),
  }
}

/** Tells whether a file is the one that was loaded before, without reading what is in it. */
export function hashFiles(yaml: string, itemsCsv: string | null = null): string {
  return createHash('sha256')
    .update(yaml)
    .update('\0')
    .update(itemsCsv ?? '')
    .digest('hex')
}

interface Head {
  data: z.infer<typeof fileSchema> | null
  /** undefined when the file has none */
  items: unknown[] | undefined
}

function readHead(yaml: string, problems: string[]): Head {
  let document: unknown
  try {
    document = parseYaml(yaml)
  } catch (error) {
    throw new FileProblems([`the file is no YAML: ${(error as Error).message.split('\n')[0]}`])
  }
  const parsed = fileSchema.safeParse(document)
  if (parsed.success) return { data: parsed.data, items: parsed.data.items }
  problems.push(...describeIssues(parsed.error, ''))
  const { items } = (document ?? {}) as { items?: unknown }
  // Wrong in its head: its items are checked nevertheless, so that all problems are told at once.
  return { data: null, items: Array.isArray(items) ? items : undefined }
}

function describeIssues(error: z.ZodError, place: string): string[] {
  return error.issues.flatMap((issue) => {
    const where = [place, issue.path.join('.')].filter(Boolean).join(', ')
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => `${where ? `${where}: ` : ''}'${key}' is not known here`)
    }
    return [`${where || 'the file'}: ${issue.message}`]
  })
}

function readTime(
  name: 'opensAt' | 'closesAt',
  { data }: Head,
  problems: string[],
): Date | null | undefined {
  const written = data?.[name]
  if (!data || written === undefined) return undefined
  if (written === null) return null
  try {
    return parseLocalTime(written, data.timeZone)
  } catch (error) {
    if (!(error instanceof AdminError)) throw error
    problems.push(`${name}: ${error.message}`)
    return null
  }
}

/** The items that are well formed. @param describe a problem of one of them */
function parseItems(
  placed: readonly PlacedItem[],
  describe: (error: z.ZodError, place: string) => string[],
  problems: string[],
): NumberedItem[] {
  return placed.flatMap(({ place, written }) => {
    const { data, error } = itemSchema.safeParse(written)
    if (error) {
      problems.push(...describe(error, place))
      return []
    }
    const { id, question, options, answer, form = null } = data
    return { place, position: id, question, options, answer, form }
  })
}

function readYamlItems(list: unknown[] | undefined, problems: string[]): NumberedItem[] {
  if (list === undefined) {
    problems.push('items: the questions are missing (or give them as a CSV file with --items)')
    return []
  }
  const placed = list.map((written, index) => {
    const id = (written as { id?: unknown } | null)?.id
    const place = `item ${typeof id === 'number' ? id : `no. ${index + 1} of the list`}`
    return { place, written }
  })
  return parseItems(placed, describeIssues, problems)
}

function readCsvItems(csv: string, hasYamlItems: boolean, problems: string[]): NumberedItem[] {
  if (hasYamlItems) problems.push('items: stand in the YAML file and in the CSV file; keep one')
  let read: ReturnType<typeof readCsv<(typeof ITEM_COLUMNS)[number] | typeof FORM_COLUMN>>
  try {
    read = readCsv(csv, { required: ITEM_COLUMNS, optional: [FORM_COLUMN] })
  } catch (error) {
    if (!(error instanceof FileProblems)) throw error
    problems.push(...error.problems)
    return []
  }
  problems.push(...read.problems)
  const placed = read.rows.map(({ line, cells }, index) => {
    const isEmpty = Object.values(cells).every((cell) => cell === '')
    const written = {
      // Without a number the order in the file counts.
      id: cells.ID === '' ? index + 1 : Number(cells.ID),
      question: cells.Question,
      options: {
        A: cells['Answer A'],
        B: cells['Answer B'],
        C: cells['Answer C'],
        D: cells['Answer D'],
      },
      answer: cells['Correct Option'].toUpperCase(),
      form: cells.Form.toUpperCase() || null,
    }
    return { place: `line ${line}`, written: isEmpty ? null : written }
  })
  const describe = ({ issues }: z.ZodError, place: string) =>
    issues.map(({ path, message }) =>
      path.length === 0 ? `${place}: is empty` : `${place}: ${columnOf(path)} ${message}`,
    )
  return parseItems(placed, describe, problems)
}

const COLUMNS: Record<string, string> = {
  id: 'ID',
  question: 'Question',
  answer: 'Correct Option:',
  form: 'Form',
}
const columnOf = ([field, letter]: PropertyKey[]): string =>
  COLUMNS[String(field)] ?? `Answer ${String(letter)}`

/** What can be wrong with items that are each well formed. */
function checkItems(items: readonly NumberedItem[], problems: string[]): void {
  const places = new Map<number, string>()
  const stems = new Map<string, string>()
  for (const { place, position, question, options } of items) {
    const sameNumber = places.get(position)
    if (sameNumber) problems.push(`${place}: the number ${position} is taken (${sameNumber})`)
    places.set(position, place)
    const stem = normaliseStem(question)
    const sameStem = stems.get(stem)
    if (sameStem) problems.push(`${place}: asks the same as ${sameStem}`)
    stems.set(stem, place)
    const answers = OPTION_LETTERS.map((letter) => options[letter].toLowerCase())
    if (new Set(answers).size < OPTION_LETTERS.length) {
      problems.push(`${place}: two options are the same`)
    }
  }
  // A gap is told only where nothing else is wrong: a broken item leaves one too.
  if (problems.length > 0) return
  if (items.length === 0) problems.push('items: there are none')
  const counts = countForms(items)
  if (isUneven(counts)) problems.push(`items: ${describeUneven(counts)}`)
  if (items.length > MAX_ITEMS) problems.push(`items: ${MAX_ITEMS} are the most there can be`)
  for (let number = 1; number <= items.length; number += 1) {
    if (!places.has(number)) {
      problems.push(`items: are numbered 1, 2, 3 …; ${number} is missing`)
      return
    }
  }
}
