import type { Encoding, FileProblem, ReadFormat } from '../../../questions/question-files.ts'
import { looksLikeGift } from '../formats/gift.ts'
import { hasColumns, looksLikeTable, type ToldTable } from '../formats/table.ts'
import { QuestionFileError } from '../question.ts'
import { decodeText } from './decode.ts'
import { openZip, type ZipFiles } from './unzip.ts'

/** What a file turned out to be. */
export type Sniffed =
  | { format: 'xlsx'; zip: ZipFiles }
  | { format: 'qti'; zip: ZipFiles }
  | {
      format: Exclude<ReadFormat, 'xlsx' | 'kahoot' | 'quizizz'>
      text: string
      encoding: Encoding
      isGuessed: boolean
    }

const STARTS: [bytes: string, problem: FileProblem][] = [
  ['\xd0\xcf\x11\xe0', 'old_office'],
  ['%PDF', 'pdf'],
]

/**
 * Tells by what is in a file how to read it; its name says nothing.
 * Errors: QuestionFileError, also for files of a kind that people will try, each with its own advice.
 * @param told what a person says of it
 */
export function sniff(
  bytes: Uint8Array,
  told: { format?: ReadFormat; encoding?: Encoding; columns?: ToldTable } = {},
): Sniffed {
  if (bytes.length === 0) throw new QuestionFileError('empty')
  const start = String.fromCharCode(...bytes.subarray(0, 8))
  const foreign = STARTS.find(([sign]) => start.startsWith(sign))
  if (foreign) throw new QuestionFileError(foreign[1])
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return sniffZip(bytes)
  const decoded = decodeText(bytes, told.encoding)
  if (decoded.text.trim() === '') throw new QuestionFileError('empty')
  // Only a table has columns.
  const format = told.format ?? (hasNames(told.columns) ? 'csv' : formatOf(decoded.text))
  if (format === 'xlsx' || format === 'kahoot' || format === 'quizizz') {
    return { format: 'csv', ...decoded }
  }
  return { format, ...decoded }
}

const hasNames = (columns: ToldTable = {}) => Object.keys(columns).length > 0

function sniffZip(bytes: Uint8Array): Sniffed {
  const zip = openZip(bytes)
  if (zip.has('xl/workbook.xml')) return { format: 'xlsx', zip }
  if (zip.has('word/document.xml')) throw new QuestionFileError('word')
  if (zip.has('content.xml') && zip.has('mimetype')) throw new QuestionFileError('open_document')
  const names = [...zip.keys()]
  if (names.some((name) => name.endsWith('.xml') || name.endsWith('.dat'))) {
    return { format: 'qti', zip }
  }
  if (names.some((name) => name.endsWith('.zip'))) throw new QuestionFileError('only_zips')
  throw new QuestionFileError(names.length === 0 ? 'empty' : 'unknown_format')
}

function formatOf(text: string): Exclude<ReadFormat, 'xlsx' | 'kahoot' | 'quizizz'> {
  if (/^\s*</.test(text)) {
    const format = formatOfRoot(text)
    if (format) return format
  }
  if (/^ANSWER:/m.test(text) && /^[A-Z][.)]/m.test(text)) return 'aiken'
  if (hasColumns(text)) return 'csv'
  if (/^code:\s/m.test(text) && /^(items|durationSeconds):/m.test(text)) {
    throw new QuestionFileError('yaml')
  }
  if (!/^\s*<\?xml\s/.test(text) && looksLikeGift(text)) return 'gift'
  if (!/^\s*</.test(text) && looksLikeTable(text)) return 'csv'
  throw new QuestionFileError('unknown_format')
}

function formatOfRoot(text: string) {
  // Past the declaration, comments and a document type, which the reader looks at.
  const [, root = ''] = /<(?:[\w-]+:)?([a-zA-Z][\w-]*)/.exec(text.slice(0, 20_000)) ?? []
  if (root === 'quiz') return 'moodle'
  if (root === 'questestinterop') return 'qti12'
  if (root === 'assessmentItem') return 'qti2'
  if (root === 'qti-assessment-item') return 'qti3'
  if (/^(qti-)?assessment-?test$/i.test(root)) throw new QuestionFileError('only_a_list')
  if (root.toLowerCase() === 'html') throw new QuestionFileError('html')
  return null
}
