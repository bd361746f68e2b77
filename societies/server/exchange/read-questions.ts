import { TEXT_LENGTH } from '../../candidate-limits.ts'
import type { FileNotice, FileProblem, ReadFormat } from '../../questions/question-files.ts'
import { decodeText } from './files/decode.ts'
import { readSheets } from './files/sheet.ts'
import { openZip, type ZipFiles } from './files/unzip.ts'
import { readAiken } from './formats/aiken.ts'
import { looksLikeGift, readGift } from './formats/gift.ts'
import { readMoodleXml } from './formats/moodle-xml.ts'
import { readQtiText, readQtiZip } from './formats/qti-files.ts'
import { delimiterOf, looksLikeTable, readCsvTable, readXlsxTable } from './formats/table.ts'
import { type Found, LIMITS, QuestionFileError, requireFewQuestions } from './question.ts'
import { type ReviewedQuestion, review } from './review.ts'

/** What a file holds. */
export interface FileRead {
  format: ReadFormat
  notices: FileNotice[]
  questions: ReviewedQuestion[]
}

/**
 * The questions of a file, whatever its format, each with the reason why it can't be imported (product 7.2.6).
 * It takes as long as the file is large, so the server calls it in a thread (read-apart.ts).
 * Errors: QuestionFileError for a file that is not read at all; one bad question is no reason.
 */
export function readQuestions(bytes: Uint8Array): FileRead {
  if (bytes.length > LIMITS.fileBytes) throw new QuestionFileError('too_large')
  const { format, questions, notices } = readAny(bytes)
  requireFewQuestions(questions.length)
  if (questions.length === 0) {
    throw new QuestionFileError(notices.includes('broken_off') ? 'broken_xml' : 'no_questions')
  }
  return { format, notices, questions: review(questions) }
}

type FoundIn = Found & { format: ReadFormat }

const FOREIGN: [start: string, problem: FileProblem][] = [
  ['\xd0\xcf\x11\xe0', 'old_office'],
  ['%PDF', 'pdf'],
]

const ZIPS = ['PK\x03\x04', 'PK\x05\x06']

/**
 * Tells by what is in a file how to read it; its name says nothing.
 * Errors: QuestionFileError, also for files of other kinds that people will try, each with its own advice.
 */
function readAny(bytes: Uint8Array): FoundIn {
  const zip = zipIn(bytes)
  if (zip) return readZip(zip)
  const { text, isGuessed } = decodeText(bytes)
  if (text.trim() === '') throw new QuestionFileError('empty')
  const found = (/^\s*</.test(text) ? readXml(text) : null) ?? readText(text)
  return isGuessed ? { ...found, notices: ['guessed_encoding', ...found.notices] } : found
}

/** The files of a zip; null for what is no zip. Errors: QuestionFileError. */
function zipIn(bytes: Uint8Array): ZipFiles | null {
  if (bytes.length === 0) throw new QuestionFileError('empty')
  const start = String.fromCharCode(...bytes.subarray(0, 8))
  const foreign = FOREIGN.find(([sign]) => start.startsWith(sign))
  if (foreign) throw new QuestionFileError(foreign[1])
  return ZIPS.some((sign) => start.startsWith(sign)) ? openZip(bytes) : null
}

function readZip(zip: ZipFiles): FoundIn {
  if (zip.has('xl/workbook.xml')) return { ...readXlsxTable(zip), format: 'table' }
  if (zip.has('word/document.xml')) throw new QuestionFileError('word')
  if (zip.has('content.xml') && zip.has('mimetype')) throw new QuestionFileError('open_document')
  const names = [...zip.keys()]
  if (names.some((name) => /\.(xml|dat)$/.test(name))) return { ...readQtiZip(zip), format: 'qti' }
  if (names.some((name) => name.endsWith('.zip'))) throw new QuestionFileError('only_zips')
  throw new QuestionFileError(names.length === 0 ? 'empty' : 'unknown_format')
}

/**
 * The first filled sheet of an .xlsx as text, as copying it from the spreadsheet would give it (product 7.10.4).
 * Errors: QuestionFileError.
 */
export function readSheetText(bytes: Uint8Array): { text: string; oddCells: number } {
  const zip = zipIn(bytes)
  if (!zip?.has('xl/workbook.xml')) throw new QuestionFileError('unknown_format')
  const filled = readSheets(zip).find(({ rows }) => rows.length > 0)
  if (!filled) throw new QuestionFileError('empty')
  const quoted = (text: string) =>
    /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  const lines = filled.rows.map(({ cells }) => cells.map(({ text }) => quoted(text)).join('\t'))
  const text = lines.join('\n')
  if (text.length > TEXT_LENGTH) throw new QuestionFileError('sheet_too_long')
  return {
    text,
    oddCells: filled.rows.flatMap(({ cells }) => cells).filter((one) => one.oddity).length,
  }
}

/** By its first element; null where that is of no format. */
function readXml(text: string): FoundIn | null {
  const head = text.slice(0, 20_000).replace(/<!--[\s\S]*?-->/g, '')
  const [, root = ''] = /<(?:[\w-]+:)?([a-zA-Z][\w-]*)/.exec(head) ?? []
  if (root === 'quiz') return { ...readMoodleXml(text), format: 'moodle' }
  if (root === 'questestinterop' || root === 'assessmentItem') {
    return { ...readQtiText(text), format: 'qti' }
  }
  if (root === 'assessmentTest') throw new QuestionFileError('only_a_list')
  if (root.toLowerCase() === 'html') throw new QuestionFileError('html')
  if (/^\s*<\?xml\s/.test(text)) throw new QuestionFileError('unknown_format')
  return null
}

function readText(text: string): FoundIn {
  if (/^[ \t]*ANSWER:/m.test(text) && /^[ \t]*[A-Z][.)]/m.test(text)) {
    return { ...readAiken(text), format: 'aiken' }
  }
  const delimiter = delimiterOf(text)
  if (delimiter !== null) return { ...readCsvTable(text, delimiter), format: 'table' }
  if (/^code:\s/m.test(text) && /^(items|durationSeconds):/m.test(text)) {
    throw new QuestionFileError('yaml')
  }
  if (looksLikeGift(text)) return { ...readGift(text), format: 'gift' }
  throw new QuestionFileError(looksLikeTable(text) ? 'no_columns' : 'unknown_format')
}
