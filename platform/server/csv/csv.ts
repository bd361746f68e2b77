import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { FileProblems } from '../admin-error.ts'
import { mapInSlices } from '../shares/slices.ts'

interface CsvRow<Column extends string> {
  line: number
  cells: Record<Column, string>
}

/**
 * Reads a society's CSV with commas, semicolons or tabs. Column names ignore case, spaces and underscores. Trailing
 * blank rows are dropped and bad rows become problems. Errors: FileProblems for a wrong header or no rows.
 */
export function readCsv<Column extends string>(
  text: string,
  columns: { required: readonly Column[]; optional?: readonly Column[] },
): { rows: CsvRow<Column>[]; problems: string[] } {
  const { required, optional = [] } = columns
  const known = [...required, ...optional]
  const records = parseRecords(text)
  const plain = (name: string) => name.toLowerCase().replace(/[\s_]+/g, '')
  const names = records[0]?.record.map((cell) => cell.trim()) ?? []
  const header = names.map((name) => known.find((column) => plain(column) === plain(name)) ?? null)
  const problems = [
    ...required
      .filter((column) => !header.includes(column))
      .map((column) => `line 1: the column '${column}' is missing`),
    ...names
      .filter((_, index) => header[index] === null)
      .map((name) => `line 1: '${name}' is not a column of this table (${known.join(', ')})`),
    ...header
      .filter((name, index) => name !== null && header.indexOf(name) !== index)
      .map((name) => `line 1: the column '${name}' occurs twice`),
  ]
  if (problems.length > 0) throw new FileProblems(problems)
  const isBlank = (record: string[]) => record.every((cell) => cell.trim() === '')
  const lastFilled = records.findLastIndex(({ record }) => !isBlank(record))
  if (lastFilled < 1) throw new FileProblems(['line 1: there are no rows below the header'])

  const rows: CsvRow<Column>[] = []
  for (const [index, { record }] of records.slice(1, lastFilled + 1).entries()) {
    // `lines` counts to the record's end, and a record starts where the previous one ended.
    const line = (records[index]?.info.lines ?? 0) + 1
    if (record.length !== header.length && !isBlank(record)) {
      problems.push(`line ${line}: has ${record.length} cells, but the header has ${header.length}`)
      continue
    }
    const cells = Object.fromEntries(known.map((column) => [column, ''])) as Record<Column, string>
    header.forEach((column, at) => {
      if (column) cells[column] = unescapeFormula(record[at] ?? '').trim()
    })
    rows.push({ line, cells })
  }
  return { rows, problems }
}

interface Parsed {
  info: { lines: number }
  record: string[]
}

function parseRecords(text: string): Parsed[] {
  const firstLine = text.split(/\r?\n/, 1)[0] ?? ''
  // Spreadsheets in half of Europe write semicolons. No header cell contains one.
  const delimiter =
    [';', '\t'].find((one) => firstLine.includes(one) && !firstLine.includes(',')) ?? ','
  try {
    return parse(text, {
      bom: true,
      info: true,
      delimiter,
      relax_column_count: true,
      // An empty line between others may be a missing name, which the caller has to report.
      skip_empty_lines: false,
    }) as unknown as Parsed[]
  } catch (error) {
    throw new FileProblems([`not a CSV file: ${(error as Error).message}`])
  }
}

/** Decodes a file's text. Errors: FileProblems when it isn't UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // The error is thrown below.
  }
  throw new FileProblems(["the file isn't UTF-8 text; please save it as 'CSV UTF-8'"])
}

/**
 * Writes CSV, with an apostrophe before formulas and the mark by which Excel on Windows recognizes UTF-8.
 * @param header null for later chunks of a long file
 */
export function writeCsv(
  header: readonly string[] | null,
  rows: readonly (readonly unknown[])[],
): string {
  return stringify([...(header ? [[...header]] : []), ...rows.map((row) => [...row])], {
    bom: header !== null,
    cast: {
      string: escapeFormula,
      boolean: (value) => String(value),
      date: (value) => value.toISOString(),
    },
  })
}

/** The same in slices, so that a long list doesn't block other calls. */
export async function writeCsvInSlices<T>(
  header: readonly string[],
  list: readonly T[],
  rowOf: (one: T) => readonly unknown[],
): Promise<string> {
  const rows = await mapInSlices(list, (one) => writeCsv(null, [rowOf(one)]))
  return [writeCsv(header, []), ...rows].join('')
}

/** Texts that a spreadsheet would run, or that start with the apostrophe, get one, so that reading restores them. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

function escapeFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell
}

export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}
