import { parse } from 'csv-parse/sync'
import { unescapeFormula } from '../../../../platform/server/csv/csv.ts'
import type { FileNotice, LeftOutReason } from '../../question-files.ts'
import { FORMS } from '../../two-forms.ts'
import { LIMITS, QuestionFileError, type ZipFiles } from './bytes.ts'
import { plainText, textOfCell, tidy } from './plain-text.ts'
import type { Found, FoundQuestion } from './review.ts'
import { allOf, childOf, childrenOf, type Element, parseXml, rawText } from './xml.ts'

// Tables with a question a row: CSV, TSV and .xlsx, those of Kahoot (columns named in row 8) and Quizizz (row 2 may
// hold instructions) among them. Which column is what is told by its name.

/** The names of columns stand no further down. */
const HEADER_ROWS = 20
const DELIMITERS = [',', ';', '\t', '|']

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
  /^(?:(?:(?:wrong|incorrect)(?: answer| option| choice)?|distractor|answer|option|opt|choice|antwort|opción|respuesta|opzione|risposta|opção|resposta|réponse|antwoord) ?)?([a-j]|\d{1,2})[.)]?$/

/** As an export begins (export-questions.ts). */
const OWN_NAMES = 'id,question,answer a,answer b,answer c,answer d,correct option'

/** Which column is what: -1 where there is none. */
type Columns = Record<keyof typeof NAMES, number> & {
  /** in their order; a fifth and further ones too */
  options: number[]
  /** options are called 1, 2, 3 and not A, B, C */
  isNumbered: boolean
  hasOthers: boolean
  /** written by this product: its texts are plain, whatever they look like */
  isOwn: boolean
}

/** Null for a text that is no table whose columns are known. Errors: QuestionFileError('broken_csv'). */
export function readCsvTable(text: string): Found | null {
  const delimiter = DELIMITERS.find((one) => findHeader(startOf(text, one)) !== null)
  if (delimiter === undefined) return null
  const rows = parseRows(text, delimiter)
  if (!rows) throw new QuestionFileError('broken_csv')
  return readTable(rows)
}

/** Whether a text is likely to be a table, whatever its columns are called: question, four options and key are six. */
export const looksLikeTable = (text: string): boolean =>
  DELIMITERS.some((delimiter) => {
    const rows = startOf(text, delimiter).slice(0, HEADER_ROWS)
    const wide = rows.filter(({ cells }) => cells.length >= 6)
    return wide.length >= 2 && wide.length >= rows.length * 0.8
  })

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
  const options = { delimiter, info: true, relax_column_count: true, relax_quotes: true }
  try {
    const records = parse(text, { ...options, max_record_size: 200_000 })
    // A record's `lines` counts up to its end; it starts where the one before ended.
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

/** The row of names and what they mean; null when there is none. */
function findHeader(rows: readonly Row[]): { at: number; columns: Columns } | null {
  for (const [at, { cells }] of rows.slice(0, HEADER_ROWS).entries()) {
    // 'Answer 1 – max 75 characters' is called 'answer 1'.
    const names = cells.map(({ text }) => {
      const [name = ''] = text.toLowerCase().split(/ [-–—] |\s*\(/)
      return name.replace(/[\s_]+/g, ' ').trim()
    })
    const columns = columnsOf(names)
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
  const used = [...Object.values(at), ...options]
  const isOther = (name: string, column: number) =>
    name !== '' && name !== 'id' && !used.includes(column)
  const isNumbered = /\d/.test(names[options[0] ?? 0] ?? '')
  const isOwn = names.join().startsWith(OWN_NAMES)
  return { ...at, options, isNumbered, hasOthers: names.some(isOther), isOwn }
}

const cellAt = ({ cells }: Row, column: number): Cell => cells[column] ?? EMPTY_CELL
const textAt = (row: Row, column: number) => tidy(cellAt(row, column).text)
const optionsOf = (row: Row, { options }: Columns) => options.map((column) => textAt(row, column))
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
  const notices: FileNotice[] = columns.hasOthers ? ['columns_ignored'] : []
  // Three wrong answers, and the right one beside them: no key is one of the three.
  const isApart =
    columns.options.length === 3 &&
    filled.length > 0 &&
    filled.some((row) => keysOf(row) === null) &&
    filled.every((row) => !optionsOf(row, columns).includes(textAt(row, columns.correct)))
  if (!isApart)
    return { questions: filled.map((row) => readRow(row, columns, keysOf(row))), notices }
  return {
    questions: filled.map((row, at) => {
      const one = readRow(row, columns, [])
      const right = { text: textOfCell(cellAt(row, columns.correct).text), credit: 100 }
      return { ...one, options: one.options.toSpliced(at % 4, 0, right) }
    }),
    notices: [...notices, 'answer_apart'],
  }
}

/** @param keys null where the cell names none of the options */
function readRow(row: Row, columns: Columns, keys: number[] | null): FoundQuestion {
  const textOf = columns.isOwn ? plainText : textOfCell
  return {
    place: row.place,
    stem: textOf(cellAt(row, columns.question).text),
    options: optionsOf(row, columns).flatMap((text, index) =>
      text === '' ? [] : { text: textOf(text), credit: keys?.includes(index) ? 100 : 0 },
    ),
    explanation: textOf(cellAt(row, columns.explanation).text),
    category: textAt(row, columns.topic),
    // A form is A or B; whatever else a column of this name says is none of ours.
    form: FORMS.find((one) => RegExp(`^(form )?${one}$`, 'i').test(textAt(row, columns.form))),
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

/**
 * Which options the cell of a row says are right; empty when it says nothing, null when it names none that there is.
 * Whether numbers count from 0, and whether all cells repeat an option, is decided for the whole column.
 */
function keyReader(rows: readonly Row[], columns: Columns): (row: Row) => number[] | null {
  const keyOf = (row: Row) => textAt(row, columns.correct)
  const partsOf = (key: string) => key.split(/[,;&]/).map((part) => part.trim())
  /** Null where a part is of another form, whose group names the option. */
  const indexesOf = (key: string, form: RegExp, index: (named: string) => number) => {
    const named = partsOf(key).flatMap((part) => form.exec(part)?.[1] ?? [])
    return named.length === partsOf(key).length ? named.map(index) : null
  }
  const filled = rows.filter((row) => keyOf(row) !== '')
  const numbers = filled.flatMap((row) => partsOf(keyOf(row)).filter((part) => /^\d+$/.test(part)))
  const isFromZero =
    numbers.includes('0') && numbers.every((one) => Number(one) < columns.options.length)
  const byNumber = (key: string) =>
    indexesOf(key, /^(\d{1,2})$/, (digits) => Number(digits) - (isFromZero ? 0 : 1))
  const letter = /^(?:(?:option|answer) ?)?\(?([a-j])[).:]?$/i
  const byLetter = (key: string) =>
    indexesOf(key, letter, (one) => one.toUpperCase().charCodeAt(0) - 65)
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

interface Cell {
  text: string
  /** 'formula': what is shown is computed; 'shaped': shown in another form than it is stored */
  oddity: 'formula' | 'shaped' | null
}

const EMPTY_CELL: Cell = { text: '', oddity: null }

const isFilled = ({ text, oddity }: Cell): boolean => text.trim() !== '' || oddity !== null

/** Further right nobody writes a question. */
const MOST_COLUMNS = 100

/** The filled sheets of an .xlsx file, in its order. Errors: QuestionFileError when it is damaged. */
export function readSheets(files: ZipFiles) {
  const workbook = xmlOf(files, 'xl/workbook.xml')
  const relations = xmlOf(files, 'xl/_rels/workbook.xml.rels')
  if (!workbook || !relations) throw new QuestionFileError('damaged_zip')
  const targets = new Map(
    childrenOf(relations, 'Relationship').map(({ attributes: { Id, Target } }) => [Id, Target]),
  )
  const texts = childrenOf(xmlOf(files, 'xl/sharedStrings.xml'), 'si').map(textOf)
  /** the number format of each style */
  const formats = childrenOf(childOf(xmlOf(files, 'xl/styles.xml'), 'cellXfs'), 'xf').map(
    ({ attributes }) => attributes.numFmtId ?? '0',
  )
  return childrenOf(childOf(workbook, 'sheets'), 'sheet').flatMap(({ attributes }) => {
    const target = targets.get(attributes.id ?? '')
    const sheet = target && xmlOf(files, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
    const rows = sheet ? readRows(sheet, (cell) => readCell(cell, texts, formats)) : []
    return rows.length > 0 ? { name: attributes.name ?? '', rows } : []
  })
}

function xmlOf(files: ZipFiles, path: string): Element | null {
  const unpack = files.get(path)
  if (!unpack) return null
  const { root, isBroken } = parseXml(unpack().toString('utf8'))
  if (isBroken) throw new QuestionFileError('damaged_zip')
  return root
}

/** Without the reading aids of Japanese texts. */
const textOf = (element: Element): string =>
  childrenOf(element)
    .filter(({ name }) => name !== 'rPh')
    .map((child) => (child.name === 't' ? rawText(child) : textOf(child)))
    .join('')

/** The rows that hold something, numbered as the spreadsheet does it, from 1. */
function readRows(sheet: Element, read: (cell: Element) => Cell) {
  let number = 0
  let count = 0
  return allOf(sheet, 'row').flatMap((row) => {
    number = Number(row.attributes.r ?? number + 1)
    const cells: Cell[] = []
    for (const cell of childrenOf(row, 'c')) {
      // 'C7' is in column 2.
      const [letters] = /^[A-Z]{1,3}/.exec(cell.attributes.r ?? '') ?? []
      const column = letters
        ? [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
        : cells.length
      if (column >= MOST_COLUMNS) continue
      while (cells.length < column) cells.push(EMPTY_CELL)
      cells[column] = read(cell)
    }
    count += cells.length
    if (count > LIMITS.cells) throw new QuestionFileError('sheet_too_long')
    return cells.some(isFilled) ? { number, cells } : []
  })
}

function readCell(cell: Element, texts: readonly string[], formats: readonly string[]): Cell {
  const value = rawText(childOf(cell, 'v'))
  const oddity = childOf(cell, 'f') ? 'formula' : null
  switch (cell.attributes.t) {
    case 's':
      return { text: texts[Number(value)] ?? '', oddity }
    case 'inlineStr':
      return { text: childrenOf(cell, 'is').map(textOf).join(''), oddity }
    case 'str':
    case 'e':
      return { text: value, oddity }
    case 'b':
      return { text: value === '1' ? 'TRUE' : 'FALSE', oddity }
  }
  if (value === '') return { text: '', oddity }
  // Shown as it is: General, text, and whole numbers in '0', which shows 2.5 as 3.
  const format = formats[Number(cell.attributes.s ?? 0)] ?? '0'
  const isPlain = ['0', '49'].includes(format) || (format === '1' && /^-?\d+$/.test(value))
  // 0.30000000000000004 is 0.3 in sight.
  const number = Number(value)
  const text = Number.isFinite(number) ? String(Number(number.toPrecision(15))) : value
  return { text, oddity: oddity ?? (isPlain ? null : 'shaped') }
}
