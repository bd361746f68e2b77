import { crc32, inflateRawSync } from 'node:zlib'
import { type FileProblem, QUESTION_FILE_BYTES } from '../../question-files.ts'

/** Limits for imported files. Larger ones are rejected with a message (product 7.2.9). */
export const LIMITS = {
  fileBytes: QUESTION_FILE_BYTES,
  /** total size of all files in a zip */
  unpackedBytes: 20_000_000,
  zipEntries: 2_000,
  /** unpacked size divided by packed size */
  zipRatio: 100,
  xmlDepth: 64,
  xmlElements: 300_000,
  /** cells of a spreadsheet, including empty ones before the last in each row */
  cells: 300_000,
  questions: 5_000,
  /** maximum shown on a page: number of questions, and characters of their texts */
  shownQuestions: 1_000,
  shownCharacters: 3_000_000,
}

/** The whole file is rejected. */
export class QuestionFileError extends Error {
  readonly problem: FileProblem
  constructor(problem: FileProblem) {
    super(problem)
    this.problem = problem
  }
}

/**
 * Decodes a file's text without a byte order mark. Text that is neither UTF-8 nor UTF-16 is read as windows-1252,
 * which is a guess. Errors: QuestionFileError('unknown_encoding').
 */
export function decodeText(bytes: Uint8Array): { text: string; isGuessed: boolean } {
  const named = utf16In(bytes) ?? declaredIn(bytes)
  try {
    if (named !== 'windows-1252') {
      const decoder = new TextDecoder(named ?? 'utf-8', { fatal: true })
      return { text: decoder.decode(bytes), isGuessed: false }
    }
  } catch {
    if (named) throw new QuestionFileError('unknown_encoding')
  }
  // Node 20 reads windows-1252 as ISO 8859-1, which turns a euro sign into a control character.
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (sign) => WINDOWS[sign.charCodeAt(0) - 0x80] ?? sign)
  return { text, isGuessed: named === null }
}

/** Characters 0x80 to 0x9f of windows-1252; five are undefined. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Detects UTF-16 by its byte order mark, or because every second byte of European text is zero. */
function utf16In(bytes: Uint8Array) {
  const some = bytes.subarray(0, 200)
  if (some[0] === 0xff && some[1] === 0xfe) return 'utf-16le'
  if (some[0] === 0xfe && some[1] === 0xff) return 'utf-16be'
  if (some.length < 8) return null
  const zerosAt = (parity: number) => some.filter((byte, at) => !byte && at % 2 === parity).length
  const [even, odd] = [zerosAt(0), zerosAt(1)]
  if (even === 0 && odd > some.length * 0.3) return 'utf-16le'
  return odd === 0 && even > some.length * 0.3 ? 'utf-16be' : null
}

/** Reads the encoding declared in an XML file. Errors: QuestionFileError('unknown_encoding'). */
function declaredIn(bytes: Uint8Array) {
  const start = String.fromCharCode(...bytes.subarray(0, 200))
  const [, name] = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']/.exec(start) ?? []
  if (name === undefined) return null
  if (/^(utf-?8|(us-)?ascii)$/i.test(name)) return 'utf-8'
  if (/^(iso-8859-1|latin1|windows-1252|cp1252)$/i.test(name)) return 'windows-1252'
  throw new QuestionFileError('unknown_encoding')
}

/**
 * Functions that unpack the files of a zip, by path, in the zip's order. They throw QuestionFileError('damaged_zip').
 */
export type ZipFiles = Map<string, () => Buffer>

/**
 * Lists a zip's files without folders. It checks the declared sizes against the limits first, and unpacking stops at
 * the declared size, so a zip bomb is never unpacked. Errors: QuestionFileError: damaged_zip, too_many_entries,
 * encrypted, unpacks_too_large, packed_too_tightly, odd_path.
 */
export const openZip = (bytes: Uint8Array): ZipFiles =>
  orDamaged(() => listFiles(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))

/** Any other error, such as an offset outside the file, means that the zip is damaged. */
function orDamaged<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof QuestionFileError ? error : new QuestionFileError('damaged_zip')
  }
}

function requireWhole(isWhole: boolean): void {
  if (!isWhole) throw new QuestionFileError('damaged_zip')
}

/** Smaller files can have any compression ratio. */
const SMALL_BYTES = 1_000_000

function listFiles(zip: Buffer): ZipFiles {
  // The end record has 22 bytes, followed by a comment.
  const end = zip.lastIndexOf('PK\x05\x06', zip.length - 22, 'latin1')
  requireWhole(end >= 0)
  const count = zip.readUInt16LE(end + 10)
  // Zip64 files have 65,535 here.
  if (count > LIMITS.zipEntries) throw new QuestionFileError('too_many_entries')
  const files: ZipFiles = new Map()
  let at = zip.readUInt32LE(end + 16)
  let unpacked = 0
  for (let index = 0; index < count; index += 1) {
    requireWhole(zip.readUInt32LE(at) === 0x02014b50)
    const entry = zip.subarray(at)
    const packedBytes = entry.readUInt32LE(20)
    const bytes = entry.readUInt32LE(24)
    const nameEnd = 46 + entry.readUInt16LE(28)
    const path = entry.toString('utf8', 46, nameEnd).replaceAll('\\', '/')
    if (entry.readUInt16LE(8) & 65) throw new QuestionFileError('encrypted')
    if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.split('/').includes('..')) {
      throw new QuestionFileError('odd_path')
    }
    unpacked += bytes
    if (unpacked > LIMITS.unpackedBytes) throw new QuestionFileError('unpacks_too_large')
    if (bytes > SMALL_BYTES && bytes > packedBytes * LIMITS.zipRatio) {
      throw new QuestionFileError('packed_too_tightly')
    }
    if (!path.endsWith('/')) files.set(path, () => orDamaged(() => unpack(zip, entry)))
    at += nameEnd + entry.readUInt16LE(30) + entry.readUInt16LE(32)
  }
  return files
}

/** @param entry from the central directory at the end */
function unpack(zip: Buffer, entry: Buffer): Buffer {
  const method = entry.readUInt16LE(10)
  const bytes = entry.readUInt32LE(24)
  const local = zip.subarray(entry.readUInt32LE(42))
  requireWhole(local.readUInt32LE(0) === 0x04034b50 && (method === 0 || method === 8))
  const from = 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
  const packed = local.subarray(from, from + entry.readUInt32LE(20))
  const content =
    method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) })
  requireWhole(content.length === bytes && crc32(content) === entry.readUInt32LE(16))
  return content
}
