import { MOST_LINES } from '../kit/candidate-limits.ts'
import type { WrittenLine } from './candidate-lines.ts'

/* Parses pasted text or a file: names, addresses, 'Name <address>', or separated cells (product 7.10.4). */

/** The content of a column. First and last name are joined, and 'none' columns are left out. */
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

/** Address book exports have the address in column 58. */
const MOST_COLUMNS = 100
/** A quoted cell can span at most this many lines. */
const MOST_CELL_LINES = 20

interface TextRow {
  /** The line number in the text, starting at 1. */
  line: number
  cells: string[]
}

/** Returns the rows that aren't blank, plus one over the maximum so that callers can detect too many. */
export function splitText(text: string): TextRow[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  const rows: TextRow[] = []
  // Several people on one line get consecutive line numbers, so that each number is unique.
  let more = 0
  for (let at = 0; at < lines.length && rows.length <= MOST_LINES + 1; at += 1) {
    const line = at + 1 + more
    let record = lines[at] as string
    // A quoted cell may contain line breaks. If the quote is never closed, the line is read by itself.
    for (let further = 1; isOpen(record) && further < MOST_CELL_LINES; further += 1) {
      const next = lines[at + further]
      if (next === undefined) break
      record += `\n${next}`
      if (!isOpen(record)) at += further
    }
    if (isOpen(record)) record = lines[at] as string
    if (record.trim() === '') continue
    const found = cellsOf(record)
    // Spreadsheets export empty rows as ';;;;'.
    if (found.every((cells) => cells.every((cell) => cell.trim() === ''))) continue
    rows.push(...found.map((cells, index) => ({ line: line + index, cells })))
    more += found.length - 1
  }
  return rows
}

const isOpen = (record: string) =>
  /(^|[,;\t])\s*"/.test(record) && (record.match(/"/g)?.length ?? 0) % 2 === 1

const NAMED = /(?:"([^"]*)"|([^<>,;\t"]*?))\s*<\s*([^<>\s@]+@[^<>\s]+)\s*>/g
/** Also matches 'Last, First' before the address. It takes minutes on long lines without '<'. */
const LAST_FIRST = /(?:"([^"]*)"|([^<>;\t"]*?))\s*<\s*([^<>\s@]+@[^<>\s]+)\s*>/g

/** Returns one row, or one per person if the line is a list of mail recipients. */
function cellsOf(record: string): string[][] {
  const people = record.includes('<') ? [...record.matchAll(LAST_FIRST)] : []
  if (people.length > 1) {
    const nameOf = (name: string) => name.replace(/^[\s,]+/, '')
    return people.map(([, quoted, plain = '', email]) => [quoted ?? nameOf(plain), email ?? ''])
  }
  // A single comma before the address is part of the name.
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
  // Spreadsheets paste tabs. Many European ones export semicolons, because they use the comma as decimal separator.
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
  // Exporters put an apostrophe before a cell so that spreadsheets don't run it as a formula.
  return cells.map((cell) => cell.trim().replace(/^'(?=[=+\-@])/, ''))
}

/** Headings about other people, such as a buyer or a parent, and about things that also have names. */
const OTHERS =
  /\b(buyer|purchaser|billing|parents?|guardian|emergency|tutor|supervisor|manager|referr?\w*|secondary|alternat\w*|consent|newsletter)\b/
const THINGS =
  /\b(contact|company|organi[sz]ation|university|college|school|society|club|team|group|event|ticket|item|product|course|program\w*|project|account|card|file|middle|maiden|preferred|nick ?name)\b/
const HEADINGS: readonly [Column, RegExp][] = [
  ['username', /^(user ?name|user|login|(sis )?login id|student (id|number|no))$/],
  ['room', /^(exam |test )?(room|seat|sala|raum|salle|aula)( (no|number|name))?$/],
  ['extra', /^(extra|(extra|additional) (time|minutes|mins?))\b(?! [^(])/],
  ['exempt', /^(exempt|not counted|accommodation)/],
  ['note', /^(notes?|comments?|remarks?|nota|bemerkung|anmerkung|observa\w*)$/],
  ['email', /mail|^address$|^correo/],
  [
    'name',
    /\b(first|given|forename)\b.*\b(last|surname|family)\b|\b(last|surname|family)\b.*\b(first|given)\b/,
  ],
  [
    'first',
    /^(first|given|fore) ?names?\b|^(first|given)$|^(your )?first name|^vorname|^prénom|^primeiro nome$|^voornaam/,
  ],
  [
    'last',
    /^(last|family|sur) ?names?\b|^(last|family)$|^(your )?last name|^nachname|^apelidos?$|^apellidos?$|^cognome$|^nom de famille|^achternaam/,
  ],
  ['name', /\bname\b|^nome|^nombre|^nom$|^naam$|^(student|candidate|participant|attendee|member)$/],
]
/** Headings are expected in the first rows only. */
const HEADING_ROWS = 10

function columnNamed(cell: string): Column | undefined {
  const words = cell
    .toLowerCase()
    .replace(/[\s_.:?/-]+/g, ' ')
    .trim()
  const column = HEADINGS.find(([, pattern]) => pattern.test(words))?.[0]
  const isOther = OTHERS.test(words) || (column !== 'email' && THINGS.test(words))
  return isOther ? undefined : column
}

/**
 * Guesses each column from its heading or its cells, and the number of rows up to the headings. Numbers count as extra
 * time or a room only if a heading says so.
 */
export function guessColumns(rows: readonly TextRow[]): { columns: Column[]; headings: number } {
  const named = rows.slice(0, HEADING_ROWS).map(({ cells }) => cells.map(columnNamed))
  const counts = named.map((row, at) =>
    rows[at]?.cells.some((cell) => cell.includes('@')) ? 0 : row.filter(Boolean).length,
  )
  const headingAt = counts[0] ? 0 : counts.findIndex((count) => count > 1)
  const headings = named[headingAt] ?? []
  // Next to 'Surname', a 'Name' column is the first name.
  if (headings.includes('last') && !headings.includes('first') && headings.includes('name')) {
    headings[headings.indexOf('name')] = 'first'
  }
  const body = rows.slice(headingAt + 1, headingAt + 200)
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const cellsAt = (at: number) => body.flatMap(({ cells }) => cells[at]?.trim() || [])
  const columns = Array<Column>(width).fill('none')
  const all = [...columns.keys()]
  for (const column of Object.keys(COLUMN_WORDS) as Column[]) {
    // If several columns have the same meaning, the one with the most content wins. Forms often leave one blank.
    const isIt = (cell: string) => column !== 'email' || cell.includes('@')
    const weigh = (at: number) => cellsAt(at).filter(isIt).length
    const [best] = all.filter((at) => headings[at] === column).sort((a, b) => weigh(b) - weigh(a))
    if (best !== undefined && column !== 'none') columns[best] = column
  }
  const free = (most: (cell: string) => boolean) =>
    all.find((at) => {
      const cells = cellsAt(at)
      return columns[at] === 'none' && cells.filter(most).length > cells.length / 2
    })
  const addresses = columns.includes('email') ? undefined : free((cell) => cell.includes('@'))
  if (addresses !== undefined) columns[addresses] = 'email'
  if (headingAt === -1) {
    const isName = (cell: string) => /^\p{L}[^@\d]*$/u.test(cell)
    const name = free(isName)
    // First and last names can be in adjacent columns without headings: 'Ana', 'One'.
    const isHalf = (at: number) =>
      columns[at] === 'none' && cellsAt(at).every((cell) => isName(cell) && !/\s/.test(cell))
    if (name !== undefined && isHalf(name) && isHalf(name + 1)) {
      columns.splice(name, 2, 'first', 'last')
    } else if (name !== undefined) columns[name] = 'name'
  }
  return { columns, headings: headingAt + 1 }
}

export function linesOf(
  rows: readonly TextRow[],
  columns: readonly Column[],
  headings: number,
): WrittenLine[] {
  const people = rows
    .slice(headings)
    .filter(({ cells }) => !/^\s*points possible/i.test(cells[0] ?? ''))
  return people.map(({ line, cells }) => {
    // For a missing column, indexOf returns -1 and the cell is blank.
    const of = (column: Column) => cells[columns.indexOf(column)] ?? ''
    const parts = [of('first'), of('last')].filter((part) => part.trim() !== '')
    const username = of('username')
    return {
      ...{ line, name: columns.includes('name') ? of('name') : parts.join(' ') },
      // Forms may call the address a username.
      ...{ email: of('email') || (username.includes('@') ? username : '') },
      ...{ room: of('room'), extra: of('extra') },
      ...{ username, exempt: of('exempt'), note: of('note') },
    }
  })
}

/** Whether the list gives names. If so, a blank name is an error. */
export const givesNames = (columns: readonly Column[]): boolean =>
  columns.some((column) => ['name', 'first', 'last'].includes(column))
