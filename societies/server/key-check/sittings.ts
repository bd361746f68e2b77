import { randomUUID } from 'node:crypto'
import { nameOf } from '../../../accounts/person.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import { ApiError } from '../../../platform/server/api.ts'
import { act, type Client, type Organiser, read } from '../action.ts'
import { getAssessment } from '../assessments.ts'
import type { OfSociety } from '../exchange/changeable.ts'

type Member = Organiser & { userId: string }

interface AskedQuestion {
  itemId: number
  version: number
  position: number
  question: string
  options: Record<OptionLetter, string>
  choice: OptionLetter | null
  comment: string
}

/** Items i of an assessment $1 that a member $2 has not checked as they stand now, in a finished sitting. */
const LEFT_TO_CHECK = `assessment_items i where i.assessment = $1 and not exists (
  select from key_check_answers a join key_check_sittings s on s.id = a.sitting_id
  where a.item_id = i.id and a.item_version = i.version and a.choice is not null
    and s.user_id = $2 and s.finished_at is not null)`

/** Who has sat, and the member's open sitting. Nothing here reads a key (product 7.9.41). */
export function readKeyCheck(organiser: Member, { code }: OfSociety) {
  const { userId } = organiser
  return read(organiser, async (client) => {
    const { rows: sitters } = await client.query<{
      email: string | null
      userId: string | null
      finishedAt: Date | null
      checked: number
    }>(
      `select u.email, s.user_id as "userId",
         case when bool_or(s.finished_at is null) then null else max(s.finished_at) end as "finishedAt",
         (select count(distinct a.item_id)::int from key_check_answers a
          join assessment_items i on i.id = a.item_id and i.version = a.item_version
          where a.sitting_id = any (array_agg(s.id)) and a.choice is not null
            and exists (select from key_check_sittings f
              where f.id = a.sitting_id and f.finished_at is not null)) as checked
       from key_check_sittings s left join users u on u.id = s.user_id
       where s.assessment = $1 group by coalesce(s.user_id, s.id), s.user_id, u.email
       order by min(s.started_at)`,
      [code],
    )
    const { rows: counts } = await client.query<{ all: number; left: number }>(
      `select (select count(*)::int from assessment_items where assessment = $1) as all,
         (select count(*)::int from ${LEFT_TO_CHECK}) as left`,
      [code, userId],
    )
    return {
      questionCount: counts[0]?.all ?? 0,
      leftForYou: counts[0]?.left ?? 0,
      sitters: sitters.map(({ email, userId: sitter, finishedAt, checked }) => ({
        name: sitterName(email),
        isYou: sitter === userId,
        finishedAt: finishedAt?.toISOString() ?? null,
        checked,
      })),
      sitting: await readOpen(client, code, userId),
    }
  })
}

/** What a member is called in a check; the account may be gone. */
export const sitterName = (email: string | null): string =>
  email === null ? 'a former member' : nameOf(email)

async function readOpen(client: Client, code: string, userId: string) {
  const { rows } = await client.query<{ id: string; startedAt: Date }>(
    `select id, started_at as "startedAt" from key_check_sittings
     where assessment = $1 and user_id = $2 and finished_at is null`,
    [code, userId],
  )
  const open = rows[0]
  if (!open) return null
  const { rows: questions } = await client.query<AskedQuestion>(
    `select i.id as "itemId", i.version, i.position, i.question,
       json_build_object('A', i.answer_a, 'B', i.answer_b, 'C', i.answer_c, 'D', i.answer_d) as options,
       -- Of another version nothing is shown: the question is asked again.
       case when a.item_version = i.version then a.choice end as choice,
       coalesce(a.comment, '') as comment
     from (select i.* from ${LEFT_TO_CHECK}) i
     left join key_check_answers a on a.item_id = i.id and a.sitting_id = $3
     order by i.position`,
    [code, userId, open.id],
  )
  return { id: open.id, startedAt: open.startedAt.toISOString(), questions }
}

/**
 * Begins a sitting with the questions that the member has not checked as they stand now, or finds the one that
 * is open.
 * Errors: ApiError 409 nothing_to_check.
 */
export async function startSitting(
  organiser: Member,
  { code, societyId }: OfSociety,
): Promise<{ id: string }> {
  const { db, userId, now } = organiser
  const open = await readOpenId(db.$client, code, userId)
  if (open) return { id: open }
  return act(organiser, 'start-key-check', code, async (client) => {
    // Two presses at once: the second waits here, and finds the first one's.
    const row = await getAssessment(client, code, 'change')
    if (!row || row.societyId !== societyId || row.deletedAt) throw goneAssessment()
    const earlier = await readOpenId(client, code, userId)
    if (earlier) return { result: { id: earlier }, detail: { repeated: true } }
    const { rows } = await client.query<{ left: number }>(
      `select count(*)::int as left from ${LEFT_TO_CHECK}`,
      [code, userId],
    )
    const left = rows[0]?.left ?? 0
    if (left === 0) {
      throw new ApiError(
        409,
        'nothing_to_check',
        'You have checked every question as it stands now. When one is changed, you can check it again.',
      )
    }
    const id = randomUUID()
    await client.query(
      `insert into key_check_sittings (id, assessment, user_id, started_at) values ($1, $2, $3, $4)`,
      [id, code, userId, now],
    )
    return { result: { id }, detail: { questions: left } }
  })
}

async function readOpenId(client: Client, code: string, userId: string): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `select id from key_check_sittings
     where assessment = $1 and user_id = $2 and finished_at is null`,
    [code, userId],
  )
  return rows[0]?.id ?? null
}

const goneAssessment = () =>
  new ApiError(404, 'no_such_assessment', 'There is no such assessment any more.')

export interface KeyCheckAnswer {
  itemId: number
  version: number
  choice: OptionLetter | null
  comment: string
}

/**
 * Keeps an answer of an open sitting; the newest one counts.
 * Errors: ApiError 404 no_such_sitting, 409 question_changed.
 */
export async function keepAnswer(
  { db, userId }: Member,
  { code }: OfSociety,
  sitting: string,
  { itemId, version, choice, comment }: KeyCheckAnswer,
): Promise<void> {
  const { rows } = await db.$client.query<{ isOpen: boolean; isSame: boolean }>(
    `with open as (
       select id from key_check_sittings
       where id = $1 and assessment = $2 and user_id = $3 and finished_at is null),
     item as (
       select id from assessment_items where id = $4 and assessment = $2 and version = $5),
     kept as (
       insert into key_check_answers (sitting_id, item_id, item_version, choice, comment)
       select open.id, item.id, $5, $6, nullif($7, '') from open, item
       on conflict (sitting_id, item_id) do update set
         item_version = excluded.item_version, choice = excluded.choice, comment = excluded.comment)
     select exists (select from open) as "isOpen", exists (select from item) as "isSame"`,
    [sitting, code, userId, itemId, version, choice, comment.trim()],
  )
  if (!rows[0]?.isOpen) throw noSitting()
  if (!rows[0]?.isSame) {
    throw new ApiError(
      409,
      'question_changed',
      'Somebody has changed this question just now. Read it again, and choose anew.',
    )
  }
}

const noSitting = () =>
  new ApiError(404, 'no_such_sitting', 'This sitting is finished, or it is not yours.')

/**
 * Finishes a sitting: from now on its answers count. A second press changes nothing.
 * Errors: ApiError 404 no_such_sitting.
 */
export function finishSitting(
  organiser: Member,
  { code }: OfSociety,
  sitting: string,
): Promise<{ checked: number }> {
  const { userId, now } = organiser
  return act(organiser, 'finish-key-check', code, async (client) => {
    const { rows } = await client.query<{ checked: number }>(
      `with mine as (
         update key_check_sittings set finished_at = coalesce(finished_at, $4)
         where id = $1 and assessment = $2 and user_id = $3 returning id)
       select (select count(*)::int from key_check_answers a
         where a.sitting_id = mine.id and a.choice is not null) as checked from mine`,
      [sitting, code, userId, now],
    )
    const found = rows[0]
    if (!found) throw noSitting()
    return { result: found, detail: found }
  })
}
