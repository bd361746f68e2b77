import { randomUUID } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import type { Picture } from '../../../assessments/server/picture-store.ts'
import { PICTURE_LIMITS, type PictureType } from '../../../platform/exhibit.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import type { Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { changeQuestions } from './stored.ts'

/** An unused image is kept for this many milliseconds, because its author may be about to save. */
const UNUSED_MS = 24 * 3600 * 1000

/**
 * Stores an image for a question's exhibit (product 7.9.12). It also deletes images that no question or version uses.
 * Errors: ApiError: 400 no_picture, 400 picture_too_large; those of changeQuestions.
 */
export async function addPicture(organizer: MemberInTest, bytes: Buffer) {
  const file = readPictureFile(bytes)
  if (!file) {
    throw refuse(400, 'no_picture', 'This file is not a PNG, JPEG or WebP image. Choose another.')
  }
  const { type, width, height } = file
  const most = PICTURE_LIMITS.pixels
  if (width > most || height > most) {
    const sentence = `The image has ${width} × ${height} pixels. It can have at most ${most} × ${most}.`
    throw refuse(400, 'picture_too_large', sentence)
  }
  const { societyId, now } = organizer
  return changeQuestions(organizer, 'add-picture', async (client) => {
    await removeUnusedPictures(client, societyId, new Date(now.getTime() - UNUSED_MS))
    const picture = randomUUID()
    await client.query(
      sql`insert into exhibit_pictures (id, society_id, type, bytes, created_at)
       values (${picture}, ${societyId}, ${type}, ${bytes}, ${now})`,
    )
    return { result: { picture, width, height }, detail: { picture, bytes: bytes.length } }
  })
}

const IN_ITEM = `i.exhibit ->> 'picture' = p.id::text`
const IN_VERSION = `v.content -> 'exhibit' ->> 'picture' = p.id::text`

/**
 * Reads an image of a test's questions or their earlier versions. An unused one is only for members who can always
 * read the questions, because its author may be about to save.
 */
export async function readPictureIn(
  { db, societyId, code, extent }: MemberInTest,
  picture: string,
): Promise<Picture | null> {
  const shownIn = (which: string) =>
    `(exists (select from assessment_items i join assessments a on a.code = i.assessment
        where ${which} and ${IN_ITEM})
      or exists (select from item_versions v join assessments a on a.code = v.assessment
        where ${which} and ${IN_VERSION}))`
  const { rows } = await db.$client.query<Picture>(
    `select type, bytes from exhibit_pictures p where p.id = $1 and p.society_id = $2
       and (${shownIn('a.code = $3')} or $4 and not ${shownIn('a.society_id = $2')})`,
    [picture, societyId, code, extent === 'all'],
  )
  return rows[0] ?? null
}

/** Deletes the society's unused images from before this time. */
export async function removeUnusedPictures(
  client: Client,
  societyId: string,
  before: Date,
): Promise<void> {
  await client.query(
    sql`delete from exhibit_pictures p where p.society_id = ${societyId} and p.created_at < ${before}
       and not exists (select from assessment_items i join assessments a on a.code = i.assessment
         where a.society_id = ${societyId} and ${raw(IN_ITEM)})
       and not exists (select from item_versions v join assessments a on a.code = v.assessment
         where a.society_id = ${societyId} and ${raw(IN_VERSION)})`,
  )
}

interface PictureFile {
  type: PictureType
  /** pixels */
  width: number
  height: number
}

/** Detects the type and size from a file's first bytes; null unless it is a PNG, JPEG or WebP. */
export function readPictureFile(bytes: Buffer): PictureFile | null {
  if (bytes.length < 30) return null
  const signAt = (from: number, to: number) => bytes.toString('latin1', from, to)
  const isPng = signAt(0, 8) === '\x89PNG\r\n\x1a\n' && signAt(12, 16) === 'IHDR'
  const isWebp = signAt(0, 4) === 'RIFF' && signAt(8, 12) === 'WEBP'
  const found = isPng
    ? ({
        type: 'image/png',
        width: bytes.readUInt32BE(16),
        height: bytes.readUInt32BE(20),
      } as const)
    : isWebp
      ? readWebp(bytes, signAt(12, 16))
      : readJpeg(bytes)
  return found && found.width > 0 && found.height > 0 ? found : null
}

/** Skips segments until the start of frame: SOF0 to SOF15, except DHT, JPG and DAC. */
function readJpeg(bytes: Buffer): PictureFile | null {
  if (bytes.readUIntBE(0, 3) !== 0xffd8ff) return null
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] as number
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const height = bytes.readUInt16BE(at + 5)
      return { type: 'image/jpeg', height, width: bytes.readUInt16BE(at + 7) }
    }
    // The end, or the image data, which must come after the frame.
    if (marker === 0xd9 || marker === 0xda) return null
    // These are markers without a length, and fill bytes.
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

function readWebp(bytes: Buffer, kind: string): PictureFile | null {
  const type = 'image/webp'
  const low14 = (bits: number) => bits & 0x3fff
  if (kind === 'VP8X') {
    return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  }
  if (kind === 'VP8 ') {
    return { type, width: low14(bytes.readUInt16LE(26)), height: low14(bytes.readUInt16LE(28)) }
  }
  if (kind !== 'VP8L') return null
  const bits = bytes.readUInt32LE(21)
  return { type, width: low14(bits) + 1, height: low14(bits >>> 14) + 1 }
}
