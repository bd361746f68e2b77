import { countOf, type Row } from '../../checklist.ts'
import { describePublicationError } from '../../publication.ts'
import type { Client } from '../action.ts'
import { type About, stateOfRow } from './about.ts'

export interface QuestionFacts {
  count: number
  /** numbers of those with an error: an empty text, the same option twice, the same question twice */
  wrong: number[]
}

/** What is known of the questions of some assessments, by code; errors stop publishing (product 7.8.4). */
export async function readQuestionFacts(
  client: Client,
  codes: readonly string[],
): Promise<Map<string, QuestionFacts>> {
  const { rows } = await client.query<QuestionFacts & { code: string }>(
    `select assessment as code, count(*)::int as count,
       coalesce(array_agg(position order by position) filter (where is_wrong), '{}') as wrong
     from (
       select assessment, position,
         least(length(btrim(question)), length(btrim(answer_a)), length(btrim(answer_b)),
           length(btrim(answer_c)), length(btrim(answer_d))) = 0
         or (select count(distinct lower(btrim(option))) < 4
           from unnest(array[answer_a, answer_b, answer_c, answer_d]) option)
         or count(*) over (partition by assessment,
           lower(regexp_replace(btrim(question), '\\s+', ' ', 'g'))) > 1 as is_wrong
       from assessment_items where assessment = any($1::text[])
     ) item group by assessment`,
    [codes],
  )
  return new Map(rows.map(({ code, ...facts }) => [code, facts]))
}

export const NO_QUESTIONS: QuestionFacts = { count: 0, wrong: [] }

/** Row 1 of the checklist (product 7.8.7). */
export function questionsRow({ count, wrong }: QuestionFacts, about: About): Row {
  if (count === 0) {
    return {
      state: stateOfRow(about, { isDone: false }),
      word: 'None',
      finding: 'It has no questions yet.',
      rest: 'Import a file of yours, or write one.',
      missing: 'It has no questions yet.',
      link: { page: 'questions/import', label: 'Import questions' },
    }
  }
  const isDone = wrong.length === 0
  const error = isDone
    ? null
    : describePublicationError({ kind: 'wrong_questions', positions: wrong })
  return {
    state: stateOfRow(about, { isDone, isWrong: true }),
    word: isDone ? 'Ready' : countOf(wrong.length, 'error'),
    finding: error ?? `${countOf(count, 'question')}.`,
    rest: isDone
      ? 'No errors: each has a text, a key and four different options.'
      : `A text is empty, or the same stands twice. ${countOf(count, 'question')} in all.`,
    missing: error,
    link: { page: 'questions', label: isDone ? 'Read the questions' : 'Mend them' },
  }
}
