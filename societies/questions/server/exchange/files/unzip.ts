import { crc32, inflateRawSync } from 'node:zlib'
import { LIMITS, QuestionFileError } from './limits.ts'

/**
 * What unpacks each file of a zip, by its path in it and in its order; folders are left out. It throws
 * QuestionFileError('damaged_zip') for a file that is damaged or longer than the zip says.
 */
export type ZipFiles = Map<string, () => Buffer>

const END = 0x06054b50
const LISTED = 0x02014b50
const LOCAL = 0x04034b50
/** The record at the end, and the longest comment behind it. */
const END_BYTES = 22
const FARTHEST_END = END_BYTES + 65_535
/** What is smaller may be packed as tightly as it likes. */
const SMALL_BYTES = 1_000_000

/**
 * The list of a zip's files. What it says of their sizes is held against the limits before anything is
 * unpacked, and unpacking stops where a file is longer than that: a bomb is never unpacked. Only what is
 * read is unpacked, in memory.
 * Errors: QuestionFileError: damaged_zip, too_many_entries, encrypted, unpacks_too_large,
 * packed_too_tightly, odd_path.
 */
export const openZip = (bytes: Uint8Array): ZipFiles =>
  orDamaged(() => listFiles(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))

/** Whatever else goes wrong, such as a number that leads out of the file, is a damaged zip. */
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

function listFiles(zip: Buffer): ZipFiles {
  const end = findEnd(zip)
  const count = zip.readUInt16LE(end + 10)
  // Larger ones (zip64) say 65,535 here.
  if (count > LIMITS.zipEntries) throw new QuestionFileError('too_many_entries')
  const files: ZipFiles = new Map()
  let at = zip.readUInt32LE(end + 16)
  let unpacked = 0
  for (let index = 0; index < count; index += 1) {
    requireWhole(zip.readUInt32LE(at) === LISTED)
    const flags = zip.readUInt16LE(at + 8)
    const entry = {
      method: zip.readUInt16LE(at + 10),
      checksum: zip.readUInt32LE(at + 16),
      packedBytes: zip.readUInt32LE(at + 20),
      bytes: zip.readUInt32LE(at + 24),
      start: zip.readUInt32LE(at + 42),
    }
    const nameBytes = zip.readUInt16LE(at + 28)
    const path = zip.toString('utf8', at + 46, at + 46 + nameBytes).replaceAll('\\', '/')
    if (flags & 1 || flags & 64) throw new QuestionFileError('encrypted')
    if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.split('/').includes('..')) {
      throw new QuestionFileError('odd_path')
    }
    unpacked += entry.bytes
    if (unpacked > LIMITS.unpackedBytes) throw new QuestionFileError('unpacks_too_large')
    if (entry.bytes > SMALL_BYTES && entry.bytes > entry.packedBytes * LIMITS.zipRatio) {
      throw new QuestionFileError('packed_too_tightly')
    }
    if (!path.endsWith('/')) files.set(path, () => orDamaged(() => unpack(zip, entry)))
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return files
}

function findEnd(zip: Buffer): number {
  const farthest = Math.max(0, zip.length - FARTHEST_END)
  for (let at = zip.length - END_BYTES; at >= farthest; at -= 1) {
    if (zip.readUInt32LE(at) === END) return at
  }
  throw new QuestionFileError('damaged_zip')
}

interface Entry {
  method: number
  checksum: number
  packedBytes: number
  bytes: number
  start: number
}

function unpack(zip: Buffer, { method, checksum, packedBytes, bytes, start }: Entry): Buffer {
  requireWhole(zip.readUInt32LE(start) === LOCAL && (method === 0 || method === 8))
  const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
  const packed = zip.subarray(from, from + packedBytes)
  const content =
    method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) })
  requireWhole(content.length === bytes && crc32(content) === checksum)
  return content
}
