import { OPTION_LETTERS } from '../../../../platform/options.ts'
import type { Cell, Sheet } from '../../../../platform/server/documents/workbook.ts'
import type { AnswerTable } from '../../../incidents/server/answer-table.ts'
import { formatLocalTime } from '../../../kit/server/local-time.ts'
import type { ResultFacts } from './result-facts.ts'
import { VERDICT_WORDS } from './result-sheet.ts'

type Column<Row> = [label: string, width: number, cell: (row: Row) => Cell]

/** A sheet from its columns. */
const sheetOf = <Row>(name: string, rows: readonly Row[], columns: Column<Row>[]): Sheet => ({
  name,
  columns: columns.map(([label, width]) => ({ label, width })),
  rows: rows.map((row) => columns.map(([, , cell]) => cell(row))),
})

/** Results, answers and verdicts as a workbook's sheets (product 7.17.9). */
export function resultSheets(
  facts: readonly ResultFacts[],
  table: AnswerTable,
  timeZone: string,
): Sheet[] {
  const form: Column<ResultFacts> = ['form', 7, (one) => one.form]
  const verdicts = facts.flatMap(({ username, incidents }) =>
    incidents.map((incident) => ({ ...incident, username })),
  )
  return [
    sheetOf('Results', facts, [
      ['user', 24, (one) => one.username],
      ['name', 28, (one) => one.name],
      ['room', 12, (one) => one.room],
      ...(facts.some((one) => one.form !== null) ? [form] : []),
      ['correct', 9, (one) => one.correct],
      ['incorrect', 10, (one) => one.incorrect],
      ['error', 7, (one) => one.error],
      ['group', 7, (one) => one.group?.number ?? null],
      ['time', 8, (one) => one.time],
      ['seconds', 9, (one) => secondsOf(one.time)],
      ['cheated', 9, (one) => one.cheated],
      ['undecided', 10, (one) => one.undecided],
      ['reference', 11, (one) => one.reference],
      ['submitted', 17, (one) => formatLocalTime(one.submittedAt, timeZone)],
    ]),
    sheetOf('Answers', answersOf(facts, table), [
      ['user', 24, (one) => one.username],
      ['question', 10, (one) => one.position],
      ['choice', 12, (one) => one.choice],
      ['key', 12, (one) => one.key],
      ['right', 12, (one) => one.isRight],
    ]),
    sheetOf('Verdicts', verdicts, [
      ['user', 24, (one) => one.username],
      ['happened', 20, (one) => one.at && formatLocalTime(one.at, timeZone, 'seconds')],
      ['incident', 40, (one) => one.what],
      ['verdict', 14, (one) => VERDICT_WORDS[one.verdict]],
      ['reason', 60, (one) => one.reason],
      ['by', 20, (one) => one.decidedBy],
      ['at', 17, (one) => formatLocalTime(one.decidedAt, timeZone)],
    ]),
  ]
}

function answersOf(facts: readonly ResultFacts[], { items, rows }: AnswerTable) {
  const choicesOf = new Map(rows.map(({ candidateId, choices }) => [candidateId, choices]))
  return facts.flatMap(({ candidateId, username }) =>
    items.flatMap(({ position, keys, isVoid, isFullMarks }, at) => {
      const choice = choicesOf.get(candidateId)?.[at]
      if (choice === undefined) return []
      const key = OPTION_LETTERS.filter((letter) => keys.includes(letter)).join('/')
      const isRight = isFullMarks || (choice !== null && keys.includes(choice))
      return [{ username, position, choice, key, isRight: isVoid ? 'void' : isRight }]
    }),
  )
}

/** '34:27' as 2067. */
function secondsOf(time: string): number {
  const [minutes = 0, seconds = 0] = time.split(':').map(Number)
  return minutes * 60 + seconds
}
