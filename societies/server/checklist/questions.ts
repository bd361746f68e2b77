import type { OptionLetter } from '../../../platform/options.ts'
import type { Row } from '../../checklist.ts'
import { countOf } from '../../number-words.ts'
import { describePublicationError } from '../../publication.ts'
import { EMPTY_DRAFT } from '../../questions/question-content.ts'
import { isFlawed } from '../../questions/question-marks.ts'
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
  const { rows } = await client.query<{
    code: string
    position: number
    question: string
    options: Record<OptionLetter, string>
    answer: OptionLetter
    isTwice: boolean
  }>(
    `select assessment as code, position, question, correct_option as answer,
       json_build_object('A', answer_a, 'B', answer_b, 'C', answer_c, 'D', answer_d) as options,
       count(*) over (partition by assessment,
         lower(regexp_replace(btrim(question), '\\s+', ' ', 'g'))) > 1 as "isTwice"
     from assessment_items where assessment = any($1::text[]) order by assessment, position`,
    [codes],
  )
  const found = new Map<string, QuestionFacts>()
  for (const { code, position, isTwice, ...written } of rows) {
    const facts = found.get(code) ?? { count: 0, wrong: [] }
    facts.count += 1
    if (isTwice || isFlawed({ ...EMPTY_DRAFT, ...written })) facts.wrong.push(position)
    found.set(code, facts)
  }
  return found
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
