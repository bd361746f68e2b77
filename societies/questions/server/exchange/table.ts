import { parse } from 'csv-parse/sync'
import { unescapeFormula } from '../../../../platform/server/csv/csv.ts'
import {
  type AskedTable,
  type ColumnRole,
  KEY_FORMS,
  type KeyForm,
  type LeftOutReason,
} from '../../question-files.ts'
import { FORMS } from '../../two-forms.ts'
import { QuestionFileError, type ZipFiles } from './bytes.ts'
import { plainText, textOfAny, tidy } from './plain-text.ts'
import type { Found, FoundQuestion } from './review.ts'
import { type Cell, EMPTY_CELL, isFilled, readSheets } from './xlsx.ts'

// Reads tables with one question per row: CSV, TSV and .xlsx, including Kahoot (column names in row 8) and Quizizz
// (possible instructions in row 2). Column names decide what each column means, unless the importing member chooses.

/** Column names must be within these first rows. */
const HEADER_ROWS = 20
const DELIMITERS = [',', ';', '\t', '|']

interface Row {
  place: string
  cells: Cell[]
}
interface Sheet {
  name: string
  rows: Row[]
}

/** If two columns have the same meaning, the name listed first here wins. */
const NAMES: readonly (readonly [ColumnRole, RegExp])[] = [
  [
    'question',
    /^(questions?|question (text|stem|title)|stem|prompt|item|problem|frage|pregunta|domanda|pergunta|vraag)$/,
  ],
  [
    'correct',
    /^(correct|correct (option|choice|answers?|letter)|right answer|key|answer key|solution|richtig(e antwort)?|lösung|(respuesta )?correcta|(risposta )?corretta|(resposta )?cor?reta|bonne réponse|juist(e antwoord)?)$/,
  ],
  ['correct', /^(answer|ans)$/],
  ['explanation', /^(explanation|answer explanation|feedback|rationale|why|erklärung)$/],
  ['topic', /^(topic|category|subject|thema)$/],
  ['type', /^(type|question type)$/],
  ['image', /^(image|image link|image url|media)$/],
  ['form', /^form$/],
]
const OPTION =
  /^(?:(?:(?:wrong|incorrect)(?: answers?| options?| choices?)?|distractor|answer|option|opt|choice|antwort|opción|respuesta|opzione|risposta|opção|resposta|réponse|antwoord) ?)?([a-j]|\d{1,2})[.)]?$/

/** The first line of our own exports (export-questions.ts). */
const OWN_NAMES = 'id,question,answer a,answer b,answer c,answer d,correct option'

interface Header {
  at: number
  /** as written, and in lower case without suffix: 'Answer 1 – max 75 characters' becomes 'answer 1' */
  written: string[]
  names: string[]
}

/** Reads a CSV table; null if no known column is found. Errors: QuestionFileError('broken_csv'). */
export function readCsvTable(text: string, asked: AskedTable): Found | null {
  const delimiter = DELIMITERS.map((one) => ({ one, header: findHeader(startOf(text, one)) }))
    .filter(({ header }) => header)
    .sort((a, b) => Number(hasKeys(b.header)) - Number(hasKeys(a.header)))[0]?.one
  if (delimiter === undefined) return null
  const rows = parseRows(text, delimiter)
  if (!rows) throw new QuestionFileError('broken_csv')
  return readTables([{ name: '', rows }], asked)
}

/** Reads the first rows; empty if the text is no table with this delimiter. */
function startOf(text: string, delimiter: string): Row[] {
  const start = text.slice(0, 50_000)
  return parseRows(start.slice(0, start.lastIndexOf('\n') + 1) || start, delimiter) ?? []
}

/** Reads all sheets with known columns. Errors: QuestionFileError('no_columns') if there are none. */
export function readXlsxTable(zip: ZipFiles, asked: AskedTable): Found {
  const sheets = readSheets(zip)
  const found = readTables(
    sheets.map(({ name, rows }) => {
      const sheet = sheets.length > 1 ? `sheet ${name}, ` : ''
      return {
        name,
        rows: rows.map(({ number, cells }) => ({ place: `${sheet}row ${number}`, cells })),
      }
    }),
    asked,
  )
  if (!found) throw new QuestionFileError('no_columns')
  return found
}

function parseRows(text: string, delimiter: string): Row[] | null {
  const options = { delimiter, info: true, relax_column_count: true, relax_quotes: true }
  try {
    const records = parse(text, { ...options, max_record_size: 200_000 })
    // A record's `lines` counts to its end, so it starts where the previous record ended.
    let line = 1
    return (records as unknown as { info: { lines: number }; record: string[] }[]).map((one) => {
      const place = `line ${line}`
      line = one.info.lines + 1
      const cells = one.record.map((cell) => ({ text: unescapeFormula(cell), oddity: null }))
      return { place, cells }
    })
  } catch {
    return null
  }
}

/** Finds the row of column names, preferably with a key column; null if there is none. */
function findHeader(rows: readonly Row[]): Header | null {
  const found = rows.slice(0, HEADER_ROWS).map(({ cells }, at): Header => {
    const written = cells.map(({ text }) => tidy(text))
    const names = written.map((name) =>
      (name.toLowerCase().split(/ [-–—] |\s*\(/)[0] ?? '').replace(/[\s_:]+/g, ' ').trim(),
    )
    return { at, written, names }
  })
  const readable = found.filter(({ names }) => {
    const roles = rolesOf(names)
    return roles.includes('question') && roles.filter((role) => role === 'option').length >= 2
  })
  return readable.find(hasKeys) ?? readable[0] ?? null
}

const hasKeys = (header: Header | null) =>
  header !== null && rolesOf(header.names).includes('correct')

function rolesOf(names: readonly string[]): ColumnRole[] {
  const roles = names.map((name): ColumnRole => (OPTION.test(name) ? 'option' : 'none'))
  for (const [role, known] of NAMES) {
    const at = names.findIndex((name) => known.test(name))
    if (at >= 0 && !roles.includes(role)) roles[at] = role
  }
  return roles
}

/** The index of each column; -1 if it is missing. */
type Columns = Record<Exclude<ColumnRole, 'option' | 'none'>, number> & {
  /** in order, including a fifth and further options */
  options: number[]
  /** exported by this product, so its texts are always plain */
  isOwn: boolean
}

function columnsOf({ names }: Header, roles: readonly ColumnRole[]): Columns {
  const at = Object.fromEntries(
    NAMES.map(([role]) => [role, roles.indexOf(role)]),
  ) as unknown as Columns
  return {
    ...at,
    options: roles.flatMap((role, index) => (role === 'option' ? index : [])),
    isOwn: names.join().startsWith(OWN_NAMES),
  }
}

const cellAt = ({ cells }: Row, column: number): Cell => cells[column] ?? EMPTY_CELL
const textAt = (row: Row, column: number) => tidy(cellAt(row, column).text)
const optionsOf = (row: Row, { options }: Columns) => options.map((column) => textAt(row, column))
const mainCells = (row: Row, { question, options, correct }: Columns) =>
  [question, ...options, correct].map((column) => cellAt(row, column))

/** Reads the questions of all sheets with a header, using chosen or guessed columns; null if no sheet has one. */
function readTables(sheets: readonly Sheet[], asked: AskedTable): Found | null {
  const tables = sheets.flatMap(({ name, rows }) => {
    const header = findHeader(rows)
    return header ? { name, rows, header } : []
  })
  if (tables.length === 0) return null
  // A name has the same meaning on every sheet.
  const guessed = new Map<string, ColumnRole>()
  for (const { header } of tables.toReversed()) {
    const roles = rolesOf(header.names)
    for (const [at, name] of header.written.entries()) {
      // The first of two columns with the same name counts.
      if (header.written.indexOf(name) === at) guessed.set(name, roles[at] ?? 'none')
    }
  }
  guessed.delete('')
  const columns = [...guessed].map(([name, role], at) => ({
    name,
    role: asked.columns?.[at] ?? role,
  }))
  const roleOf = new Map(columns.map(({ name, role }) => [name, role]))
  const rows = tables.flatMap(({ rows, header }) => {
    const own = columnsOf(
      header,
      header.written.map((name) => roleOf.get(name) ?? 'none'),
    )
    return rows.slice(header.at + 1).flatMap((row) => {
      const isInstruction = /^text of the question/i.test(textAt(row, own.question))
      if (isInstruction || !mainCells(row, { ...own, correct: -1 }).some(isFilled)) return []
      return { row, columns: own, key: textAt(row, own.correct), options: optionsOf(row, own) }
    })
  })
  const { names: all = [], written = [] } = tables[0]?.header ?? {}
  const names = all.filter((_, at) => roleOf.get(written[at] ?? '') === 'option')
  const { form, keyOf } = readKeys(
    rows.filter(({ key }) => key !== ''),
    names,
    asked.keys,
  )
  return {
    questions: rows.map((one, at) =>
      readRow(one.row, one.columns, one.key === '' ? [] : keyOf(one), at),
    ),
    notices: form === 'apart' ? ['answer_apart'] : [],
    unread: sheets.flatMap(({ name }) => (tables.some((one) => one.name === name) ? [] : name)),
    table: { columns, keys: form },
  }
}

/** @param at position for a right answer that has its own column */
function readRow(
  row: Row,
  columns: Columns,
  keys: number[] | 'unknown_key' | 'unclear_key',
  at: number,
): FoundQuestion {
  const textOf = (text: string) => (columns.isOwn ? plainText(text) : textOfAny(text, true))
  const options = optionsOf(row, columns).flatMap((text, index) =>
    text === ''
      ? []
      : { text: textOf(text), credit: Array.isArray(keys) && keys.includes(index) ? 100 : 0 },
  )
  const right = { text: textOf(cellAt(row, columns.correct).text), credit: 100 }
  return {
    place: row.place,
    stem: textOf(cellAt(row, columns.question).text),
    options: keys[0] === APART ? options.toSpliced(at % 4, 0, right) : options,
    explanation: textOf(cellAt(row, columns.explanation).text),
    category: textAt(row, columns.topic),
    // A form is A or B; any other value is ignored.
    form: FORMS.find((one) => RegExp(`^(form )?${one}$`, 'i').test(textAt(row, columns.form))),
    flaw: flawOf(row, columns) ?? (typeof keys === 'string' ? keys : null),
  }
}

function flawOf(row: Row, columns: Columns): LeftOutReason | null {
  const { oddity } = mainCells(row, columns).find((cell) => cell.oddity) ?? EMPTY_CELL
  if (oddity) return `${oddity}_cell`
  if (textAt(row, columns.image) !== '') return 'media'
  const isOther = /open|draw|essay|audio|video|fill|blank|short|match|order/i
  const hasOptions = optionsOf(row, columns).some(Boolean)
  return !hasOptions || isOther.test(textAt(row, columns.type)) ? 'other_kind' : null
}

interface KeyCell {
  key: string
  options: readonly string[]
}

/** Finds the options that a cell names, by position; null if one doesn't exist. It never returns APART. */
type Reading = (cell: KeyCell) => number[] | null
const APART = -1

const partsOf = (key: string) => key.split(/[,;&]/).map((part) => part.trim())

const byParts =
  (form: RegExp, indexOf: (named: string) => number): Reading =>
  ({ key, options }) => {
    const named = partsOf(key).flatMap((part) => form.exec(part)?.[1] ?? [])
    const indexes = named.map(indexOf)
    const areThere = indexes.every((at) => (options[at] ?? '') !== '')
    return named.length === partsOf(key).length && areThere ? indexes : null
  }
const NUMBER = /^(?:(?:option|answer|choice) ?)?(\d{1,2})[.)]?$/i
const LETTER = /^(?:(?:option|answer|choice) ?)?\(?([a-j])[).:]?$/i

const READINGS: Record<KeyForm, Reading> = {
  letter: byParts(LETTER, (one) => one.toUpperCase().charCodeAt(0) - 65),
  text: ({ key, options }) => {
    const same = options.flatMap((text, at) => (isSame(text, key) ? at : []))
    return same.length === 1 ? same : null
  },
  one: byParts(NUMBER, (digits) => Number(digits) - 1),
  zero: byParts(NUMBER, Number),
  apart: ({ key, options }) => (options.some((text) => isSame(text, key)) ? null : [APART]),
}
const WRONG = /^(wrong|incorrect|distractor)/
const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/**
 * Reads a column of keys. It uses the one interpretation in which every cell names an option. If several fit with
 * different results, or none fits all cells, it reads only unambiguous cells.
 * @param cells without empty ones
 * @param names of the options' columns in lower case
 * @returns form: null if there are several
 */
function readKeys(
  cells: readonly KeyCell[],
  names: readonly string[],
  asked: KeyForm | undefined,
): { form: KeyForm | null; keyOf: (cell: KeyCell) => number[] | 'unknown_key' | 'unclear_key' } {
  const isFromZero = names.some((name) => /(^|\D)0$/.test(name))
  const hasZero = isFromZero || cells.some(({ key }) => partsOf(key).includes('0'))
  const canBeApart = names.length === 3 || names.every((name) => WRONG.test(name))
  const fits = (form: KeyForm) => cells.every((cell) => READINGS[form](cell) !== null)
  const areNumbers = cells.every(({ options }) =>
    options.every((text) => /^\D?[\d.,]+\D?$/.test(text)),
  )
  const isPossible: Record<KeyForm, boolean> = {
    ...{ letter: true, text: true, one: !isFromZero, zero: hasZero },
    apart: canBeApart && !fits('letter') && (areNumbers || !fits('one')),
  }
  const possible = (Object.keys(KEY_FORMS) as KeyForm[]).filter((form) => isPossible[form])
  const fitting = possible.filter(fits)
  const mixed = possible.filter((form) => form !== 'apart')
  const forms = asked ? [asked] : fitting.length > 0 ? fitting : mixed
  const readingsOf = (cell: KeyCell) =>
    new Map(
      forms.flatMap((form) => {
        const keys = READINGS[form](cell)
        return keys ? [[keys.join(), keys] as const] : []
      }),
    )
  const isClear = cells.every((cell) => readingsOf(cell).size === 1)
  return {
    form: asked ?? (isClear ? (fitting[0] ?? null) : null),
    keyOf: (cell) => {
      const [first, ...others] = readingsOf(cell).values()
      return others.length > 0 ? 'unclear_key' : (first ?? 'unknown_key')
    },
  }
}
