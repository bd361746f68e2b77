import type { PictureType } from '../../../platform/exhibit.ts'

export interface PictureFile {
  type: PictureType
  /** pixels */
  width: number
  height: number
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/**
 * What a file's first bytes say it is, whatever it is called, and how large it is drawn; null for anything but
 * a PNG, JPEG or WebP. Only headers are read, nothing is unpacked.
 */
export function readPictureFile(bytes: Buffer): PictureFile | null {
  const found = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes)
  return found && found.width > 0 && found.height > 0 ? found : null
}

function readPng(bytes: Buffer): PictureFile | null {
  if (bytes.length < 33 || !PNG.every((byte, at) => bytes[at] === byte)) return null
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Segments until the one that starts the frame: SOF0 to SOF15, but for DHT, JPG and DAC. */
function readJpeg(bytes: Buffer): PictureFile | null {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== 0xd8 || bytes[2] !== 0xff) return null
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] as number
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return {
        type: 'image/jpeg',
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
      }
    }
    // Markers without a length of their own, and the picture itself, which comes only behind the frame.
    if (marker === 0xd9 || marker === 0xda) return null
    at +=
      2 + (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8) ? 0 : bytes.readUInt16BE(at + 2))
  }
  return null
}

function readWebp(bytes: Buffer): PictureFile | null {
  if (bytes.length < 30) return null
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return null
  const type = 'image/webp'
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    case 'VP8 ':
      return {
        type,
        width: bytes.readUInt16LE(26) & 0x3fff,
        height: bytes.readUInt16LE(28) & 0x3fff,
      }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    default:
      return null
  }
}
