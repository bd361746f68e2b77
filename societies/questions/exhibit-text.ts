import { type Exhibit, TABLE_LIMITS } from '../../platform/exhibit.ts'
import { listOf } from '../number-words.ts'

/**
 * A table as it is pasted from a spreadsheet: a line is a row, tabs part the cells; short rows are filled up,
 * empty rows at the end go. Null rows with a problem for what is too large, without one for nothing.
 */
export function readTable(text: string): { rows: string[][] | null; problem: string | null } {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\s+$/, '').split('\n')
  const cells = lines.map((line) => line.split('\t').map((cell) => cell.trim()))
  if (text.trim() === '') return { rows: null, problem: null }
  const columns = Math.max(...cells.map((row) => row.length))
  const rows = cells.map((row) => [...row, ...Array(columns - row.length).fill('')] as string[])
  const longest = Math.max(...rows.flat().map((cell) => cell.length))
  const problem =
    rows.length > TABLE_LIMITS.rows
      ? `The table has ${rows.length} rows; ${TABLE_LIMITS.rows} are the most.`
      : columns > TABLE_LIMITS.columns
        ? `The table has ${columns} columns; ${TABLE_LIMITS.columns} are the most.`
        : longest > TABLE_LIMITS.cellCharacters
          ? `A cell has ${longest} characters; ${TABLE_LIMITS.cellCharacters} are the most.`
          : rows.flat().join('').length > TABLE_LIMITS.characters
            ? 'The table has too much text.'
            : null
  return { rows: problem ? null : rows, problem }
}

export const writeTable = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.join('\t')).join('\n')

/**
 * A question as a format without exhibits carries it: a table as lines behind the text, of a picture its
 * description (product 7.9.47).
 */
export function withExhibitAsText(question: string, exhibit: Exhibit | null): string {
  if (exhibit === null) return question
  return exhibit.kind === 'table'
    ? [question, ...exhibit.rows.map((row) => row.join(' | '))].join('\n')
    : `${question}\n[A picture that is not in this file: ${exhibit.alt.replace(/\s+/g, ' ').trim()}]`
}

/** What a file of questions has in place of their exhibits, with the questions' numbers; empty where there are none. */
export function exhibitsInFile(exhibits: readonly (Exhibit | null)[]): string[] {
  const of = (kind: Exhibit['kind']) =>
    exhibits.flatMap((exhibit, index) => (exhibit?.kind === kind ? [String(index + 1)] : []))
  const [pictures, tables] = [of('picture'), of('table')]
  const questions = (numbers: string[]) =>
    `question${numbers.length === 1 ? '' : 's'} ${listOf(numbers)}`
  return [
    ...(pictures.length > 0
      ? [
          `${pictures.length === 1 ? 'One picture is' : `${pictures.length} pictures are`} not in the file, of ${questions(pictures)}: what is said for who cannot see ${pictures.length === 1 ? 'it' : 'them'} stands there instead.`,
        ]
      : []),
    ...(tables.length > 0
      ? [
          `${tables.length === 1 ? 'One table is' : `${tables.length} tables are`} written as text, of ${questions(tables)}.`,
        ]
      : []),
  ]
}
