import { OPTION_LETTERS } from '../../../../platform/option-letters.ts'
import { writeCsv } from '../../../../platform/server/csv/csv.ts'
import { type Place, requireAssessment } from '../../../access/server/assessments.ts'
import { act, type Organiser } from '../../../kit/server/action.ts'
import { refuse } from '../../../kit/server/refuse.ts'
import { exhibitsInFile, withExhibitAsText } from '../../exhibit-text.ts'
import type { WrittenFormat } from '../../question-files.ts'
import type { WrittenQuestion } from '../../written-question.ts'
import { FORM_COLUMN, ITEM_COLUMNS } from '../authoring/assessment-file.ts'
import { readStored } from '../stored.ts'
import { writeGift } from './formats/gift.ts'

/**
 * The questions of an assessment with their keys (product 7.2.11). It carries the keys away, so it is noted.
 * Errors: ApiError 404 no_such_assessment, 409 nothing_to_export.
 * @returns besides the file, in sentences, what it has in place of exhibits
 */
export function exportQuestions(
  organiser: Organiser & Place,
  format: WrittenFormat,
): Promise<{ content: string; count: number; exhibits: string[] }> {
  const { code } = organiser
  return act(organiser, 'export', code, async (client) => {
    await requireAssessment(client, organiser)
    const stored = await readStored(client, code)
    if (stored.length === 0) {
      throw refuse(409, 'nothing_to_export', `${code} has no questions to export yet.`)
    }
    const questions = stored.map(({ question, exhibit, explanation, ...rest }) => ({
      ...rest,
      question: withExhibitAsText(question, exhibit),
      explanation: explanation ?? '',
    }))
    return {
      result: {
        content: writeQuestions(questions, format),
        count: stored.length,
        exhibits: exhibitsInFile(stored.map(({ exhibit }) => exhibit)),
      },
      detail: { format, items: stored.length },
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
  const more = <T>(form: T, explanation: T) => [
    ...(hasForms ? [form] : []),
    ...(hasExplanations ? [explanation] : []),
  ]
  return writeCsv(
    [...ITEM_COLUMNS, ...more(FORM_COLUMN, 'Explanation')],
    questions.map(({ question, options, answer, explanation, form }, index) => [
      index + 1,
      question,
      ...OPTION_LETTERS.map((letter) => options[letter]),
      answer,
      ...more(form ?? '', explanation),
    ]),
  )
}
