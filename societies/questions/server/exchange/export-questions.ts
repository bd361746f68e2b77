import { OPTION_LETTERS } from '../../../../platform/option-letters.ts'
import { writeCsv } from '../../../../platform/server/csv/csv.ts'
import { type Place, requireAssessment } from '../../../access/server/assessments.ts'
import { act, type Organizer } from '../../../kit/server/action.ts'
import { refuse } from '../../../kit/server/refuse.ts'
import { exhibitsInFile, type WrittenQuestion, withExhibitAsText } from '../../question-content.ts'
import type { WrittenFormat } from '../../question-files.ts'
import { FORM_COLUMN, ITEM_COLUMNS } from '../authoring/assessment-file.ts'
import { readStored } from '../stored.ts'
import { writeGift } from './text-formats.ts'

/**
 * Exports the questions of an assessment with their keys (product 7.2.11), and logs it. Errors: ApiError 404
 * no_such_assessment, 409 nothing_to_export.
 * @returns the file, and messages about replaced exhibits
 */
export function exportQuestions(
  organizer: Organizer & Place,
  format: WrittenFormat,
): Promise<{ content: string; count: number; exhibits: string[] }> {
  const { code } = organizer
  return act(organizer, 'export', code, async (client) => {
    await requireAssessment(client, organizer)
    const stored = await readStored(client, code)
    const { length: count } = stored
    if (count === 0) {
      throw refuse(409, 'nothing_to_export', `${code} has no questions to export yet.`)
    }
    const questions = stored.map(({ question, exhibit, explanation, ...rest }) => ({
      ...rest,
      question: withExhibitAsText(question, exhibit),
      explanation: explanation ?? '',
    }))
    const content = writeQuestions(questions, format)
    const exhibits = exhibitsInFile(stored.map(({ exhibit }) => exhibit))
    return { result: { content, count, exhibits }, detail: { format, items: count } }
  })
}

/** Writes questions in a format for other systems. Importing the file gives the same questions (product 7.2.1). */
export function writeQuestions(questions: readonly WrittenQuestion[], format: WrittenFormat) {
  if (format === 'gift') return questions.map((one, index) => writeGift(one, index + 1)).join('\n')
  const more = [
    [FORM_COLUMN, (one: WrittenQuestion) => one.form ?? ''] as const,
    ['Explanation', (one: WrittenQuestion) => one.explanation] as const,
  ].filter(([, cellOf]) => questions.some(cellOf))
  return writeCsv(
    [...ITEM_COLUMNS, ...more.map(([name]) => name)],
    questions.map((one, index) => [
      index + 1,
      one.question,
      ...OPTION_LETTERS.map((letter) => one.options[letter]),
      one.answer,
      ...more.map(([, cellOf]) => cellOf(one)),
    ]),
  )
}
