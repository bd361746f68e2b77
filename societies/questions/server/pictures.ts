import { randomUUID } from 'node:crypto'
import { getPictureOf } from '../../../assessments/server/picture-store.ts'
import { PICTURE_LIMITS } from '../../../platform/exhibit.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { act, type Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { readPictureFile } from './picture-file.ts'
import { lockForWriting } from './stored.ts'

/** A picture that no question shows is kept so long, milliseconds: its author may be about to save. */
const UNUSED_MS = 24 * 3600 * 1000

/**
 * Keeps a picture for a question's exhibit (product 7.9.12). What no question and no version shows any more is
 * cleared away at the next one.
 * Errors: ApiError: 400 no_picture, 400 picture_too_large; those of lockForWriting.
 */
export function addPicture(
  organiser: MemberInTest,
  bytes: Buffer,
): Promise<{ picture: string; width: number; height: number }> {
  const file = readPictureFile(bytes)
  if (!file) {
    throw refuse(400, 'no_picture', 'This file is not a PNG, JPEG or WebP image. Choose another.')
  }
  const { type, width, height } = file
  if (width > PICTURE_LIMITS.pixels || height > PICTURE_LIMITS.pixels) {
    throw refuse(
      400,
      'picture_too_large',
      `The image has ${width} × ${height} pixels. It can have at most ${PICTURE_LIMITS.pixels} × ${PICTURE_LIMITS.pixels}.`,
    )
  }
  const { code, societyId, now } = organiser
  return act(organiser, 'add-picture', code, async (client) => {
    await lockForWriting(client, organiser)
    await removeUnusedPictures(client, societyId, new Date(now.getTime() - UNUSED_MS))
    const picture = randomUUID()
    await client.query(
      `insert into exhibit_pictures (id, society_id, type, bytes, created_at)
       values ($1, $2, $3, $4, $5)`,
      [picture, societyId, type, bytes, now],
    )
    return { result: { picture, width, height }, detail: { picture, bytes: bytes.length } }
  })
}

/** Removes the society's pictures from before a time that nothing shows. */
export async function removeUnusedPictures(
  client: Client,
  societyId: string,
  before: Date,
): Promise<void> {
  await client.query(
    `delete from exhibit_pictures p where p.society_id = $1 and p.created_at < $2
       and not exists (select from assessment_items i join assessments a on a.code = i.assessment
         where a.society_id = $1 and i.exhibit ->> 'picture' = p.id::text)
       and not exists (select from item_versions v join assessments a on a.code = v.assessment
         where a.society_id = $1 and v.content -> 'exhibit' ->> 'picture' = p.id::text)`,
    [societyId, before],
  )
}

/** Errors: 400 no_such_picture for one that is not the society's. */
export async function requireOwnPicture(
  client: Client,
  societyId: string,
  picture: string,
): Promise<void> {
  if (await getPictureOf(client, societyId, picture)) return
  throw refuse(400, 'no_such_picture', 'The image is gone. Choose it again.')
}
