import { randomUUID } from 'node:crypto'
import { getPictureOf } from '../../../assessments/server/picture-store.ts'
import { PICTURE_LIMITS } from '../../../platform/exhibit.ts'
import { ApiError } from '../../../platform/server/api.ts'
import { act, type Client, type Organiser } from '../action.ts'
import { readPictureFile } from './picture-file.ts'
import { lockForWriting, type Place } from './stored.ts'

/** A picture that no question shows is kept so long, milliseconds: its author may be about to save. */
const UNUSED_MS = 24 * 3600 * 1000

/**
 * Keeps a picture for a question's exhibit (product 7.9.12). What no question and no version shows any more is
 * cleared away at the next one.
 * Errors: ApiError: 400 no_picture, 400 picture_too_large; those of lockForWriting.
 */
export function addPicture(
  organiser: Organiser,
  place: Place,
  bytes: Buffer,
): Promise<{ picture: string; width: number; height: number }> {
  const file = readPictureFile(bytes)
  if (!file) {
    throw new ApiError(400, 'no_picture', 'This is no picture that is taken: PNG, JPEG or WebP.')
  }
  const { type, width, height } = file
  if (width > PICTURE_LIMITS.pixels || height > PICTURE_LIMITS.pixels) {
    throw new ApiError(
      400,
      'picture_too_large',
      `The picture has ${width} × ${height} pixels; ${PICTURE_LIMITS.pixels} × ${PICTURE_LIMITS.pixels} are the most.`,
    )
  }
  return act(organiser, 'add-picture', place.code, async (client) => {
    await lockForWriting(client, place)
    await removeUnusedPictures(
      client,
      place.societyId,
      new Date(organiser.now.getTime() - UNUSED_MS),
    )
    const picture = randomUUID()
    await client.query(
      `insert into exhibit_pictures (id, society_id, type, bytes, created_at)
       values ($1, $2, $3, $4, $5)`,
      [picture, place.societyId, type, bytes, organiser.now],
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
  throw new ApiError(400, 'no_such_picture', 'The picture is gone; please choose it again.')
}
