import type { OptionLetter } from '../../../platform/options.ts'
import { ApiError } from '../../../platform/server/api.ts'
import { type KeyVerdict, verdictOf } from '../../questions/key-check.ts'
import { type Client, type Organiser, read } from '../action.ts'
import type { OfSociety } from '../exchange/changeable.ts'
import { sitterName } from './sittings.ts'

export interface ComparedKey extends KeyVerdict {
  assessment: string
  itemId: number
  questionId: string
  position: number
  question: string
  options: Record<OptionLetter, string>
  key: OptionLetter
  version: number
  choices: {
    sitting: string
    name: string
    choice: OptionLetter | null
    comment: string
    isOverruled: boolean
  }[]
  /** the newest that says that the key stands all the same (product 7.9.48) */
  ruling: Ruling | null
  outdated: number
}

interface Ruling {
  id: string
  /** a member's name */
  by: string
  at: Date
  reason: string
}

interface Answer {
  sitting: string
  who: string
  email: string | null
  version: number
  choice: OptionLetter | null
  comment: string
}

/**
 * Every question with its key, what finished sittings chose of it as it stands now, and the verdict (product
 * 7.9.42). An edited question has lost its confirmations.
 */
export async function readKeyVerdicts(
  client: Client,
  codes: readonly string[],
): Promise<ComparedKey[]> {
  const { rows } = await client.query<{
    assessment: string
    itemId: number
    questionId: string
    version: number
    position: number
    question: string
    options: Record<OptionLetter, string>
    key: OptionLetter
    writer: string | null
    answers: Answer[]
    rulings: { id: string; email: string | null; at: string; reason: string; sittings: string[] }[]
  }>(
    `select i.assessment, i.id as "itemId", i.question_id as "questionId", i.version, i.position, i.question, i.correct_option as key,
       json_build_object('A', i.answer_a, 'B', i.answer_b, 'C', i.answer_c, 'D', i.answer_d) as options,
       ${KEY_WRITER} as writer,
       coalesce((select json_agg(json_build_object('sitting', s.id, 'who', coalesce(s.user_id, s.id), 'email', u.email,
           'version', a.item_version, 'choice', a.choice, 'comment', coalesce(a.comment, ''))
           order by s.finished_at, s.id)
         from key_check_answers a join key_check_sittings s on s.id = a.sitting_id
         left join users u on u.id = s.user_id
         where a.item_id = i.id and s.finished_at is not null), '[]') as answers,
       coalesce((select json_agg(json_build_object('id', r.id, 'email', u.email, 'at', r.made_at,
           'reason', r.reason, 'sittings', r.sittings) order by r.made_at desc, r.id)
         from upheld_keys r left join users u on u.id = r.user_id
         where r.item_id = i.id and r.item_version = i.version and r.withdrawn_at is null), '[]') as rulings
     from assessment_items i where i.assessment = any($1::text[]) order by i.assessment, i.position`,
    [codes],
  )
  return rows.map(({ writer, answers, rulings, ...item }) => {
    const { version } = item
    const overruled = new Set(rulings.flatMap(({ sittings }) => sittings))
    const [ruling] = rulings
    const present = answers
      .filter((one) => one.version === version)
      .map((one) => ({
        ...one,
        isOverruled: overruled.has(one.sitting) && one.choice !== item.key,
      }))
    const choices = present.flatMap(({ choice, ...one }) => (choice ? [{ ...one, choice }] : []))
    const people = new Set(present.map(({ who }) => who))
    const before = answers.filter(({ who, version: of }) => of !== version && !people.has(who))
    return {
      ...item,
      ...verdictOf(item.key, choices, writer),
      choices: present.map(({ email, sitting, choice, comment, isOverruled }) => ({
        ...{ sitting, name: sitterName(email), choice, comment, isOverruled },
      })),
      ruling: ruling
        ? {
            ...{ id: ruling.id, by: sitterName(ruling.email), reason: ruling.reason },
            at: new Date(ruling.at),
          }
        : null,
      outdated: new Set(before.map(({ who }) => who)).size,
    }
  })
}

/** Who wrote the key of an item i, as far as it is known: who changed it last, or who imported it. */
const KEY_WRITER = `coalesce((select v.changed_by from item_versions v
    where v.assessment = i.assessment and v.question_id = i.question_id and v.version = i.version),
  (select q.user_id from question_imports q
  where q.assessment = i.assessment and i.id = any (q.item_ids) and i.version = 1 limit 1))`

/**
 * The comparison for a member who may read keys.
 * Errors: ApiError 409 sitting_goes_on: its answers have to be one's own.
 */
export function compareWithKeys(organiser: Organiser & { userId: string }, { code }: OfSociety) {
  return read(organiser, async (client) => {
    await refuseInSitting(client, code, organiser.userId)
    const verdicts = await readKeyVerdicts(client, [code])
    return verdicts.map(({ assessment: _, choices, ruling, ...shown }) => ({
      ...shown,
      choices: choices.map(({ sitting: __, ...choice }) => choice),
      ruling: ruling && { ...ruling, at: ruling.at.toISOString() },
    }))
  })
}

/** Errors: ApiError 409 sitting_goes_on, where the member is in the middle of the check. */
export async function refuseInSitting(client: Client, code: string, userId: string): Promise<void> {
  const { rowCount } = await client.query(
    `select from key_check_sittings
     where assessment = $1 and user_id = $2 and finished_at is null`,
    [code, userId],
  )
  if (rowCount) {
    throw new ApiError(
      409,
      'sitting_goes_on',
      'You are in the middle of the check. Finish it first, so that your answers are your own.',
    )
  }
}
