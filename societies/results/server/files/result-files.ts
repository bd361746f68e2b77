import { writeCsv } from '../../../../platform/server/csv/csv.ts'
import { requireAssessment } from '../../../access/server/assessments.ts'
import type { MemberInTest, OrganiserInTest } from '../../../access/server/serve-members.ts'
import { act } from '../../../kit/server/action.ts'
import { writeDocument } from '../../../kit/server/file-response.ts'
import { refuse } from '../../../kit/server/refuse.ts'
import type { ResultFile } from '../../contract.ts'
import { requireOver } from '../release.ts'
import { readResultFacts } from './result-facts.ts'
import { resultSheet } from './result-sheet.ts'
import { resultSheets } from './result-workbook.ts'

/**
 * Results as a file (product 7.17.8 to 7.17.10). Each export is logged. Members who may not see names get the file
 * without names, which leaves hidden scores out.
 * Errors: 403 without_names_only; 409 results_not_ready; 503 writing_busy.
 * @param signal ends the writing when the caller has left
 */
export async function writeResultFile(
  organiser: OrganiserInTest & Pick<MemberInTest, 'extent'>,
  file: ResultFile,
  signal?: AbortSignal,
): Promise<{ name: string; mediaType: string; content: string | Uint8Array }> {
  const { code, now: madeAt, actor: madeBy, extent } = organiser
  const withNames = file !== 'csv_without_names'
  if (withNames && extent !== 'all') {
    throw refuse(403, 'without_names_only', 'You can export only the file without names.')
  }
  const action = withNames ? 'export-results' : 'export-results-without-names'
  const { assessment, table, facts } = await act(organiser, action, code, async (client) => {
    const assessment = await requireAssessment(client, organiser)
    const table = await requireOver(client, assessment, madeAt)
    const all = await readResultFacts(client, assessment, table)
    // A reviewer who decides on an incident under a number must not read the score of that number (product 7.16.13).
    const facts = withNames ? all : all.filter(({ undecided }) => undecided === 0)
    return { result: { assessment, table, facts }, detail: { file, count: facts.length } }
  })
  switch (file) {
    case 'csv_without_names':
      return {
        name: `${code}-results-without-names.csv`,
        mediaType: 'text/csv; charset=utf-8',
        content: writeCsv(
          ['number', 'correct', 'incorrect', 'time', 'cheated'],
          facts.map((one) => [one.number, one.correct, one.incorrect, one.time, one.cheated]),
        ),
      }
    case 'workbook': {
      const sheets = resultSheets(facts, table, assessment.timeZone)
      return {
        name: `${code}-results.xlsx`,
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        content: await writeDocument({ as: 'workbook', sheets, madeAt }, signal),
      }
    }
    case 'sheets': {
      const of = { assessment, items: table.items, madeAt, madeBy }
      const leaves = facts.map((one) => resultSheet(one, of))
      const title = `${code} · Result sheets`
      return {
        name: `${code}-result-sheets.pdf`,
        mediaType: 'application/pdf',
        content: await writeDocument({ as: 'pdf', madeAt, title, leaves }, signal),
      }
    }
  }
}
