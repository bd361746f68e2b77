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
  choices: { name: string; choice: OptionLetter | null; comment: string }[]
  outdated: number
}

interface Answer {
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
  }>(
    `select i.assessment, i.id as "itemId", i.question_id as "questionId", i.version, i.position, i.question, i.correct_option as key,
       json_build_object('A', i.answer_a, 'B', i.answer_b, 'C', i.answer_c, 'D', i.answer_d) as options,
       ${KEY_WRITER} as writer,
       coalesce((select json_agg(json_build_object('who', coalesce(s.user_id, s.id), 'email', u.email,
           'version', a.item_version, 'choice', a.choice, 'comment', coalesce(a.comment, ''))
           order by s.finished_at, s.id)
         from key_check_answers a join key_check_sittings s on s.id = a.sitting_id
         left join users u on u.id = s.user_id
         where a.item_id = i.id and s.finished_at is not null), '[]') as answers
     from assessment_items i where i.assessment = any($1::text[]) order by i.assessment, i.position`,
    [codes],
  )
  return rows.map(({ version, writer, answers, ...item }) => {
    const present = answers.filter((one) => one.version === version)
    const choices = present.flatMap(({ who, choice }) => (choice ? [{ who, choice }] : []))
    const people = new Set(present.map(({ who }) => who))
    const before = answers.filter(({ who, version: of }) => of !== version && !people.has(who))
    return {
      ...item,
      ...verdictOf(item.key, choices, writer),
      choices: present.map(({ email, choice, comment }) => ({
        ...{ name: sitterName(email), choice, comment },
      })),
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
export function compareWithKeys(
  organiser: Organiser & { userId: string },
  { code }: OfSociety,
): Promise<Omit<ComparedKey, 'assessment' | 'questionId'>[]> {
  return read(organiser, async (client) => {
    const { rowCount } = await client.query(
      `select from key_check_sittings
       where assessment = $1 and user_id = $2 and finished_at is null`,
      [code, organiser.userId],
    )
    if (rowCount) {
      throw new ApiError(
        409,
        'sitting_goes_on',
        'You are in the middle of the check. Finish it first, so that your answers are your own.',
      )
    }
    const verdicts = await readKeyVerdicts(client, [code])
    return verdicts.map(({ assessment: _, questionId: __, ...shown }) => shown)
  })
}
