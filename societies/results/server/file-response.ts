import { writeApart } from '../../../platform/server/documents/write-apart.ts'
import type { Writing } from '../../../platform/server/documents/writing-thread.ts'
import { LineFull } from '../../../platform/server/shares/line.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { refuse } from '../../kit/server/refuse.ts'

/**
 * Writes a PDF or a workbook. Errors: 503 writing_busy.
 * @param signal aborts when the client disconnects
 */
export async function writeDocument(
  { societyId }: Pick<MemberInTest, 'societyId'>,
  writing: Writing,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  try {
    return await writeApart(writing, societyId, signal)
  } catch (error) {
    if (!(error instanceof LineFull)) throw error
    throw refuse(503, 'writing_busy', 'Too many files are being written. Try again in a minute.')
  }
}

export const fileResponse = (
  name: string,
  mediaType: string,
  content: string | Uint8Array,
): Response =>
  new Response(content as BodyInit, {
    headers: {
      'Content-Type': mediaType,
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'Cache-Control': 'no-store',
    },
  })
