import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Figure } from './rounds.ts'

const DIST = path.join(import.meta.dirname, '..', 'dist')

interface Chunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
}

/** screen-kb: JavaScript of the heaviest signed-in screen, gzip, with all that it loads first. */
export async function benchBundle(): Promise<Figure[]> {
  const manifest: Record<string, Chunk> = JSON.parse(
    readFileSync(path.join(DIST, '.vite', 'manifest.json'), 'utf8'),
  )
  const [entry] = Object.entries(manifest).find(([, chunk]) => chunk.isEntry) ?? []
  if (!entry) throw new Error('dist/ has no entry; run npm start once')
  const screens = Object.keys(manifest).filter((name) => name.startsWith('screens/'))
  const sizes = screens
    .map((screen) => ({ screen, kb: sizeOf(manifest, [entry, screen]) }))
    .sort((a, b) => b.kb - a.kb)
  const heaviest = sizes[0]
  return [
    {
      name: 'screen-kb',
      figure: heaviest?.kb ?? 0,
      limit: '≤ 200',
      met: (heaviest?.kb ?? Number.POSITIVE_INFINITY) <= 200,
      note: sizes.map(({ screen, kb }) => `${path.basename(screen, '.tsx')} ${kb}`).join(', '),
    },
  ]
}

/** Kilobytes (1,000 bytes) of everything that the named chunks import, each file once. */
function sizeOf(manifest: Record<string, Chunk>, names: string[]): number {
  const files = new Set<string>()
  const follow = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) follow(imported)
  }
  for (const name of names) follow(name)
  const bytes = [...files]
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipSync(readFileSync(path.join(DIST, file))).length, 0)
  return Math.round(bytes / 100) / 10
}
