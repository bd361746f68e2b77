import { parse } from 'csv-parse/sync'
import { showControls } from '../../../../platform/server/control-characters.ts'
import { unescapeFormula } from '../../../../platform/server/csv/csv-formula.ts'
import {
  COLUMN_ROLES,
  type ColumnRole,
  LAYOUT_LIMITS,
  type LeftOutReason,
  type ReadFormat,
  type TableLayout,
  type TableStart,
} from '../../../questions/question-files.ts'
import { FORMS, type Form } from '../../../questions/two-forms.ts'
import { plainText, tidy } from '../files/plain-text.ts'
import { type Cell, readSheets } from '../files/sheet.ts'
import type { ZipFiles } from '../files/unzip.ts'
import {
  type Found,
  type FoundQuestion,
  QuestionFileError,
  requireFewQuestions,
} from '../question.ts'
import { guessLayout } from './guess-layout.ts'

/*
 * Tables with a question a row: CSV, .xlsx, and those of Kahoot (columns named in row 8) and Quizizz (row 2
 * may hold instructions). Which column is what is told by its name, or by a person.
 */

/** Names that a person gave: of which column a role is. */
export type ToldColumns = Partial<Record<ColumnRole, string>>

/** What a person says of a table: the names of its columns, or where they stand. */
export type ToldTable = ToldColumns | TableLayout
const isLayout = (told: ToldTable): told is TableLayout => 'skip' in told

/** The names of columns stand no further down. */
const HEADER_ROWS = 20
const DELIMITERS = [',', ';', '\t', '|']

interface Row {
  place: string
  cells: Cell[]
}

interface Columns {
  question: number
  /** in their order; a fifth and further ones too */
  options: number[]
  correct: number
  explanation: number
  topic: number
  type: number
  image: number
  form: number
  /** options are called 1, 2, 3 and not A, B, C */
  isNumbered: boolean
  hasOthers: boolean
}

const NAMES = {
  question: /^(question|question text|stem|prompt|item)$/,
  correct: /^(correct|correct option|correct answers?|right answer|key|solution|answer)$/,
  explanation: /^(explanation|answer explanation|feedback|rationale)$/,
  topic: /^(topic|category|subject)$/,
  type: /^(type|question type)$/,
  image: /^(image|image link|image url|media)$/,
  form: /^form$/,
}
const OPTION = /^(?:answer|option|choice)? ?([a-j]|\d{1,2})$/

/** Whether a text is a table whose columns are known. */
export function hasColumns(text: string): boolean {
  const start = text.slice(0, 50_000)
  return DELIMITERS.some((delimiter) => {
    try {
      return (
        findHeader(
          parseRows(start.slice(0, start.lastIndexOf('\n') + 1) || start, delimiter),
          {},
        ) !== null
      )
    } catch {
      return false
    }
  })
}

/** Errors: QuestionFileError: no_columns, column_missing, broken_csv. */
export function readCsvTable(text: string, told: ToldTable = {}): Found {
  let isBroken = false
  let widest: Row[] = []
  for (const delimiter of DELIMITERS) {
    try {
      const rows = parseRows(text, delimiter)
      if (usualWidth(rows) > usualWidth(widest)) widest = rows
      if (!isLayout(told) && findHeader(rows, told)) return readTable(rows, told)
    } catch (error) {
      if (error instanceof QuestionFileError) throw error
      isBroken = true
    }
  }
  if (isLayout(told) && usualWidth(widest) > 1) return readTable(widest, told)
  if (isBroken) throw new QuestionFileError('broken_csv')
  throw new QuestionFileError(missing(told), startOf(widest, guessLayout(widest.map(textsOf))))
}

/** Errors: QuestionFileError. */
export function readXlsxTable(zip: ZipFiles, told: ToldTable = {}): Found & { format: ReadFormat } {
  const sheets = readSheets(zip).map((rows) =>
    rows.map(({ number, cells }) => ({ place: `row ${number}`, cells })),
  )
  const [first = []] = [...sheets].sort((a, b) => usualWidth(b) - usualWidth(a))
  const rows = isLayout(told) ? first : sheets.find((sheet) => findHeader(sheet, told))
  if (!rows) {
    throw new QuestionFileError(missing(told), startOf(first, guessLayout(first.map(textsOf))))
  }
  return { ...readTable(rows, told), format: layoutOf(rows, told) }
}

const missing = (told: ToldTable) =>
  Object.keys(told).length > 0 ? ('column_missing' as const) : ('no_columns' as const)

function parseRows(text: string, delimiter: string): Row[] {
  const records = parse(text, {
    delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: false,
    max_record_size: 200_000,
  }) as unknown as { info: { lines: number }; record: string[] }[]
  // A record's `lines` counts up to its end; it starts where the one before ended.
  return records.map(({ record }, index) => ({
    place: `line ${(records[index - 1]?.info.lines ?? 0) + 1}`,
    cells: record.map((cell) => ({ text: unescapeFormula(cell), oddity: null })),
  }))
}

const textsOf = ({ cells }: Row) => cells.map(({ text }) => text.trim())

/** How many cells most of the first rows have: what tells a table from a text, and how it is parted. */
function usualWidth(rows: readonly Row[]): number {
  const widths = rows
    .slice(0, HEADER_ROWS)
    .map(({ cells }) => cells.length)
    .filter((width) => width > 1)
    .sort((a, b) => a - b)
  return widths[Math.floor(widths.length / 2)] ?? 1
}

/** Whether a text is a table with a question a row, whatever its columns are called. */
export function looksLikeTable(text: string): boolean {
  const start = text.slice(0, 50_000)
  const whole = start.slice(0, start.lastIndexOf('\n') + 1) || start
  return DELIMITERS.some((delimiter) => {
    try {
      const rows = parseRows(whole, delimiter).slice(0, HEADER_ROWS)
      const wide = rows.filter(({ cells }) => cells.length >= NARROWEST)
      return wide.length >= 2 && wide.length >= rows.length * 0.8
    } catch {
      return false
    }
  })
}
/** Columns of a question: itself, four options, the key. */
const NARROWEST = 6

const SHOWN_CHARACTERS = 80

/** How a table begins, for whoever says which column is what. */
function startOf(rows: readonly Row[], layout: TableLayout): TableStart | null {
  if (usualWidth(rows) < 2) return null
  return {
    ...layout,
    rows: rows.slice(0, layout.skip + 4).map((row) =>
      textsOf(row)
        .slice(0, LAYOUT_LIMITS.column + 1)
        .map((text) => showControls(text.slice(0, SHOWN_CHARACTERS))),
    ),
  }
}

/** 'Answer 1 – max 75 characters' is called 'answer 1'. */
const plainName = (name: string) =>
  name
    .toLowerCase()
    .split(/ [-–—] |\s*\(/)[0]
    ?.replace(/[\s_]+/g, ' ')
    .trim() ?? ''

/** The row of names and what they mean; null when there is none. */
function findHeader(
  rows: readonly Row[],
  told: ToldTable,
): { at: number; columns: Columns } | null {
  if (isLayout(told)) {
    const columns = columnsAt(told)
    return columns && { at: told.skip - 1, columns }
  }
  for (const [at, { cells }] of rows.slice(0, HEADER_ROWS).entries()) {
    const columns = columnsOf(
      cells.map(({ text }) => plainName(text)),
      told,
    )
    if (columns) return { at, columns }
  }
  return null
}

/** The columns that a person pointed at; null where some are missing. */
function columnsAt({ columns }: TableLayout): Columns | null {
  const at = (role: ColumnRole) => columns[role] ?? -1
  const options = (['a', 'b', 'c', 'd'] as const).map(at).filter((column) => column !== -1)
  if (at('question') === -1 || at('correct') === -1 || options.length < 2) return null
  return {
    question: at('question'),
    options,
    correct: at('correct'),
    explanation: at('explanation'),
    topic: at('topic'),
    type: -1,
    image: -1,
    form: -1,
    isNumbered: false,
    hasOthers: false,
  }
}

/** What a person is shown of columns that were found by their names. */
function layoutAt(at: number, { question, options, ...others }: Columns): TableLayout {
  const [a, b, c, d] = options
  const found = { question, a, b, c, d, ...others }
  return {
    skip: Math.min(at + 1, LAYOUT_LIMITS.skip),
    columns: Object.fromEntries(
      COLUMN_ROLES.flatMap((role) => {
        const column = found[role]
        return column !== undefined && column >= 0 && column <= LAYOUT_LIMITS.column
          ? [[role, column]]
          : []
      }),
    ),
  }
}

function columnsOf(names: readonly string[], told: ToldColumns): Columns | null {
  const find = (role: Exclude<ColumnRole, 'a' | 'b' | 'c' | 'd'>) => {
    const name = told[role]
    if (name !== undefined) return names.indexOf(plainName(name))
    return names.findIndex((one) => NAMES[role].test(one))
  }
  if (
    COLUMN_ROLES.some((role) => told[role] !== undefined && !names.includes(plainName(told[role])))
  ) {
    return null
  }
  const toldOptions = (['a', 'b', 'c', 'd'] as const).flatMap((role) =>
    told[role] === undefined ? [] : names.indexOf(plainName(told[role])),
  )
  const [question, correct, explanation, topic] = [
    find('question'),
    find('correct'),
    find('explanation'),
    find('topic'),
  ]
  const options =
    toldOptions.length > 0
      ? toldOptions
      : names.flatMap((name, index) => (OPTION.test(name) && index !== correct ? index : []))
  if (question === -1 || correct === -1 || options.length < 2) return null
  const [type, image, form] = [NAMES.type, NAMES.image, NAMES.form].map((known) =>
    names.findIndex((one) => known.test(one)),
  ) as [number, number, number]
  const used = new Set([question, correct, explanation, topic, type, image, form, ...options])
  return {
    question,
    options,
    correct,
    explanation,
    topic,
    type,
    image,
    form,
    isNumbered: /\d$/.test(names[options[0] ?? 0] ?? ''),
    hasOthers: names.some((name, index) => name !== '' && name !== 'id' && !used.has(index)),
  }
}

function layoutOf(rows: readonly Row[], told: ToldTable): ReadFormat {
  const header = findHeader(rows, told)
  const names = rows[header?.at ?? 0]?.cells.map(({ text }) => plainName(text)) ?? []
  if (names.includes('time limit') && names.includes('answer 1')) return 'kahoot'
  if (names.includes('question type') && names.includes('option 1')) return 'quizizz'
  return 'xlsx'
}

function readTable(rows: readonly Row[], told: ToldTable): Found {
  const header = findHeader(rows, told)
  if (!header) {
    throw new QuestionFileError(missing(told), startOf(rows, guessLayout(rows.map(textsOf))))
  }
  const { at, columns } = header
  const filled = rows.slice(at + 1).filter(({ cells }) => {
    const textAt = (column: number) => (cells[column]?.text ?? '').trim()
    const isFilled = [columns.question, ...columns.options].some(
      (column) => textAt(column) !== '' || cells[column]?.oddity,
    )
    return isFilled && !/^text of the question/i.test(textAt(columns.question))
  })
  requireFewQuestions(filled.length)
  return {
    questions: filled.map((row) => readRow(row, columns)),
    notices: columns.hasOthers ? ['columns_ignored'] : [],
    table: startOf(rows, layoutAt(at, columns)) ?? undefined,
  }
}

function readRow({ place, cells }: Row, columns: Columns): FoundQuestion {
  const cellAt = (column: number): Cell => cells[column] ?? { text: '', oddity: null }
  const textAt = (column: number) => tidy(cellAt(column).text)
  const options = columns.options.map(textAt)
  const keys = keysOf(textAt(columns.correct), options, columns.isNumbered)
  const { oddity } =
    [columns.question, ...columns.options].map(cellAt).find((cell) => cell.oddity) ?? {}
  const flaw: LeftOutReason | null =
    oddity === 'formula'
      ? 'formula_cell'
      : oddity === 'shaped'
        ? 'shaped_cell'
        : textAt(columns.image) !== ''
          ? 'media'
          : keys === null
            ? 'unknown_key'
            : flawOfType(textAt(columns.type), options)
  return {
    place,
    stem: plainText(cellAt(columns.question).text).text,
    options: options.flatMap((text, index) =>
      text === '' ? [] : { text, credit: keys?.includes(index) ? 100 : 0, feedback: '' },
    ),
    explanation: textAt(columns.explanation),
    category: textAt(columns.topic).slice(0, 80),
    flaw,
    notices: [],
    ...formOf(textAt(columns.form)),
  }
}

/** A form is A or B; whatever else a column of this name says is none of ours. */
const formOf = (written: string): { form?: Form } => {
  const form = FORMS.find((one) => new RegExp(`^(form )?${one}$`, 'i').test(written))
  return form ? { form } : {}
}

function flawOfType(type: string, options: readonly string[]): LeftOutReason | null {
  if (/open|draw|essay|audio|video/i.test(type)) return 'essay'
  if (/fill|blank|short/i.test(type)) return 'short_answer'
  if (/match|order/i.test(type)) return 'matching'
  return options.every((text) => text === '') ? 'essay' : null
}

/** Which options a cell says are right; empty when it says nothing, null when it names none that there is. */
function keysOf(written: string, options: readonly string[], isNumbered: boolean): number[] | null {
  if (written === '') return []
  const numbers = () => indexesOf(written, /^\d{1,2}$/, (part) => Number(part) - 1)
  const letters = () =>
    indexesOf(written, /^(?:(?:option|answer) ?)?\(?[a-j][).:]?$/i, (part) => {
      const letter = part.replace(/^(option|answer) ?/i, '').replace(/[^a-j]/gi, '')
      return letter.toUpperCase().charCodeAt(0) - 65
    })
  const texts = () => {
    const same = options.flatMap((text, index) => (text === written ? index : []))
    return same.length === 1 ? same : null
  }
  const ways = isNumbered ? [numbers, texts, letters] : [letters, texts, numbers]
  for (const way of ways) {
    const keys = way()
    if (keys?.every((key) => (options[key] ?? '') !== '')) return keys
  }
  return null
}

function indexesOf(
  written: string,
  form: RegExp,
  index: (part: string) => number,
): number[] | null {
  const parts = written.split(/[,;&]/).map((part) => part.trim())
  return parts.every((part) => form.test(part)) ? parts.map(index) : null
}
