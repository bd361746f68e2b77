import { MOST_LINES } from '../kit/candidate-limits.ts'
import type { WrittenLine } from './candidate-lines.ts'

/*
 * Reads a pasted text, or the text of a file (product 7.10.4): names, addresses, 'Name <address>', cells with tabs,
 * semicolons or commas between them, line by line.
 */

/** What a column holds; first and last name are put together, 'none' is left out. */
export const COLUMN_WORDS = {
  name: 'Name',
  first: 'First name',
  last: 'Last name',
  email: 'Address',
  room: 'Room',
  extra: 'Extra minutes',
  username: 'Username',
  exempt: 'Exempt from',
  note: 'Note',
  none: 'Leave out',
} as const
export type Column = keyof typeof COLUMN_WORDS

const MOST_COLUMNS = 30
/** Lines of one cell in quotes. */
const MOST_CELL_LINES = 20

interface TextRow {
  /** of the text, from 1 */
  line: number
  cells: string[]
}

/** The rows of a text that aren't blank. One row too many says that there are more than can be added. */
export function splitText(text: string): TextRow[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  const rows: TextRow[] = []
  // Several people on one line get consecutive numbers, so that each has one of their own.
  let more = 0
  for (let at = 0; at < lines.length && rows.length <= MOST_LINES + 1; at += 1) {
    const line = at + 1 + more
    let record = lines[at] as string
    // A cell in quotes may hold line breaks; a quote that is never closed is one of its own.
    for (let further = 1; isOpen(record) && further < MOST_CELL_LINES; further += 1) {
      const next = lines[at + further]
      if (next === undefined) break
      record += `\n${next}`
      if (!isOpen(record)) at += further
    }
    if (isOpen(record)) record = lines[at] as string
    if (record.trim() === '') continue
    const found = cellsOf(record)
    // ';;;;': a spreadsheet writes its empty rows too.
    if (found.every((cells) => cells.every((cell) => cell.trim() === ''))) continue
    rows.push(...found.map((cells, index) => ({ line: line + index, cells })))
    more += found.length - 1
  }
  return rows
}

const isOpen = (record: string) =>
  /(^|[,;\t])\s*"/.test(record) && (record.match(/"/g)?.length ?? 0) % 2 === 1

const NAMED = /(?:"([^"]*)"|([^<>,;\t"]*?))\s*<\s*([^<>\s@]+@[^<>\s]+)\s*>/g
/** The same, with 'Last, First' before the address. Without a '<' a long line would take minutes. */
const LAST_FIRST = /(?:"([^"]*)"|([^<>;\t"]*?))\s*<\s*([^<>\s@]+@[^<>\s]+)\s*>/g

/** One row, or as many as a line of a mail's recipients has people. */
function cellsOf(record: string): string[][] {
  const people = record.includes('<') ? [...record.matchAll(LAST_FIRST)] : []
  if (people.length > 1) {
    const nameOf = (name: string) => name.replace(/^[\s,]+/, '')
    return people.map(([, quoted, plain = '', email]) => [quoted ?? nameOf(plain), email ?? ''])
  }
  // A single comma before the address belongs to a name.
  const [one] = [
    ...record.matchAll(/^[\p{L}\s'’.-]+,[^,;\t]+<[^>]+>\s*$/u.test(record) ? LAST_FIRST : NAMED),
  ]
  const cells = one
    ? [
        ...splitCells(record.slice(0, one.index)).filter((cell) => cell.trim() !== ''),
        ...[one[1] ?? one[2] ?? '', one[3] ?? ''],
        ...splitCells(record.slice(one.index + one[0].length).replace(/^\s*[,;\t]/, '')),
      ]
    : splitCells(record)
  const filled = cells.filter((cell) => cell.trim() !== '')
  const isAddresses =
    filled.length > 1 && filled.every((cell) => /^\s*[^\s@]+@[^\s@]+\s*$/.test(cell))
  return isAddresses ? filled.map((cell) => [cell]) : [cells.slice(0, MOST_COLUMNS)]
}

function splitCells(record: string): string[] {
  const bare = record.replace(/"[^"]*"/g, '')
  // A tab comes from a spreadsheet; semicolons from one in half of Europe, where a comma stands in numbers.
  const delimiter = ['\t', ';'].find((one) => bare.includes(one)) ?? ','
  const cells: string[] = ['']
  let isQuoted = false
  for (let at = 0; at < record.length; at += 1) {
    const sign = record[at] as string
    const cell = cells.at(-1) as string
    if (sign === '"' && (isQuoted || cell.trim() === '')) {
      if (isQuoted && record[at + 1] === '"') {
        cells[cells.length - 1] = `${cell}"`
        at += 1
      } else isQuoted = !isQuoted
    } else if (sign === delimiter && !isQuoted) cells.push('')
    else cells[cells.length - 1] = cell + sign
  }
  // Spreadsheets are kept from running a cell by an apostrophe before it.
  return cells.map((cell) => cell.trim().replace(/^'(?=[=+\-@])/, ''))
}

const HEADINGS: readonly [Column, RegExp][] = [
  ['first', /^(first|given|fore) ?name|^vorname|^prénom|^primeiro nome$/],
  ['last', /^(last|family|sur) ?name|^nachname|^apelido$|^nom de famille/],
  ['username', /^(user ?name|user|login|student (id|number)|number|id)$/],
  ['email', /mail|^address$|^correo/],
  ['room', /^(room|seat|sala|raum|salle|aula|place)\b/],
  ['extra', /^(extra|additional)|^minutes$|^extra time/],
  ['exempt', /^(exempt|not counted|accommodation)/],
  ['note', /^(note|comment|remark|nota|bemerkung|anmerkung|observa)/],
  ['name', /^(full )?name|^nome|^student$|^candidate$|^nombre|^nom$/],
]

/** Guesses each column by its heading or its cells, and whether there are headings. */
export function guessColumns(rows: readonly TextRow[]): { columns: Column[]; hasHeading: boolean } {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const first = rows[0]?.cells ?? []
  const found = first.map((cell) => {
    const words = cell.toLowerCase().replace(/[\s_.-]+/g, ' ')
    return HEADINGS.find(([, pattern]) => pattern.test(words.trim()))?.[0]
  })
  const hasHeading = found.some(Boolean) && !first.some((cell) => cell.includes('@'))
  const headings = hasHeading ? found : []
  // 'Name' beside 'Surname' is the first name.
  if (headings.includes('last') && !headings.includes('first')) {
    headings.splice(headings.indexOf('name'), headings.includes('name') ? 1 : 0, 'first')
  }
  const body = rows.slice(hasHeading ? 1 : 0).slice(0, 200)
  // A heading goes before the cells of another column; first and last name make a name.
  const told = new Set(headings)
  if (told.has('first') || told.has('last')) told.add('name')
  const columns: Column[] = []
  for (let at = 0; at < width; at += 1) {
    const heading = headings[at]
    const isUnknown = hasHeading && !heading && (first[at] ?? '').trim() !== ''
    const guess =
      heading ??
      guessOf(
        body.map(({ cells }) => (cells[at] ?? '').trim()),
        isUnknown,
      )
    const isTaken = columns.includes(guess) || (!heading && told.has(guess))
    columns.push(guess !== 'none' && isTaken ? 'none' : guess)
  }
  return { columns, hasHeading }
}

/** @param isUnknown its heading says nothing known: an age or a phone number is neither extra time nor a room */
function guessOf(cells: readonly string[], isUnknown: boolean): Column {
  const filled = cells.filter((cell) => cell !== '')
  const most = (is: (cell: string) => boolean) =>
    filled.length > 0 && filled.filter(is).length > filled.length / 2
  if (most((cell) => cell.includes('@'))) return 'email'
  if (isUnknown) return most((cell) => /^\p{L}[\p{L}\s.'’-]*$/u.test(cell)) ? 'name' : 'none'
  if (most((cell) => /^\d{1,3}$/.test(cell) && Number(cell) <= 240)) return 'extra'
  if (most((cell) => /^\+? ?\d{1,3} ?%$/.test(cell) || cell === '0')) return 'extra'
  if (most((cell) => /\d/.test(cell) && cell.length <= 12)) return 'room'
  if (most((cell) => /^\p{L}/u.test(cell) && cell.length <= 80)) return 'name'
  return 'none'
}

/** The lines as candidates, by what their columns hold. */
export function linesOf(
  rows: readonly TextRow[],
  columns: readonly Column[],
  hasHeading: boolean,
): WrittenLine[] {
  return rows.slice(hasHeading ? 1 : 0).map(({ line, cells }) => {
    // No column is at -1, so that a missing one is blank.
    const of = (column: Column) => cells[columns.indexOf(column)] ?? ''
    const parts = [of('first'), of('last')].filter((part) => part.trim() !== '')
    const username = of('username')
    return {
      ...{ line, name: columns.includes('name') ? of('name') : parts.join(' ') },
      // A form may call the address a username.
      ...{ email: of('email') || (username.includes('@') ? username : '') },
      ...{ room: of('room'), extra: of('extra') },
      ...{ username, exempt: of('exempt'), note: of('note') },
    }
  })
}

/** Whether the list gives names: then a blank one is a mistake. */
export const givesNames = (columns: readonly Column[]): boolean =>
  columns.some((column) => ['name', 'first', 'last'].includes(column))
