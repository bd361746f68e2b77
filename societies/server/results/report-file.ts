import { ApiError } from '../../../platform/server/api.ts'
import { WritingBusy, writeApart } from '../../../platform/server/documents/write-apart.ts'
import { act } from '../action.ts'
import { mayReadKeys } from '../incidents/reach.ts'
import { notOver } from '../incidents/uncover.ts'
import type { MemberInTest } from '../serve-members.ts'
import { type Asked, readReport } from './report.ts'
import { reportSheet } from './report-sheet.ts'

/**
 * All that is known of a candidate, as a PDF for an appeal (product 7.5.7): what happened as on the page, the
 * paper with choices, what organisers did. What is covered stays covered.
 * Errors: 404 not_found; 409 not_over to a reviewer before nobody can sit the test any more; 503 writing_busy.
 * @param signal ends the writing when nobody waits for it any more
 */
export async function exportReport(
  member: MemberInTest,
  code: string,
  asked: Asked,
  signal?: AbortSignal,
): Promise<{ name: string; content: Uint8Array }> {
  const report = await act(member, 'export-report', code, async (client) => {
    // The paper is in it.
    if (!(await mayReadKeys(client, member))) throw notOver()
    const read = await readReport(client, member, code, asked)
    const whose = asked.withName ? { username: read.username } : { candidate: read.file.number }
    return { result: read, detail: { ...whose, hasKeys: read.score !== null } }
  })
  const { now: madeAt, actor: madeBy } = member
  const leaf = reportSheet(report, { madeAt, madeBy })
  try {
    const content = await writeApart(
      { as: 'pdf', leaves: [leaf], title: leaf.title, madeAt },
      signal,
    )
    const called = (report.username ?? report.called).replace(/[^\p{L}\p{N}@._-]+/gu, '-')
    return { name: `${code}-${called}.pdf`, content }
  } catch (error) {
    if (!(error instanceof WritingBusy)) throw error
    throw new ApiError(
      503,
      'writing_busy',
      'Many files are being written just now. Try again in a minute; nothing is lost.',
    )
  }
}
