import { writeCsv } from '../../../../platform/server/csv/csv.ts'
import { WritingBusy, writeApart } from '../../../../platform/server/documents/write-apart.ts'
import type { Writing } from '../../../../platform/server/documents/writing-thread.ts'
import type { ResultFile } from '../../../contract/results.ts'
import { act, type Client, type Organiser, read } from '../../action.ts'
import { type AssessmentRow, requireAssessment } from '../../assessments.ts'
import { OrganiserRefusal } from '../../refusal.ts'
import { type AnswerTable, readAnswerTable } from '../answer-table.ts'
import { writeResults } from '../csv-text.ts'
import { stateOf } from '../obstacles.ts'
import { exportResults } from '../results.ts'
import { type ResultFacts, readResultFacts } from './result-facts.ts'
import { resultSheet } from './result-sheet.ts'
import { resultSheets } from './result-workbook.ts'

export interface WrittenFile {
  name: string
  mediaType: string
  content: string | Uint8Array
}

/** Documents that one zip has at most: each is a file of its own. */
const ZIP_DOCUMENTS = 500

const CSV = 'text/csv; charset=utf-8'
const PDF = 'application/pdf'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * Results as a file (product 7.17.8 to 7.17.10). What leaves is noted; who only looks at numbers takes those
 * without names, in which nobody stands whose score is covered.
 * Errors: OrganiserRefusal as long as somebody is inside or can start; `whose_sheet`, `writing_busy`.
 * @param asked.candidate whose sheet
 * @param signal ends the writing when nobody waits for it any more
 */
export async function writeResultFile(
  organiser: Organiser,
  code: string,
  asked: { file: ResultFile; candidate?: string },
  signal?: AbortSignal,
): Promise<WrittenFile> {
  const { file } = asked
  if (file === 'csv') {
    await read(organiser, (client) => requireOver(client, code, organiser.now))
    const content = writeResults(await exportResults(organiser, code))
    return { name: `${code}-results.csv`, mediaType: CSV, content }
  }
  const withNames = file !== 'csv_without_names' && file !== 'workbook_without_names'
  const action = withNames ? 'export-results' : 'export-results-without-names'
  const taken = await act(organiser, action, code, async (client) => {
    const known = await requireOver(client, code, organiser.now)
    const facts = await readResultFacts(client, known.assessment, known.table)
    // Who decides on an incident under a number is not to read the score of the same number (product 7.16.13).
    const shown = withNames ? facts : facts.filter(({ undecided }) => undecided === 0)
    const chosen = file === 'sheet' ? oneOf(shown, asked.candidate) : shown
    const whose = file === 'sheet' ? { username: chosen[0]?.username } : {}
    return { result: { ...known, facts: chosen }, detail: { file, count: chosen.length, ...whose } }
  })
  if (file === 'csv_without_names') {
    const rows = taken.facts.map((one) => [
      ...[one.number, one.correct, one.incorrect, one.time, one.cheated],
    ])
    return {
      name: `${code}-results-without-names.csv`,
      mediaType: CSV,
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
  file: Exclude<ResultFile, 'csv' | 'csv_without_names'>,
  { assessment, table, facts }: Taken,
): Omit<WrittenFile, 'content'> & { writing: Writing } {
  const { code, timeZone } = assessment
  const leafOf = (one: ResultFacts) =>
    resultSheet(one, { assessment, items: table.items, madeAt, madeBy })
  switch (file) {
    case 'workbook':
    case 'workbook_without_names': {
      const withNames = file === 'workbook'
      const sheets = resultSheets(facts, table, { withNames, timeZone })
      return {
        name: `${code}-results${withNames ? '' : '-without-names'}.xlsx`,
        mediaType: XLSX,
        writing: { as: 'workbook', sheets, madeAt },
      }
    }
    case 'sheets_zip':
      if (facts.length > ZIP_DOCUMENTS) {
        throw new OrganiserRefusal('too_many_sheets', { most: ZIP_DOCUMENTS })
      }
      return {
        name: `${code}-result-sheets.zip`,
        mediaType: 'application/zip',
        writing: {
          as: 'zip',
          madeAt,
          files: facts.map((one) => ({ name: fileNameOf(one), leaf: leafOf(one) })),
        },
      }
    case 'sheet':
    case 'sheets': {
      const [only] = facts
      const isOne = file === 'sheet' && only
      return {
        name: isOne ? `${code}-${fileNameOf(only)}` : `${code}-result-sheets.pdf`,
        mediaType: PDF,
        writing: {
          as: 'pdf',
          madeAt,
          title: isOne ? `${code} · ${only.name ?? only.username}` : `${code} · Result sheets`,
          leaves: facts.map(leafOf),
        },
      }
    }
  }
}

/** A name that every system takes; the reference tells two alike apart. */
const fileNameOf = ({ username, reference }: ResultFacts) =>
  `${username
    .replace(/[^\p{L}\p{N}@._-]+/gu, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 80)}-${reference}.pdf`

function oneOf(facts: ResultFacts[], candidate: string | undefined): ResultFacts[] {
  if (!candidate) throw new OrganiserRefusal('whose_sheet', {})
  const found = facts.filter(({ candidateId }) => candidateId === candidate)
  if (found.length === 0) throw new OrganiserRefusal('no_such_candidate', {})
  return found
}

/** Errors: OrganiserRefusal as long as somebody is inside or can start. */
async function requireOver(client: Client, code: string, now: Date) {
  const assessment = await requireAssessment(client, code)
  const table = await readAnswerTable(client, code)
  const state = stateOf(assessment, table, now)
  if (state !== 'over') throw new OrganiserRefusal('results_not_ready', { state })
  return { assessment, table }
}
