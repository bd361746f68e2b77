import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { countOf } from '../../../../platform/words.ts'
import { TEXT_LENGTH } from '../../../kit/candidate-limits.ts'
import type { reviewQuestionFile } from '../../contract-exchange.ts'
import {
  type AskedTable,
  FILE_NOTICES,
  type FileProblem,
  type ReadFormat,
} from '../../question-files.ts'
import { decodeText, LIMITS, openZip, QuestionFileError, type ZipFiles } from './bytes.ts'
import { type Found, review } from './review.ts'
import { readCsvTable, readXlsxTable } from './table.ts'
import { looksLikeGift, looksLikeList, readGift, readList } from './text-formats.ts'
import { readSheets } from './xlsx.ts'
import { readMoodleXml, readQtiText, readQtiZip } from './xml-formats.ts'

/**
 * Reads the questions in a file of any format, with reasons for those that can't be imported (product 7.2.6). Large
 * files take long, so the server calls it in a thread (read-apart.ts). Errors: QuestionFileError if the whole file is
 * rejected, but not for a single bad question.
 */
export function readQuestions(
  bytes: Uint8Array,
  asked: AskedTable = {},
): Omit<ResponseOf<typeof reviewQuestionFile>, 'standing'> {
  if (bytes.length > LIMITS.fileBytes) throw new QuestionFileError('too_large')
  const {
    format,
    questions: found,
    notices = [],
    unread = [],
    table = null,
  } = readAny(bytes, asked)
  if (found.length > LIMITS.questions) throw new QuestionFileError('too_many_questions')
  if (found.length === 0) {
    throw new QuestionFileError(notices.includes('broken_off') ? 'broken_xml' : 'no_questions')
  }
  const questions = review(found)
  // The page's limits also keep the transfer between threads fast.
  const characters = questions
    .flatMap(({ question, options }) => [question, ...options.map(({ text }) => text)])
    .reduce((sum, { length }) => sum + length, 0)
  if (found.length > LIMITS.shownQuestions || characters > LIMITS.shownCharacters) {
    throw new QuestionFileError('too_much_to_show')
  }
  return { format, notices, unread, table, questions }
}

type FoundIn = Found & { format: ReadFormat }

/** First bytes of unsupported formats, each with its own advice. */
const FOREIGN: Record<string, FileProblem> = { '\xd0\xcf\x11\xe0': 'old_office', '%PDF': 'pdf' }

/** Detects the format from the content and ignores the name. Errors: QuestionFileError. */
function readAny(bytes: Uint8Array, asked: AskedTable): FoundIn {
  const zip = zipIn(bytes)
  if (zip?.has('xl/workbook.xml')) return { format: 'table', ...readXlsxTable(zip, asked) }
  if (zip?.has('word/document.xml')) throw new QuestionFileError('word')
  if (zip?.has('content.xml') && zip.has('mimetype')) throw new QuestionFileError('open_document')
  if (zip && zip.size > 0) return { format: 'qti', ...readQtiZip(zip) }
  const { text, isGuessed } = zip ? { text: '', isGuessed: false } : decodeText(bytes)
  if (text.trim() === '') throw new QuestionFileError('empty')
  const found = (/^\s*</.test(text) ? readXml(text) : null) ?? readText(text, asked)
  return isGuessed ? { ...found, notices: ['guessed_encoding', ...(found.notices ?? [])] } : found
}

/** Lists the files of a zip; null if it isn't a zip. Errors: QuestionFileError. */
function zipIn(bytes: Uint8Array): ZipFiles | null {
  const start = String.fromCharCode(...bytes.subarray(0, 4))
  if (FOREIGN[start]) throw new QuestionFileError(FOREIGN[start])
  return start === 'PK\x03\x04' || start === 'PK\x05\x06' ? openZip(bytes) : null
}

/** Picks the reader by the root element; null for an unknown format. */
function readXml(text: string): FoundIn | null {
  const head = text.slice(0, 20_000).replace(/<!--[\s\S]*?-->/g, '')
  const [, root = ''] = /<(?:[\w-]+:)?([a-zA-Z][\w-]*)/.exec(head) ?? []
  if (root === 'quiz') return { format: 'moodle', ...readMoodleXml(text) }
  if (root === 'questestinterop' || root === 'assessmentItem') {
    return { format: 'qti', ...readQtiText(text) }
  }
  if (root === 'assessmentTest') throw new QuestionFileError('only_a_list')
  if (root.toLowerCase() === 'html') throw new QuestionFileError('html')
  if (/^\s*<\?xml\s/.test(text)) throw new QuestionFileError('unknown_format')
  return null
}

function readText(text: string, asked: AskedTable): FoundIn {
  if (/^[ \t]*ANSWER:/m.test(text) && /^[ \t]*[A-Z][.)]/m.test(text)) {
    return { format: 'list', ...readList(text) }
  }
  const table = readCsvTable(text, asked)
  if (table) return { format: 'table', ...table }
  if (/^code:\s/m.test(text) && /^(items|durationSeconds):/m.test(text)) {
    throw new QuestionFileError('yaml')
  }
  if (looksLikeGift(text)) return { format: 'gift', ...readGift(text) }
  if (looksLikeList(text)) return { format: 'list', ...readList(text) }
  throw new QuestionFileError('unknown_format')
}

/**
 * Reads a list of people as text. For an .xlsx, it takes the first visible sheet with content (product 7.10.4).
 * Errors: QuestionFileError.
 */
export function readSheetText(bytes: Uint8Array): { text: string; notes: string[] } {
  const zip = zipIn(bytes)
  if (!zip) {
    const { text, isGuessed } = decodeText(bytes)
    if (text.trim() === '') throw new QuestionFileError('empty')
    const notes = isGuessed ? [FILE_NOTICES.guessed_encoding] : []
    if (text.length > TEXT_LENGTH) throw new QuestionFileError('sheet_too_long')
    return { text, notes }
  }
  if (!zip.has('xl/workbook.xml')) throw new QuestionFileError('unknown_format')
  const sheets = readSheets(zip)
  const sheet = sheets.find(({ isHidden }) => !isHidden) ?? sheets[0]
  if (!sheet) throw new QuestionFileError('empty')
  const quoted = (text: string) =>
    /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  const rows = sheet.rows.map(({ cells }) => cells)
  const text = rows.map((row) => row.map((cell) => quoted(cell.text)).join('\t')).join('\n')
  if (text.length > TEXT_LENGTH) throw new QuestionFileError('sheet_too_long')
  const odd = rows.flat().filter(({ oddity }) => oddity).length
  const unread = sheets.flatMap((one) => (one === sheet ? [] : one.name))
  const notes = [
    unread.length > 0 && `Not read: ${unread.join(', ')}.`,
    odd > 0 &&
      `${countOf(odd, 'cell')} may look different in the spreadsheet (a formula, a formatted number, struck out or hidden). Please check them.`,
  ]
  return { text, notes: notes.filter((note) => note !== false) }
}
