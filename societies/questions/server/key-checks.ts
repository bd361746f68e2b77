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
    `select i.assessment as code, i.question_id as "questionId", i.position, i.correct_option as key,
       coalesce((select json_agg(json_build_object('userId', k.user_id, 'name', u.email, 'choice', k.choice,
           'comment', coalesce(k.comment, '')) order by k.checked_at, k.user_id)
         from key_checks k join users u on u.id = k.user_id
         where k.item_id = i.id and k.item_version = i.version), '[]') as checks
     from assessment_items i where i.assessment = any($1::text[]) order by i.assessment, i.position`,
    [codes],
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
      `delete from key_checks k using assessment_items i
       where i.id = k.item_id and i.assessment = $1 and i.question_id = $2 and k.user_id = $3`,
      [code, questionId, userId],
    )
  } else {
    await db.$client.query(
      `insert into key_checks (item_id, item_version, user_id, choice, comment, checked_at)
       select id, version, $3, $5, nullif($6, ''), $7 from assessment_items
       where assessment = $1 and question_id = $2 and version = $4
       on conflict (item_id, user_id) do update set item_version = excluded.item_version,
         choice = excluded.choice, comment = excluded.comment, checked_at = excluded.checked_at`,
      [code, questionId, userId, version, choice, comment, now],
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
    `select from admin_actions where user_id = $1 and assessment = $2 and action = $5
       and society_id = $3 and at > $4 limit 1`,
    [userId, code, societyId, new Date(now.getTime() - HOUR_MS), action],
  )
  if (rowCount === 1) return
  await note(db.$client, organizer, { action, societyId, code, detail: {} })
}
