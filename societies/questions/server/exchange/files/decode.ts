import { QuestionFileError } from './limits.ts'

/**
 * The text of a file, without a byte order mark. What is neither UTF-8 nor UTF-16 is read as the text of an older
 * Windows: then it is a guess.
 * Errors: QuestionFileError('unknown_encoding').
 */
export function decodeText(bytes: Uint8Array): { text: string; isGuessed: boolean } {
  const named = markOf(bytes) ?? declaredIn(bytes)
  if (named === 'windows-1252') return { text: decodeWindows(bytes), isGuessed: false }
  try {
    const decoder = new TextDecoder(named ?? 'utf-8', { fatal: true })
    return { text: decoder.decode(bytes), isGuessed: false }
  } catch {
    if (named) throw new QuestionFileError('unknown_encoding')
    return { text: decodeWindows(bytes), isGuessed: true }
  }
}

/** What windows-1252 has from 0x80 to 0x9f; five places are free. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Node 20 reads windows-1252 as ISO 8859-1: a euro sign would be a control character. */
const decodeWindows = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (sign) => WINDOWS[sign.charCodeAt(0) - 0x80] ?? sign)

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

function markOf(bytes: Uint8Array): Encoding | null {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // Without a mark: in European text every second byte is zero.
  const some = bytes.subarray(0, 200)
  if (some.length < 8) return null
  const zerosAt = (parity: number) => some.filter((byte, at) => !byte && at % 2 === parity).length
  const [even, odd] = [zerosAt(0), zerosAt(1)]
  if (even === 0 && odd > some.length * 0.3) return 'utf-16le'
  return odd === 0 && even > some.length * 0.3 ? 'utf-16be' : null
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
