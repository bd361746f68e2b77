import { type Exhibit, TABLE_LIMITS } from '../../platform/exhibit.ts'
import { listOf } from '../../platform/words.ts'

/**
 * A table as it is pasted from a spreadsheet: a line is a row, tabs part the cells; short rows are filled up,
 * empty rows at the end go. Null rows with a problem for what is too large, without one for nothing.
 */
export function readTable(text: string): { rows: string[][] | null; problem: string | null } {
  if (text.trim() === '') return { rows: null, problem: null }
  const lines = text.replace(/\r\n?/g, '\n').replace(/\s+$/, '').split('\n')
  const cells = lines.map((line) => line.split('\t').map((cell) => cell.trim()))
  const columns = Math.max(...cells.map((row) => row.length))
  const rows = cells.map((row) => [...row, ...Array<string>(columns - row.length).fill('')])
  const problem = problemOf(rows, columns)
  return { rows: problem ? null : rows, problem }
}

function problemOf(rows: readonly string[][], columns: number): string | null {
  const longest = Math.max(...rows.flat().map((cell) => cell.length))
  if (rows.length > TABLE_LIMITS.rows) {
    return `The table has ${rows.length} rows. It can have at most ${TABLE_LIMITS.rows}.`
  }
  if (columns > TABLE_LIMITS.columns) {
    return `The table has ${columns} columns. It can have at most ${TABLE_LIMITS.columns}.`
  }
  if (longest > TABLE_LIMITS.cellCharacters) {
    return `A cell has ${longest} characters. It can have at most ${TABLE_LIMITS.cellCharacters}.`
  }
  const isTooLong = rows.flat().join('').length > TABLE_LIMITS.characters
  return isTooLong ? 'The table has too much text.' : null
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
  const sentence = (kind: Exhibit['kind'], rest: string) => {
    const numbers = exhibits.flatMap((one, index) => (one?.kind === kind ? `${index + 1}` : []))
    if (numbers.length === 0) return []
    return numbers.length === 1
      ? `The ${kind} of question ${numbers[0]} is ${rest}.`
      : `The ${kind}s of questions ${listOf(numbers)} are ${rest}.`
  }
  return [sentence('picture', 'described in words'), sentence('table', 'written as text')].flat()
}
