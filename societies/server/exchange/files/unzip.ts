import { crc32, inflateRawSync } from 'node:zlib'
import { LIMITS, QuestionFileError } from '../question.ts'

/** Files of a zip by their path in it, in its order; folders are left out. */
export type ZipFiles = Map<string, ZipFile>

export interface ZipFile {
  path: string
  /**
   * What is in it.
   * Errors: QuestionFileError when it is damaged or longer than the zip says.
   */
  read(): Buffer
}

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
export function openZip(bytes: Uint8Array): ZipFiles {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return listFiles(zip)
  } catch (error) {
    if (error instanceof QuestionFileError) throw error
    // A number that leads out of the file.
    throw new QuestionFileError('damaged_zip')
  }
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
    if (zip.readUInt32LE(at) !== LISTED) throw new QuestionFileError('damaged_zip')
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
    if (!path.endsWith('/')) files.set(path, { path, read: () => unpack(zip, entry) })
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
  try {
    if (zip.readUInt32LE(start) !== LOCAL) throw new QuestionFileError('damaged_zip')
    const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
    const packed = zip.subarray(from, from + packedBytes)
    const content = method === 0 ? packed : inflate(packed, method, bytes)
    if (content.length !== bytes || crc32(content) !== checksum) {
      throw new QuestionFileError('damaged_zip')
    }
    return content
  } catch {
    throw new QuestionFileError('damaged_zip')
  }
}

function inflate(packed: Buffer, method: number, bytes: number): Buffer {
  if (method !== 8) throw new QuestionFileError('damaged_zip')
  return inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) })
}
