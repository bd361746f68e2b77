import { OPTION_LETTERS } from '../../../../platform/options.ts'
import type { Cell, Sheet } from '../../../../platform/server/documents/workbook.ts'
import { formatLocalTime } from '../../local-time.ts'
import type { AnswerTable } from '../answer-table.ts'
import type { ResultFacts } from './result-facts.ts'
import { VERDICT_WORDS } from './result-sheet.ts'

const column = (label: string, width = 12) => ({ label, width })

/** Results, answers and verdicts as a workbook's sheets (product 7.17.9). */
export function resultSheets(
  facts: readonly ResultFacts[],
  table: AnswerTable,
  timeZone: string,
): Sheet[] {
  const hasForms = facts.some(({ form }) => form !== null)
  const at = (moment: Date) => formatLocalTime(moment, timeZone)
  return [
    {
      name: 'Results',
      columns: [
        ...[column('user', 24), column('name', 28), column('room')],
        ...(hasForms ? [column('form', 7)] : []),
        ...[column('correct', 9), column('incorrect', 10)],
        ...[column('error', 7), column('group', 7), column('time', 8), column('seconds', 9)],
        ...[column('cheated', 9), column('undecided', 10)],
        ...[column('reference', 11), column('submitted', 17)],
      ],
      rows: facts.map((one) => [
        ...[one.username, one.name, one.room],
        ...(hasForms ? [one.form] : []),
        ...[one.correct, one.incorrect],
        ...[one.error, one.group?.number ?? null, one.time, secondsOf(one.time)],
        ...[one.cheated, one.undecided],
        ...[one.reference, at(one.submittedAt)],
      ]),
    },
    {
      name: 'Answers',
      columns: [
        column('user', 24),
        column('question', 10),
        column('choice'),
        column('key'),
        column('right'),
      ],
      rows: answerRows(facts, table),
    },
    {
      name: 'Verdicts',
      columns: [
        ...[column('user', 24), column('happened', 20), column('incident', 40)],
        ...[column('verdict', 14), column('reason', 60), column('by', 20), column('at', 17)],
      ],
      rows: facts.flatMap((one) =>
        one.incidents.map((incident) => [
          one.username,
          incident.at && formatLocalTime(incident.at, timeZone, 'seconds'),
          ...[incident.what, VERDICT_WORDS[incident.verdict], incident.reason],
          ...[incident.decidedBy, at(incident.decidedAt)],
        ]),
      ),
    },
  ]
}

function answerRows(facts: readonly ResultFacts[], { items, rows }: AnswerTable): Cell[][] {
  const byId = new Map(rows.map((row) => [row.candidateId, row]))
  return facts.flatMap((one) =>
    items.flatMap(({ position, keys, isVoid, isFullMarks }, at): Cell[][] => {
      const choice = byId.get(one.candidateId)?.choices[at]
      if (choice === undefined) return []
      const isRight = isFullMarks || (choice !== null && keys.includes(choice))
      const sorted = OPTION_LETTERS.filter((letter) => keys.includes(letter))
      return [[one.username, position, choice, sorted.join('/'), isVoid ? 'void' : isRight]]
    }),
  )
}

/** '34:27' as 2067. */
function secondsOf(time: string): number {
  const [minutes = 0, seconds = 0] = time.split(':').map(Number)
  return minutes * 60 + seconds
}
