import { parse } from 'csv-parse/sync'
import { unescapeFormula } from '../../../../../platform/server/csv/csv.ts'
import type { LeftOutReason } from '../../../question-files.ts'
import { FORMS, type Form } from '../../../two-forms.ts'
import { QuestionFileError } from '../files/limits.ts'
import { plainText, tidy } from '../files/plain-text.ts'
import { type Cell, EMPTY_CELL, isFilled, readSheets } from '../files/sheet.ts'
import type { ZipFiles } from '../files/unzip.ts'
import type { Found, FoundQuestion } from '../question.ts'

/*
 * Tables with a question a row: CSV, TSV and .xlsx, those of Kahoot (columns named in row 8) and Quizizz (row 2 may
 * hold instructions) among them. Which column is what is told by its name.
 */

/** The names of columns stand no further down. */
const HEADER_ROWS = 20
const DELIMITERS = [',', ';', '\t', '|']
/** Columns of a question: itself, four options, the key. */
const NARROWEST = 6

interface Row {
  place: string
  cells: Cell[]
}

const NAMES = {
  question: /^(question|question text|stem|prompt|item|frage|pregunta|domanda|pergunta|vraag)$/,
  correct:
    /^(correct|correct (option|choice|answers?)|right answer|key|solution|answer|richtig(e antwort)?|lösung|(respuesta )?correcta|(risposta )?corretta|(resposta )?cor?reta|bonne réponse|juist(e antwoord)?)$/,
  explanation: /^(explanation|answer explanation|feedback|rationale|why|erklärung)$/,
  topic: /^(topic|category|subject|thema)$/,
  type: /^(type|question type)$/,
  image: /^(image|image link|image url|media)$/,
  form: /^form$/,
}
const OPTION =
  /^(?:(?:answer|option|opt|choice|antwort|opción|respuesta|opzione|risposta|opção|resposta|réponse|antwoord) ?)?([a-j]|\d{1,2})[.)]?$/

type Columns = Record<keyof typeof NAMES, number> & {
  /** in their order; a fifth and further ones too */
  options: number[]
  /** options are called 1, 2, 3 and not A, B, C */
  isNumbered: boolean
  hasOthers: boolean
}

/** Null for a text that is no table whose columns are known. Errors: QuestionFileError('broken_csv'). */
export function readCsvTable(text: string): Found | null {
  const delimiter = DELIMITERS.find((one) => findHeader(startOf(text, one)) !== null)
  if (delimiter === undefined) return null
  const rows = parseRows(text, delimiter)
  if (!rows) throw new QuestionFileError('broken_csv')
  return readTable(rows)
}

/** Whether a text is likely to be a table, whatever its columns are called. */
export function looksLikeTable(text: string): boolean {
  return DELIMITERS.some((delimiter) => {
    const rows = startOf(text, delimiter).slice(0, HEADER_ROWS)
    const wide = rows.filter(({ cells }) => cells.length >= NARROWEST)
    return wide.length >= 2 && wide.length >= rows.length * 0.8
  })
}

/** The first rows; none where they are no table with this sign. */
function startOf(text: string, delimiter: string): Row[] {
  const start = text.slice(0, 50_000)
  return parseRows(start.slice(0, start.lastIndexOf('\n') + 1) || start, delimiter) ?? []
}

/** All sheets whose columns are known. Errors: QuestionFileError('no_columns') where there is none. */
export function readXlsxTable(zip: ZipFiles): Found {
  const sheets = readSheets(zip)
  const read = sheets.flatMap(({ name, rows }) => {
    const sheet = sheets.length > 1 ? `sheet ${name}, ` : ''
    const placed = rows.map(({ number, cells }) => ({ place: `${sheet}row ${number}`, cells }))
    return readTable(placed) ?? []
  })
  if (read.length === 0) throw new QuestionFileError('no_columns')
  const notices = new Set(read.flatMap((one) => one.notices ?? []))
  if (read.length < sheets.length) notices.add('sheets_ignored')
  return { questions: read.flatMap(({ questions }) => questions), notices: [...notices] }
}

/** Null for what is no table. */
function parseRows(text: string, delimiter: string): Row[] | null {
  let records: { info: { lines: number }; record: string[] }[]
  try {
    records = parse(text, {
      delimiter,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      max_record_size: 200_000,
    }) as unknown as typeof records
  } catch {
    return null
  }
  // A record's `lines` counts up to its end; it starts where the one before ended.
  return records.map(({ record }, index) => ({
    place: `line ${(records[index - 1]?.info.lines ?? 0) + 1}`,
    cells: record.map((cell) => ({ text: unescapeFormula(cell), oddity: null })),
  }))
}

/** 'Answer 1 – max 75 characters' is called 'answer 1'. */
const plainName = ({ text }: Cell) =>
  text
    .toLowerCase()
    .split(/ [-–—] |\s*\(/)[0]
    ?.replace(/[\s_]+/g, ' ')
    .trim() ?? ''

/** The row of names and what they mean; null when there is none. */
function findHeader(rows: readonly Row[]): { at: number; columns: Columns } | null {
  for (const [at, { cells }] of rows.slice(0, HEADER_ROWS).entries()) {
    const columns = columnsOf(cells.map(plainName))
    if (columns) return { at, columns }
  }
  return null
}

function columnsOf(names: readonly string[]): Columns | null {
  const at = Object.fromEntries(
    Object.entries(NAMES).map(([role, known]) => [role, names.findIndex((one) => known.test(one))]),
  ) as Record<keyof typeof NAMES, number>
  const options = names.flatMap((name, index) => (OPTION.test(name) ? index : []))
  if (at.question === -1 || at.correct === -1 || options.length < 2) return null
  const used = new Set([...Object.values(at), ...options])
  return {
    ...at,
    options,
    isNumbered: /\d/.test(names[options[0] ?? 0] ?? ''),
    hasOthers: names.some((name, index) => name !== '' && name !== 'id' && !used.has(index)),
  }
}

const cellAt = ({ cells }: Row, column: number): Cell => cells[column] ?? EMPTY_CELL
const textAt = (row: Row, column: number) => tidy(cellAt(row, column).text)
const optionsOf = (row: Row, { options }: Columns) => options.map((column) => textAt(row, column))
/** What makes a row a question. */
const mainCells = (row: Row, { question, options }: Columns) =>
  [question, ...options].map((column) => cellAt(row, column))

/** Null where no row names the columns. */
function readTable(rows: readonly Row[]): Found | null {
  const header = findHeader(rows)
  if (!header) return null
  const { at, columns } = header
  const filled = rows.slice(at + 1).filter((row) => {
    const isInstruction = /^text of the question/i.test(textAt(row, columns.question))
    return !isInstruction && mainCells(row, columns).some(isFilled)
  })
  const keysOf = keyReader(filled, columns)
  return {
    questions: filled.map((row) => readRow(row, columns, keysOf(row))),
    notices: columns.hasOthers ? ['columns_ignored'] : [],
  }
}

/** @param keys null where the cell names none of the options */
function readRow(row: Row, columns: Columns, keys: number[] | null): FoundQuestion {
  return {
    place: row.place,
    stem: plainText(cellAt(row, columns.question).text),
    options: optionsOf(row, columns).flatMap((text, index) =>
      text === '' ? [] : { text: plainText(text), credit: keys?.includes(index) ? 100 : 0 },
    ),
    explanation: plainText(cellAt(row, columns.explanation).text),
    category: textAt(row, columns.topic),
    form: formOf(textAt(row, columns.form)),
    flaw: flawOf(row, columns) ?? (keys === null ? 'unknown_key' : null),
  }
}

function flawOf(row: Row, columns: Columns): LeftOutReason | null {
  const odd = mainCells(row, columns).find(({ oddity }) => oddity)
  if (odd) return odd.oddity === 'formula' ? 'formula_cell' : 'shaped_cell'
  if (textAt(row, columns.image) !== '') return 'media'
  const isOther = /open|draw|essay|audio|video|fill|blank|short|match|order/i
  const hasOptions = optionsOf(row, columns).some(Boolean)
  return !hasOptions || isOther.test(textAt(row, columns.type)) ? 'other_kind' : null
}

/** A form is A or B; whatever else a column of this name says is none of ours. */
const formOf = (written: string): Form | undefined =>
  FORMS.find((one) => new RegExp(`^(form )?${one}$`, 'i').test(written))

/**
 * Which options the cell of a row says are right; empty when it says nothing, null when it names none that there is.
 * Whether numbers count from 0, and whether all cells repeat an option, is decided for the whole column.
 */
function keyReader(rows: readonly Row[], columns: Columns): (row: Row) => number[] | null {
  const keyOf = (row: Row) => textAt(row, columns.correct)
  const filled = rows.filter((row) => keyOf(row) !== '')
  const numbers = filled.flatMap((row) => partsOf(keyOf(row)).filter((part) => /^\d+$/.test(part)))
  const isFromZero =
    numbers.includes('0') && numbers.every((one) => Number(one) < columns.options.length)
  const byNumber = (key: string) =>
    indexesOf(key, /^(\d{1,2})$/, (digits) => Number(digits) - (isFromZero ? 0 : 1))
  const byLetter = (key: string) =>
    indexesOf(
      key,
      /^(?:(?:option|answer) ?)?\(?([a-j])[).:]?$/i,
      (letter) => letter.toUpperCase().charCodeAt(0) - 65,
    )
  const byText = (key: string, options: string[]) => {
    const same = options.flatMap((text, index) => (text === key ? index : []))
    return same.length === 1 ? same : null
  }
  const areTexts = filled.every((row) => byText(keyOf(row), optionsOf(row, columns)))
  const ways = columns.isNumbered ? [byNumber, byText, byLetter] : [byLetter, byText, byNumber]
  return (row) => {
    const [key, options] = [keyOf(row), optionsOf(row, columns)]
    if (key === '') return []
    const found = (areTexts ? [byText] : ways).map((way) => way(key, options))
    return found.find((keys) => keys?.every((at) => (options[at] ?? '') !== '')) ?? null
  }
}

const partsOf = (key: string) => key.split(/[,;&]/).map((part) => part.trim())

/** Null where a part is of another form, whose group names the option. */
function indexesOf(key: string, form: RegExp, index: (named: string) => number): number[] | null {
  const named = partsOf(key).map((part) => form.exec(part)?.[1])
  return named.some((one) => one === undefined) ? null : named.map((one) => index(one as string))
}
