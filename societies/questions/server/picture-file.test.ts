import { describe, expect, it } from 'vitest'
import { makePng } from '../../../tests/rig/questions/questions-rig.ts'
import { readPictureFile } from './picture-file.ts'

const bytes = (hex: string) =>
  Buffer.concat([Buffer.from(hex.replace(/\s/g, ''), 'hex'), Buffer.alloc(40)])
const JPEG = 'ffd8 ffe0 0004 0000 ffc0 0011 08 0258 0320 03'

describe('an image file', () => {
  it.each([
    ['a PNG', makePng(320, 200), { type: 'image/png', width: 320, height: 200 }],
    ['a JPEG', bytes(JPEG), { type: 'image/jpeg', width: 800, height: 600 }],
    [
      'a JPEG with filling between',
      bytes(JPEG.replace('ffc0', 'ffffffc2')),
      { type: 'image/jpeg', width: 800, height: 600 },
    ],
    [
      'a WebP',
      bytes('52494646 20000000 57454250 56503820 10000000 000000 9d012a 2003 5802'),
      { type: 'image/webp', width: 800, height: 600 },
    ],
    [
      'a WebP without loss',
      bytes('52494646 20000000 57454250 5650384c 10000000 2f 1fc39500'),
      { type: 'image/webp', width: 800, height: 600 },
    ],
    [
      'a WebP with more',
      bytes('52494646 20000000 57454250 56503858 0a000000 00000000 1f0300 570200'),
      { type: 'image/webp', width: 800, height: 600 },
    ],
  ])('is accepted and measured: %s', (_, file, expected) =>
    expect(readPictureFile(file)).toEqual(expected),
  )

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'.padEnd(80))],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'.padEnd(80))],
    ['a GIF', Buffer.from('GIF89a'.padEnd(80))],
    ['a PDF', Buffer.from('%PDF-1.7'.padEnd(80))],
    ['the name of a PNG alone', bytes('89504e470d0a1a0a')],
    ['a JPEG that ends', Buffer.from('ffd8ffe00004', 'hex')],
    ['a JPEG without a frame', bytes('ffd8 ffda 0004')],
    ['a JPEG whose segment has no length', bytes('ffd8 ffe0 0000'.repeat(3))],
    ['a PNG of no size', makePng(0, 5)],
  ])('is refused: %s', (_, file) => expect(readPictureFile(file)).toBeNull())
})
