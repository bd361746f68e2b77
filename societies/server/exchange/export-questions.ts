import type { Exhibit } from '../../../platform/exhibit.ts'
import type { OptionLetter } from '../../../platform/option-letters.ts'
import { exhibitsInFile, withExhibitAsText } from '../../questions/exhibit-text.ts'
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
 * @returns besides the file, in sentences, what it has in place of exhibits
 */
export function exportQuestions(
  organiser: Organiser,
  code: string,
  format: WrittenFormat,
): Promise<Written & { exhibits: string[] }> {
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
      exhibit: Exhibit | null
      form: Form | null
    }>(
      `select question, answer_a as a, answer_b as b, answer_c as c, answer_d as d,
         correct_option as answer, coalesce(explanation, '') as explanation, exhibit, form
       from assessment_items where assessment = $1 order by position`,
      [code],
    )
    if (rows.length === 0) throw new OrganiserRefusal('nothing_to_export', { assessment: code })
    const written = writeQuestions(
      rows.map(({ question, exhibit, a, b, c, d, answer, explanation, form }) => ({
        question: withExhibitAsText(question, exhibit),
        options: { A: a, B: b, C: c, D: d },
        answer,
        explanation,
        why: {},
        ...(form ? { form } : {}),
      })),
      format,
    )
    const exhibits = exhibitsInFile(rows.map(({ exhibit }) => exhibit))
    return { result: { ...written, exhibits }, detail: { format, items: written.count } }
  })
}
