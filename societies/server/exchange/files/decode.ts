import type { Encoding } from '../../../questions/question-files.ts'
import { QuestionFileError } from '../question.ts'

export interface Decoded {
  text: string
  encoding: Encoding
  /** nothing in the file says it */
  isGuessed: boolean
}

/**
 * The text of a file, without a byte order mark. What is no UTF-8 and no UTF-16 is taken for the text of an
 * older Windows.
 * Errors: QuestionFileError: wrong_encoding, unknown_encoding (an XML file that names another one).
 * @param told the encoding, where a person says it
 */
export function decodeText(bytes: Uint8Array, told?: Encoding): Decoded {
  if (told) return { text: decode(bytes, told, 'wrong_encoding'), encoding: told, isGuessed: false }
  const marked = markOf(bytes)
  if (marked) {
    return { text: decode(bytes, marked, 'unknown_encoding'), encoding: marked, isGuessed: false }
  }
  const declared = declaredIn(bytes)
  if (declared) {
    return {
      text: decode(bytes, declared, 'unknown_encoding'),
      encoding: declared,
      isGuessed: false,
    }
  }
  try {
    return { text: decode(bytes, 'utf-8', 'wrong_encoding'), encoding: 'utf-8', isGuessed: false }
  } catch {
    const text = decode(bytes, 'windows-1252', 'unknown_encoding')
    return { text, encoding: 'windows-1252', isGuessed: true }
  }
}

/** What windows-1252 has from 0x80 to 0x9f; five places are free. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

function decode(
  bytes: Uint8Array,
  encoding: Encoding,
  problem: 'wrong_encoding' | 'unknown_encoding',
): string {
  // Node 20 reads windows-1252 as ISO 8859-1: a euro sign would be a control character.
  if (encoding === 'windows-1252') {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString('latin1')
      .replace(/[\u0080-\u009f]/g, (sign) => WINDOWS[sign.charCodeAt(0) - 0x80] ?? sign)
  }
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new QuestionFileError(problem)
  }
}

function markOf(bytes: Uint8Array): Encoding | null {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // Without a mark: of letters as Europe has them, every second byte is zero.
  const some = bytes.subarray(0, 200)
  const zeros = (parity: number) =>
    some.filter((byte, at) => at % 2 === parity && byte === 0).length
  if (some.length >= 8 && zeros(1) > some.length * 0.3 && zeros(0) === 0) return 'utf-16le'
  if (some.length >= 8 && zeros(0) > some.length * 0.3 && zeros(1) === 0) return 'utf-16be'
  return null
}

/** Encodings that XML files name. */
const DECLARED: Record<string, Encoding> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
  cp1252: 'windows-1252',
}

function declaredIn(bytes: Uint8Array): Encoding | null {
  const start = String.fromCharCode(...bytes.subarray(0, 200))
  const [, name] = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']/.exec(start) ?? []
  if (name === undefined) return null
  const encoding = DECLARED[name.toLowerCase()]
  if (!encoding) throw new QuestionFileError('unknown_encoding')
  return encoding
}
