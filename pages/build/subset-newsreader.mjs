// Makes app/web/fonts/newsreader-latin-basic.woff2: of Newsreader what headings in English need. The whole file
// has 132 kB and held up the first picture of the landing page on a slow phone; this one has 55.
//   npm install --no-save subset-font@2 && node pages/build/subset-newsreader.mjs
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
  // The weights and sizes in use; smaller and lighter text stops at the edge.
  variationAxes: { wght: { min: 400, max: 600 }, opsz: { min: 16, max: 72 } },
})
await writeFile(path.join(root, target), font)
console.log(`${target}: ${font.length} bytes`)
