// Creates platform/server/documents/fonts/*.ttf: our two fonts for PDFs, one file per weight, with the letters of names
// and societies: Latin with all accents, Greek, Cyrillic.
// npm install --no-save subset-font@2 @expo-google-fonts/inter@0.4 @expo-google-fonts/newsreader@0.4
// node tools/pdf-fonts.mjs
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import subsetFont from 'subset-font'

const root = path.join(import.meta.dirname, '..')
const sources = {
  'inter-regular': 'inter/400Regular/Inter_400Regular.ttf',
  'inter-semibold': 'inter/600SemiBold/Inter_600SemiBold.ttf',
  'newsreader-medium': 'newsreader/500Medium/Newsreader_500Medium.ttf',
}

const ranges = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x300, 0x30c],
  [0x370, 0x3ff],
  [0x400, 0x45f],
  [0x490, 0x491],
  [0x1e00, 0x1eff],
  [0x2010, 0x2027],
  [0x2030, 0x203a],
]
const others = '€№™−×→√≤≥✓'
const letters = ranges
  .flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)),
  )
  .join('')

for (const [name, source] of Object.entries(sources)) {
  const whole = await readFile(path.join(root, 'node_modules/@expo-google-fonts', source))
  const font = await subsetFont(whole, letters + others, { targetFormat: 'truetype' })
  await writeFile(path.join(root, 'platform/server/documents/fonts', `${name}.ttf`), font)
  console.log(`${name}.ttf: ${font.length} bytes`)
}
