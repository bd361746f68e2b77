import { parse } from 'csv-parse/sync'
import { unescapeFormula } from '../../../../platform/server/csv-formula.ts'
import {
  COLUMN_ROLES,
  type ColumnRole,
  type LeftOutReason,
  type ReadFormat,
} from '../../../question-files.ts'
import { plainText, tidy } from '../files/plain-text.ts'
import { type Cell, readSheets } from '../files/sheet.ts'
import type { ZipFiles } from '../files/unzip.ts'
import {
  type Found,
  type FoundQuestion,
  QuestionFileError,
  requireFewQuestions,
} from '../question.ts'

/*
 * Tables with a question a row: CSV, .xlsx, and those of Kahoot (columns named in row 8) and Quizizz (row 2
 * may hold instructions). Which column is what is told by its name, or by a person.
 */

/** Names that a person gave: of which column a role is. */
export type ToldColumns = Partial<Record<ColumnRole, string>>

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
  type: number
  image: number
  /** options are called 1, 2, 3 and not A, B, C */
  isNumbered: boolean
  hasOthers: boolean
}

const NAMES = {
  question: /^(question|question text|stem|prompt|item)$/,
  correct: /^(correct|correct option|correct answers?|right answer|key|solution|answer)$/,
  explanation: /^(explanation|answer explanation|feedback|rationale)$/,
  type: /^(type|question type)$/,
  image: /^(image|image link|image url|media)$/,
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
export function readCsvTable(text: string, told: ToldColumns = {}): Found {
  let isBroken = false
  for (const delimiter of DELIMITERS) {
    try {
      const rows = parseRows(text, delimiter)
      if (findHeader(rows, told)) return readTable(rows, told)
    } catch (error) {
      if (error instanceof QuestionFileError) throw error
      isBroken = true
    }
  }
  throw new QuestionFileError(isBroken ? 'broken_csv' : missing(told))
}

/** Errors: QuestionFileError. */
export function readXlsxTable(
  zip: ZipFiles,
  told: ToldColumns = {},
): Found & { format: ReadFormat } {
  const sheets = readSheets(zip).map((rows) =>
    rows.map(({ number, cells }) => ({ place: `row ${number}`, cells })),
  )
  const rows = sheets.find((sheet) => findHeader(sheet, told))
  if (!rows) throw new QuestionFileError(missing(told))
  return { ...readTable(rows, told), format: layoutOf(rows, told) }
}

const missing = (told: ToldColumns) =>
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
  told: ToldColumns,
): { at: number; columns: Columns } | null {
  for (const [at, { cells }] of rows.slice(0, HEADER_ROWS).entries()) {
    const columns = columnsOf(
      cells.map(({ text }) => plainName(text)),
      told,
    )
    if (columns) return { at, columns }
  }
  return null
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
  const [question, correct, explanation] = [find('question'), find('correct'), find('explanation')]
  const options =
    toldOptions.length > 0
      ? toldOptions
      : names.flatMap((name, index) => (OPTION.test(name) && index !== correct ? index : []))
  if (question === -1 || correct === -1 || options.length < 2) return null
  const [type, image] = [NAMES.type, NAMES.image].map((known) =>
    names.findIndex((one) => known.test(one)),
  ) as [number, number]
  const used = new Set([question, correct, explanation, type, image, ...options])
  return {
    question,
    options,
    correct,
    explanation,
    type,
    image,
    isNumbered: /\d$/.test(names[options[0] ?? 0] ?? ''),
    hasOthers: names.some((name, index) => name !== '' && name !== 'id' && !used.has(index)),
  }
}

function layoutOf(rows: readonly Row[], told: ToldColumns): ReadFormat {
  const header = findHeader(rows, told)
  const names = rows[header?.at ?? 0]?.cells.map(({ text }) => plainName(text)) ?? []
  if (names.includes('time limit') && names.includes('answer 1')) return 'kahoot'
  if (names.includes('question type') && names.includes('option 1')) return 'quizizz'
  return 'xlsx'
}

function readTable(rows: readonly Row[], told: ToldColumns): Found {
  const header = findHeader(rows, told)
  if (!header) throw new QuestionFileError(missing(told))
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
            ? 'unreadable'
            : flawOfType(textAt(columns.type), options)
  return {
    place,
    stem: plainText(cellAt(columns.question).text).text,
    options: options.flatMap((text, index) =>
      text === '' ? [] : { text, credit: keys?.includes(index) ? 100 : 0, feedback: '' },
    ),
    explanation: textAt(columns.explanation),
    flaw,
    notices: [],
  }
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
