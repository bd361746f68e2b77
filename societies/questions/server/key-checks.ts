import sql from 'sql-template-tag'
import { nameOf } from '../../../accounts/email.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { type Client, note, type Organizer } from '../../kit/server/action.ts'
import { requireVersion } from './stored.ts'

/** Members' answers to a question's current version with the key hidden. */
export interface CheckedKey {
  code: string
  questionId: string
  position: number
  key: OptionLetter
  checks: { userId: string; name: string; choice: OptionLetter; comment: string }[]
}

/** Reads the questions of some assessments in order, with members' own answers to each (product 7.9.40). */
export async function readKeyChecks(
  client: Client,
  codes: readonly string[],
): Promise<CheckedKey[]> {
  const { rows } = await client.query<CheckedKey>(
    sql`select i.assessment as code, i.question_id as "questionId", i.position, i.correct_option as key,
       coalesce((select json_agg(json_build_object('userId', k.user_id, 'name', u.email, 'choice', k.choice,
           'comment', coalesce(k.comment, '')) order by k.checked_at, k.user_id)
         from key_checks k join users u on u.id = k.user_id
         where k.item_id = i.id and k.item_version = i.version), '[]') as checks
     from assessment_items i where i.assessment = any(${codes}::text[]) order by i.assessment, i.position`,
  )
  for (const check of rows.flatMap(({ checks }) => checks)) check.name = nameOf(check.name)
  return rows
}

/**
 * Stores a member's answer given with the key hidden. The same option agrees with the key, another one disputes it,
 * and null withdraws the answer. It is logged at most once an hour. Errors: ApiError of requireVersion.
 */
export async function storeKeyCheck(
  organizer: MemberInTest,
  asked: { questionId: string; version: number; choice: OptionLetter | null; comment: string },
): Promise<void> {
  const { db, userId, now, code } = organizer
  const { questionId, version, choice, comment } = asked
  await requireVersion(db.$client, organizer, asked)
  if (choice === null) {
    await db.$client.query(
      sql`delete from key_checks k using assessment_items i
       where i.id = k.item_id and i.assessment = ${code} and i.question_id = ${questionId} and k.user_id = ${userId}`,
    )
  } else {
    await db.$client.query(
      sql`insert into key_checks (item_id, item_version, user_id, choice, comment, checked_at)
       select id, version, ${userId}, ${choice}, nullif(${comment}, ''), ${now} from assessment_items
       where assessment = ${code} and question_id = ${questionId} and version = ${version}
       on conflict (item_id, user_id) do update set item_version = excluded.item_version,
         choice = excluded.choice, comment = excluded.comment, checked_at = excluded.checked_at`,
    )
  }
  await noteOnceAnHour(organizer, organizer, 'check-keys')
}

const HOUR_MS = 3_600_000

/** Logs at most once an hour that a member saw the keys or answered without them (product 7.9.2, 7.9.40). */
export async function noteOnceAnHour(
  organizer: Organizer & { userId: string },
  { societyId, code }: { societyId: string; code: string },
  action: 'read-keys' | 'check-keys',
): Promise<void> {
  const { db, now, userId } = organizer
  const { rowCount } = await db.$client.query(
    sql`select from admin_actions where user_id = ${userId} and assessment = ${code} and action = ${action}
       and society_id = ${societyId} and at > ${new Date(now.getTime() - HOUR_MS)} limit 1`,
  )
  if (rowCount === 1) return
  await note(db.$client, organizer, { action, societyId, code, detail: {} })
}
