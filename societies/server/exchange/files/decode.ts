import { QuestionFileError } from '../question.ts'

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/**
 * The text of a file, without a byte order mark. What is neither UTF-8 nor UTF-16 is read as the text of an older
 * Windows: then it is a guess.
 * Errors: QuestionFileError('unknown_encoding').
 */
export function decodeText(bytes: Uint8Array): { text: string; isGuessed: boolean } {
  const encoding = markOf(bytes) ?? declaredIn(bytes)
  try {
    return { text: decode(bytes, encoding ?? 'utf-8'), isGuessed: false }
  } catch {
    if (encoding) throw new QuestionFileError('unknown_encoding')
    return { text: decode(bytes, 'windows-1252'), isGuessed: true }
  }
}

/** What windows-1252 has from 0x80 to 0x9f; five places are free. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

function decode(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding !== 'windows-1252') return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  // Node 20 reads windows-1252 as ISO 8859-1: a euro sign would be a control character.
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (sign) => WINDOWS[sign.charCodeAt(0) - 0x80] ?? sign)
}

function markOf(bytes: Uint8Array): Encoding | null {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // Without a mark: in European text every second byte is zero.
  const some = bytes.subarray(0, 200)
  const zeros = (parity: number) =>
    some.filter((byte, at) => at % 2 === parity && byte === 0).length
  if (some.length >= 8 && zeros(1) > some.length * 0.3 && zeros(0) === 0) return 'utf-16le'
  if (some.length >= 8 && zeros(0) > some.length * 0.3 && zeros(1) === 0) return 'utf-16be'
  return null
}

/** The encoding that an XML file names. Errors: QuestionFileError('unknown_encoding'). */
function declaredIn(bytes: Uint8Array): Encoding | null {
  const start = String.fromCharCode(...bytes.subarray(0, 200))
  const [, name] = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']/.exec(start) ?? []
  if (name === undefined) return null
  if (/^(utf-?8|(us-)?ascii)$/i.test(name)) return 'utf-8'
  if (/^(iso-8859-1|latin1|windows-1252|cp1252)$/i.test(name)) return 'windows-1252'
  throw new QuestionFileError('unknown_encoding')
}
