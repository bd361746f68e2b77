import { TABLE_LIMITS } from '../../platform/exhibit.ts'

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
