import { writeCsv } from '../../../../platform/server/csv/csv.ts'
import { WritingBusy, writeApart } from '../../../../platform/server/documents/write-apart.ts'
import type { Writing } from '../../../../platform/server/documents/writing-thread.ts'
import type { ResultFile } from '../../../contract/results.ts'
import { act, type Client, type Organiser } from '../../action.ts'
import { type AssessmentRow, requireAssessment } from '../../assessments.ts'
import { OrganiserRefusal } from '../../refusal.ts'
import { type AnswerTable, readAnswerTable } from '../answer-table.ts'
import { stateOf } from '../obstacles.ts'
import { type ResultFacts, readResultFacts } from './result-facts.ts'
import { resultSheet } from './result-sheet.ts'
import { resultSheets } from './result-workbook.ts'

export interface WrittenFile {
  name: string
  mediaType: string
  content: string | Uint8Array
}

/**
 * Results as a file (product 7.17.8 to 7.17.10). What leaves is noted; who only looks at numbers takes the file
 * without names, in which nobody stands whose score is covered.
 * Errors: OrganiserRefusal as long as somebody is inside or can start; `writing_busy`.
 * @param signal ends the writing when nobody waits for it any more
 */
export async function writeResultFile(
  organiser: Organiser,
  code: string,
  file: ResultFile,
  signal?: AbortSignal,
): Promise<WrittenFile> {
  const withNames = file !== 'csv_without_names'
  const action = withNames ? 'export-results' : 'export-results-without-names'
  const taken = await act(organiser, action, code, async (client) => {
    const known = await requireOver(client, code, organiser.now)
    const all = await readResultFacts(client, known.assessment, known.table)
    // Who decides on an incident under a number is not to read the score of the same number (product 7.16.13).
    const facts = withNames ? all : all.filter(({ undecided }) => undecided === 0)
    return { result: { ...known, facts }, detail: { file, count: facts.length } }
  })
  if (file === 'csv_without_names') {
    const rows = taken.facts.map((one) => [
      ...[one.number, one.correct, one.incorrect, one.time, one.cheated],
    ])
    return {
      name: `${code}-results-without-names.csv`,
      mediaType: 'text/csv; charset=utf-8',
      content: writeCsv(['number', 'correct', 'incorrect', 'time', 'cheated'], rows),
    }
  }
  const { writing, ...written } = planOf(organiser, file, taken)
  try {
    return { ...written, content: await writeApart(writing, signal) }
  } catch (error) {
    if (error instanceof WritingBusy) throw new OrganiserRefusal('writing_busy', {})
    throw error
  }
}

interface Taken {
  assessment: AssessmentRow
  table: AnswerTable
  facts: ResultFacts[]
}

function planOf(
  { now: madeAt, actor: madeBy }: Organiser,
  file: Exclude<ResultFile, 'csv_without_names'>,
  { assessment, table, facts }: Taken,
): Omit<WrittenFile, 'content'> & { writing: Writing } {
  const { code, timeZone } = assessment
  if (file === 'workbook') {
    return {
      name: `${code}-results.xlsx`,
      mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      writing: { as: 'workbook', sheets: resultSheets(facts, table, timeZone), madeAt },
    }
  }
  const of = { assessment, items: table.items, madeAt, madeBy }
  return {
    name: `${code}-result-sheets.pdf`,
    mediaType: 'application/pdf',
    writing: {
      as: 'pdf',
      madeAt,
      title: `${code} · Result sheets`,
      leaves: facts.map((one) => resultSheet(one, of)),
    },
  }
}

/** Errors: OrganiserRefusal as long as somebody is inside or can start. */
async function requireOver(client: Client, code: string, now: Date) {
  const assessment = await requireAssessment(client, code)
  const table = await readAnswerTable(client, code)
  const state = stateOf(assessment, table, now)
  if (state !== 'over') throw new OrganiserRefusal('results_not_ready', { state })
  return { assessment, table }
}
