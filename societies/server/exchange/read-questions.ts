import type { Encoding, FileNotice, ReadFormat } from '../../questions/question-files.ts'
import { type Sniffed, sniff } from './files/sniff.ts'
import { readAiken } from './formats/aiken.ts'
import { readGift } from './formats/gift.ts'
import { readMoodleXml } from './formats/moodle-xml.ts'
import { readQtiText, readQtiZip } from './formats/qti-files.ts'
import { readCsvTable, readXlsxTable, type ToldTable } from './formats/table.ts'
import { type Found, LIMITS, QuestionFileError, requireFewQuestions } from './question.ts'
import { type Review, review } from './review.ts'

/** What a person says of a file, where the guess is wrong. */
export interface Told {
  format?: ReadFormat
  encoding?: Encoding
  columns?: ToldTable
}

/**
 * The questions of a file, whatever its format, in two parts: what can be imported, and what can not
 * (product 7.2.6). It takes as long as the file is large: whoever serves others too reads it apart
 * (read-apart.ts).
 * Errors: QuestionFileError for a file that is not read at all; one bad question is no reason.
 */
export function readQuestions(bytes: Uint8Array, told: Told = {}): Review {
  if (bytes.length > LIMITS.fileBytes) throw new QuestionFileError('too_large')
  const sniffed = sniff(bytes, told)
  const { format, ...found } = readAs(sniffed, told)
  requireFewQuestions(found.questions.length)
  if (found.questions.length === 0) {
    const isBroken = found.notices.includes('broken_off')
    throw new QuestionFileError(isBroken ? 'broken_xml' : 'no_questions')
  }
  const isText = 'text' in sniffed
  const notices: FileNotice[] = isText && sniffed.isGuessed ? ['guessed_encoding'] : []
  return review(
    { ...found, notices: [...notices, ...found.notices] },
    { format, encoding: isText ? sniffed.encoding : null },
  )
}

function readAs(sniffed: Sniffed, { columns }: Told): Found & { format: ReadFormat } {
  switch (sniffed.format) {
    case 'xlsx':
      return readXlsxTable(sniffed.zip, columns)
    case 'qti':
      return readQtiZip(sniffed.zip)
    case 'csv':
      return { ...readCsvTable(sniffed.text, columns), format: 'csv' }
    case 'aiken':
      return { ...readAiken(sniffed.text), format: 'aiken' }
    case 'gift':
      return { ...readGift(sniffed.text), format: 'gift' }
    case 'moodle':
      return { ...readMoodleXml(sniffed.text), format: 'moodle' }
    default:
      return { ...readQtiText(sniffed.text), format: sniffed.format }
  }
}
