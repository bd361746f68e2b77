import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database } from '../../../platform/database/database.ts'
import { deriveKey } from '../../../platform/database/secret-key.ts'
import { type Letter, writeLetter } from '../../../platform/server/letter.ts'
import type { MailKind } from '../../../platform/server/mail-queue.ts'

export const REMINDER_MAIL = 'practice_reminder'
export const LAST_REMINDER_MAIL = 'practice_reminder_last'

export function createReminderMails({
  db,
  publicUrl,
  secretKey,
}: {
  db: Database
  /** without a trailing slash */
  publicUrl: string
  secretKey: Buffer
}): Record<typeof REMINDER_MAIL | typeof LAST_REMINDER_MAIL, MailKind> {
  /** The mail is dropped if the person has stopped reminders or changed the address. */
  async function isWanted(userId: string, recipient: string): Promise<boolean> {
    const { rowCount } = await db.$client.query(
      `select from practice_plans p join users u on u.id = p.user_id
       where p.user_id = $1 and u.email = $2 and u.email_verified_at is not null
         and p.reminders ->> 'channel' = 'mail'`,
      [userId, recipient],
    )
    return rowCount === 1
  }
  const stopUrl = (userId: string) =>
    `${publicUrl}/api/practice/reminders/${stopTokenOf(secretKey, userId)}/stop`
  const stopPage = (userId: string) =>
    `${publicUrl}/stop-reminders#${stopTokenOf(secretKey, userId)}`

  return {
    [REMINDER_MAIL]: {
      async write({ about, recipient }) {
        if (!about || !(await isWanted(about, recipient))) return null
        const letter = writeLetter('Your ten questions are ready', `${publicUrl}/due`, [
          'You asked us to remind you on the days you practice.',
          { button: 'Open questions', link: `${publicUrl}/due` },
          `Stop these reminders: ${stopPage(about)}`,
        ])
        return { ...letter, stopUrl: stopUrl(about) }
      },
    },
    [LAST_REMINDER_MAIL]: {
      async write(): Promise<Letter> {
        return writeLetter("We'll stop sending reminders", `${publicUrl}/plan`, [
          "We reminded you three times, but you didn't practice, so this is the last reminder.",
          'You keep your progress. You can turn reminders back on in your plan.',
          { button: 'Your plan', link: `${publicUrl}/plan` },
        ])
      },
    },
  }
}

export function stopTokenOf(secretKey: Buffer, userId: string): string {
  return `${userId}.${seal(secretKey, userId).toString('base64url')}`
}

/** Returns the token's user id, or null if the signature is wrong. */
export function userOfStopToken(secretKey: Buffer, token: string): string | null {
  const [userId = '', given = ''] = token.split('.')
  const expected = seal(secretKey, userId)
  const bytes = Buffer.from(given, 'base64url')
  return bytes.length === expected.length && timingSafeEqual(bytes, expected) ? userId : null
}

function seal(secretKey: Buffer, userId: string): Buffer {
  return createHmac('sha256', deriveKey(secretKey, 'stop reminders')).update(userId).digest()
}
