import type { OptionLetter } from '../../../platform/options.ts'
import type { Form } from '../../questions/two-forms.ts'
import type { WrittenFormat } from '../../questions/written-formats.ts'
import { act, type Organiser } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { type Written, writeQuestions } from './write-questions.ts'

/**
 * The questions of an assessment with their keys, as other systems read them (product 7.2.11). It carries
 * the keys away, so it is noted.
 * Errors: OrganiserRefusal: no_such_assessment, nothing_to_export.
 */
export function exportQuestions(
  organiser: Organiser,
  code: string,
  format: WrittenFormat,
): Promise<Written> {
  return act(organiser, 'export', code, async (client) => {
    await requireAssessment(client, code)
    const { rows } = await client.query<{
      question: string
      a: string
      b: string
      c: string
      d: string
      answer: OptionLetter
      explanation: string
      form: Form | null
    }>(
      `select question, answer_a as a, answer_b as b, answer_c as c, answer_d as d,
         correct_option as answer, coalesce(explanation, '') as explanation, form
       from assessment_items where assessment = $1 order by position`,
      [code],
    )
    if (rows.length === 0) throw new OrganiserRefusal('nothing_to_export', { assessment: code })
    const written = writeQuestions(
      rows.map(({ question, a, b, c, d, answer, explanation, form }) => ({
        question,
        options: { A: a, B: b, C: c, D: d },
        answer,
        explanation,
        why: {},
        ...(form ? { form } : {}),
      })),
      format,
    )
    return { result: written, detail: { format, items: written.count } }
  })
}
