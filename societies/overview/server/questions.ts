import type { OptionLetter } from '../../../platform/options.ts'
import { countOf } from '../../../platform/words.ts'
import { describePublicationError } from '../../kit/assessment-state.ts'
import type { Client } from '../../kit/server/action.ts'
import { EMPTY_DRAFT } from '../../questions/question-content.ts'
import { isFlawed } from '../../questions/question-marks.ts'
import {
  countForms,
  describeForms,
  describeUneven,
  type Form,
  type FormCounts,
  isUneven,
} from '../../questions/two-forms.ts'
import type { Row } from '../../setup/checklist.ts'
import { type About, gapOf } from './window.ts'

interface QuestionFacts {
  count: number
  /** numbers of those with an error: an empty text, the same option twice, the same question twice */
  wrong: number[]
  /** null: one form */
  forms: FormCounts | null
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
    form: Form | null
  }>(
    `select assessment as code, position, question, correct_option as answer, form,
       json_build_object('A', answer_a, 'B', answer_b, 'C', answer_c, 'D', answer_d) as options,
       count(*) over (partition by assessment,
         lower(regexp_replace(btrim(question), '\\s+', ' ', 'g'))) > 1 as "isTwice"
     from assessment_items where assessment = any($1::text[]) order by assessment, position`,
    [codes],
  )
  const found = new Map<string, QuestionFacts>()
  for (const code of new Set(rows.map((row) => row.code))) {
    const questions = rows.filter((row) => row.code === code)
    const isWrong = ({ isTwice, question, options, answer }: (typeof rows)[number]) =>
      isTwice || isFlawed({ ...EMPTY_DRAFT, question, options, answer })
    found.set(code, {
      count: questions.length,
      wrong: questions.filter(isWrong).map(({ position }) => position),
      forms: countForms(questions),
    })
  }
  return found
}

export const NO_QUESTIONS: QuestionFacts = { count: 0, wrong: [], forms: null }

/** Row 1 of the checklist (product 7.8.7). */
export function questionsRow({ count, wrong, forms }: QuestionFacts, about: About): Row {
  if (count === 0) {
    return {
      state: gapOf(about),
      word: 'None',
      finding: 'It has no questions yet.',
      rest: 'Import a file, or write one here.',
      link: { page: 'questions/import', label: 'Import questions' },
    }
  }
  const errors = [
    ...(wrong.length > 0
      ? [describePublicationError({ kind: 'wrong_questions', positions: wrong })]
      : []),
    ...(isUneven(forms) ? [describeUneven(forms)] : []),
  ]
  if (errors.length > 0) {
    const why = wrong.length > 0 ? 'A text is empty, or two are the same. ' : ''
    return {
      state: 'attention',
      word: countOf(wrong.length + (isUneven(forms) ? 1 : 0), 'error'),
      finding: errors.join(' '),
      rest: `${why}${countOf(count, 'question')} in all.`,
      link: { page: 'questions', label: 'Fix them' },
    }
  }
  return {
    state: 'ready',
    word: 'Ready',
    finding: `${describeForms(forms) ?? countOf(count, 'question')}.`,
    rest: 'Each has a text, a key and four different options.',
    link: { page: 'questions', label: 'Read the questions' },
  }
}
