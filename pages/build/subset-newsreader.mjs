// Creates app/web/fonts/newsreader-latin-basic.woff2, with the part of Newsreader that English headings need. The whole
// file has 132 kB and delayed the landing page's first paint on a slow phone. This one has 55 kB.
// Run: npm install --no-save subset-font@2 && node pages/build/subset-newsreader.mjs
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import subsetFont from 'subset-font'

const root = path.join(import.meta.dirname, '..', '..')
const source =
  'node_modules/@fontsource-variable/newsreader/files/newsreader-latin-opsz-normal.woff2'
const target = 'app/web/fonts/newsreader-latin-basic.woff2'

// The same characters as the unicode-range in app/web/styles/tokens.css.
const ascii = Array.from({ length: 0x5f }, (_, index) => String.fromCodePoint(0x20 + index)).join(
  '',
)
const others = '\u00a0\u00b7\u00d7\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u20ac\u2212'

const font = await subsetFont(await readFile(path.join(root, source)), ascii + others, {
  targetFormat: 'woff2',
  // The weights and sizes in use. Smaller and lighter text uses the nearest.
  variationAxes: { wght: { min: 400, max: 600 }, opsz: { min: 16, max: 72 } },
})
await writeFile(path.join(root, target), font)
console.log(`${target}: ${font.length} bytes`)
