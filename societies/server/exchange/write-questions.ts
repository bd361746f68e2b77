import { OPTION_LETTERS } from '../../../platform/option-letters.ts'
import {
  NOT_WRITTEN,
  type NotWrittenReason,
  type WrittenFormat,
} from '../../questions/written-formats.ts'
import { writeAiken } from './formats/aiken.ts'
import { fitsXml } from './formats/escape-xml.ts'
import { writeGift } from './formats/gift.ts'
import { writeMoodleXml } from './formats/moodle-xml.ts'
import { writeCsvTable } from './formats/write-csv-table.ts'
import { writeQti3 } from './formats/write-qti.ts'
import type { Question } from './question.ts'

export interface Written {
  /** a QTI package is a zip */
  content: string | Uint8Array
  count: number
  /** what the format has no way to write; position from 1 */
  leftOut: { position: number; reason: NotWrittenReason }[]
}

/** Questions in a format that other systems read; reading them here gives the same ones (product 7.2.11). */
export function writeQuestions(questions: readonly Question[], format: WrittenFormat): Written {
  switch (format) {
    case 'aiken': {
      const texts = questions.map(writeAiken)
      const leftOut = texts.flatMap((text, index) =>
        isReason(text) ? [{ position: index + 1, reason: text }] : [],
      )
      const written = texts.filter((text) => !isReason(text))
      return { content: written.join('\n'), count: written.length, leftOut }
    }
    case 'gift':
      return whole(questions, questions.map((one, index) => writeGift(one, index + 1)).join('\n'))
    case 'csv':
      return whole(questions, writeCsvTable(questions))
    default: {
      const write = format === 'moodle' ? writeMoodleXml : writeQti3
      const fitting = questions.filter(isForXml)
      return {
        content: write(fitting),
        count: fitting.length,
        leftOut: questions.flatMap((one, index) =>
          isForXml(one) ? [] : [{ position: index + 1, reason: 'control_characters' as const }],
        ),
      }
    }
  }
}

const isReason = (text: string): text is NotWrittenReason => text in NOT_WRITTEN

const whole = (questions: readonly Question[], content: string): Written => ({
  content,
  count: questions.length,
  leftOut: [],
})

const isForXml = ({ question, options, explanation, why }: Question) =>
  fitsXml(
    [question, explanation, ...OPTION_LETTERS.flatMap((one) => [options[one], why[one]])].join(''),
  )
