import { COLUMN_ROLES, LAYOUT_LIMITS, type TableLayout } from '../../../questions/question-files.ts'

/** What names an option: 'B', '2', 'b)', 'Antwort 2', 'Option B', 'Antwort2'; not the heading 'Richtig'. */
const NAMES_OPTION = /^(?:(?:\p{L}+ )?\(?[a-j1-9]|\p{L}+\(?[1-9])[).:]?$/iu
const SOME_ROWS = 30

/**
 * Which column is what, by what stands in them alone: the key names one of few or repeats an option, the
 * question is the longest text before it, its options follow. A guess for a person to look at.
 */
export function guessLayout(rows: readonly (readonly string[])[]): TableLayout {
  const some = rows.slice(0, SOME_ROWS)
  const width = Math.min(Math.max(0, ...some.map((row) => row.length)), LAYOUT_LIMITS.column + 1)
  const columns = [...Array(width).keys()]
  const share = (column: number, test: (text: string, row: readonly string[]) => boolean) => {
    const filled = some.filter((row) => (row[column] ?? '') !== '')
    const passing = filled.filter((row) => test(row[column] ?? '', row)).length
    return filled.length < some.length / 2 ? 0 : passing / filled.length
  }
  const lengthOf = (column: number) =>
    some.reduce((sum, row) => sum + (row[column]?.length ?? 0), 0)
  const isKey = (column: number) => {
    const named = share(column, (text) => NAMES_OPTION.test(text))
    const repeated = share(column, (text, row) =>
      row.some((other, at) => at !== column && other === text),
    )
    return Math.max(named, repeated)
  }
  // Numbers of rows look like keys too: the last of the likeliest.
  const [correct = -1] = columns.filter((column) => isKey(column) >= 0.6).sort((a, b) => b - a)
  const [question = -1] = columns
    .filter((column) => column !== correct)
    .slice(0, Math.max(1, width - 4))
    .sort((a, b) => lengthOf(b) - lengthOf(a))
  const [a, b, c, d, ...behind] = columns.filter(
    (column) => column > question && column !== correct && lengthOf(column) > 0,
  )
  const explanation = behind.find((column) => lengthOf(column) / Math.max(1, some.length) > 15)
  // Topics come again: few words for many questions.
  const topic = behind.find((column) => {
    const filled = some.map((row) => row[column] ?? '').filter((text) => text !== '')
    const isFull = column !== explanation && filled.length > some.length / 2
    return isFull && filled.length > 3 && new Set(filled).size <= filled.length * 0.7
  })
  const found = { question, a, b, c, d, correct, explanation, topic }
  const firstRow = some.findIndex((row) => {
    const key = row[correct] ?? ''
    return NAMES_OPTION.test(key) || row.some((other, at) => at !== correct && other === key)
  })
  return {
    skip: correct === -1 ? 1 : Math.max(0, Math.min(firstRow, LAYOUT_LIMITS.skip)),
    columns: Object.fromEntries(
      COLUMN_ROLES.flatMap((role) => {
        const column = found[role]
        return column !== undefined && column >= 0 ? [[role, column]] : []
      }),
    ),
  }
}
