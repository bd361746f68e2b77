import type { Exhibit } from '../../../platform/exhibit.ts'
import { OPTION_LETTERS } from '../../../platform/option-letters.ts'
import { writeCsv } from '../../../platform/server/csv/csv.ts'
import { exhibitsInFile, withExhibitAsText } from '../../questions/exhibit-text.ts'
import type { WrittenFormat } from '../../questions/question-files.ts'
import { act, type Organiser } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { FORM_COLUMN, ITEM_COLUMNS } from '../authoring/assessment-file.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { writeGift } from './formats/gift.ts'
import type { WrittenQuestion } from './question.ts'

/**
 * The questions of an assessment with their keys (product 7.2.11). It carries the keys away, so it is noted.
 * Errors: OrganiserRefusal: no_such_assessment, nothing_to_export.
 * @returns besides the file, in sentences, what it has in place of exhibits
 */
export function exportQuestions(
  organiser: Organiser,
  code: string,
  format: WrittenFormat,
): Promise<{ content: string; count: number; exhibits: string[] }> {
  return act(organiser, 'export', code, async (client) => {
    await requireAssessment(client, code)
    const { rows } = await client.query<
      Omit<WrittenQuestion, 'options'> &
        Record<'a' | 'b' | 'c' | 'd', string> & {
          exhibit: Exhibit | null
        }
    >(
      `select question, answer_a as a, answer_b as b, answer_c as c, answer_d as d,
         correct_option as answer, coalesce(explanation, '') as explanation, exhibit, form
       from assessment_items where assessment = $1 order by position`,
      [code],
    )
    if (rows.length === 0) throw new OrganiserRefusal('nothing_to_export', { assessment: code })
    const questions = rows.map(({ question, exhibit, a, b, c, d, ...rest }) => ({
      question: withExhibitAsText(question, exhibit),
      options: { A: a, B: b, C: c, D: d },
      ...rest,
    }))
    return {
      result: {
        content: writeQuestions(questions, format),
        count: rows.length,
        exhibits: exhibitsInFile(rows.map(({ exhibit }) => exhibit)),
      },
      detail: { format, items: rows.length },
    }
  })
}

/** Questions in a format that other systems read; importing the file gives the same ones. */
export const writeQuestions = (questions: readonly WrittenQuestion[], format: WrittenFormat) =>
  format === 'gift'
    ? questions.map((one, index) => writeGift(one, index + 1)).join('\n')
    : writeTable(questions)

/**
 * A table as `load --items` takes it (product 7.2.1), with a column for explanations, where there are any, and one
 * for the form that asks a question, where the test has two.
 */
function writeTable(questions: readonly WrittenQuestion[]): string {
  const hasExplanations = questions.some(({ explanation }) => explanation !== '')
  const hasForms = questions.some(({ form }) => form)
  return writeCsv(
    [
      ...ITEM_COLUMNS,
      ...(hasForms ? [FORM_COLUMN] : []),
      ...(hasExplanations ? ['Explanation'] : []),
    ],
    questions.map(({ question, options, answer, explanation, form }, index) => [
      index + 1,
      question,
      ...OPTION_LETTERS.map((letter) => options[letter]),
      answer,
      ...(hasForms ? [form ?? ''] : []),
      ...(hasExplanations ? [explanation] : []),
    ]),
  )
}
