import type pg from 'pg'
import type { PictureType } from '../../platform/exhibit.ts'
import { COMMON_HEADERS } from '../../platform/server/api.ts'

type Client = Pick<pg.Pool, 'query'>

export interface Picture {
  type: PictureType
  bytes: Buffer
}

export async function getPictureOf(
  client: Client,
  societyId: string,
  picture: string,
): Promise<Picture | null> {
  const { rows } = await client.query<Picture>(
    'select type, bytes from exhibit_pictures where id = $1 and society_id = $2',
    [picture, societyId],
  )
  return rows[0] ?? null
}

/** Whether a question in the candidate's open attempt shows a picture (product 7.9.13). */
export async function isShownIn(
  client: Client,
  candidateId: string,
  picture: string,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'picture-of-attempt',
    text: `select from attempts t join assessment_items i on i.id = any (t.paper)
      where t.candidate_id = $1 and t.submitted_at is null and i.exhibit ->> 'picture' = $2 limit 1`,
    values: [candidateId, picture],
  })
  return rowCount === 1
}

export async function readPicture(client: Client, picture: string): Promise<Picture | null> {
  const { rows } = await client.query<Picture>({
    name: 'picture',
    text: 'select type, bytes from exhibit_pictures where id = $1',
    values: [picture],
  })
  return rows[0] ?? null
}

/** A picture as a response. No cache may keep it, since candidates can't see it after the end (product 7.9.13). */
export function answerPicture({ type, bytes }: Picture): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      ...COMMON_HEADERS,
      'Content-Type': type,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': 'no-store',
    },
  })
}
