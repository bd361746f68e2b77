import type { MemberInTest } from '../../access/server/serve-members.ts'
import { mayReadKeys, notOver } from '../../incidents/server/uncover.ts'
import { act } from '../../kit/server/action.ts'
import { writeDocument } from '../../kit/server/file-response.ts'
import { type Asked, readReport } from './report.ts'
import { reportSheet } from './report-sheet.ts'

/**
 * All that is known about a candidate, as a PDF for an appeal (product 7.5.7): what happened as on the page, the
 * paper with choices, and organisers' actions. Hidden names and keys stay hidden.
 * Errors: 404 not_found; 409 not_over to a reviewer before the test is over; 503 writing_busy.
 * @param signal ends the writing when the caller has left
 */
export async function exportReport(
  member: MemberInTest,
  code: string,
  asked: Asked,
  signal?: AbortSignal,
): Promise<{ name: string; content: Uint8Array }> {
  const { now: madeAt, actor: madeBy } = member
  const report = await act(member, 'export-report', code, async (client) => {
    // The paper is in it.
    if (!(await mayReadKeys(client, member))) throw notOver()
    const result = await readReport(client, member, code, asked)
    const whose = asked.withName ? { username: result.username } : { candidate: result.file.number }
    return { result, detail: { ...whose, hasKeys: result.score !== null } }
  })
  const leaf = reportSheet(report, { madeAt, madeBy })
  const { title } = leaf
  const content = await writeDocument({ as: 'pdf', leaves: [leaf], title, madeAt }, signal)
  const called = (report.username ?? report.called).replace(/[^\p{L}\p{N}@._-]+/gu, '-')
  return { name: `${code}-${called}.pdf`, content }
}
