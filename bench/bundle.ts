import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Figure } from './rounds.ts'

const DIST = path.join(import.meta.dirname, '..', 'dist')

/** The two pages, by their names in the manifest. */
const APPLICATION = 'index.html'
const DASHBOARD = 'dashboard.tsx'
const WAKE_UP = '../../pages/web/landing/wake-up.tsx'
const LANDING = ['landing.html', WAKE_UP]

interface Chunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
}

/**
 * screen-kb: gzipped JavaScript of the heaviest signed-in screen, including everything loaded before it. landing-kb:
 * the same for the landing page, which loads neither auth-js nor TanStack Query nor the router. The carousel's code is
 * loaded later and not included.
 */
export async function benchBundle(): Promise<Figure[]> {
  const manifest: Record<string, Chunk> = JSON.parse(
    readFileSync(path.join(DIST, '.vite', 'manifest.json'), 'utf8'),
  )
  if (![APPLICATION, DASHBOARD, ...LANDING].every((name) => manifest[name])) {
    throw new Error('dist/ is not built; run npm start once')
  }
  const landingKb = sizeOf(manifest, LANDING)
  // Everything that the application loads later: screens and dialogs.
  const screens = Object.keys(manifest).filter((name) => name.endsWith('.tsx') && name !== WAKE_UP)
  const sizes = screens
    .map((screen) => ({ screen, kb: sizeOf(manifest, [APPLICATION, screen]) }))
    .sort((a, b) => b.kb - a.kb)
  const heaviest = sizes[0]
  const dashboardKb = sizeOf(manifest, [APPLICATION, DASHBOARD])
  return [
    {
      name: 'landing-kb',
      figure: landingKb,
      limit: '≤ 85',
      met: landingKb <= 85,
      note: 'only the landing page',
    },
    {
      name: 'dashboard-kb',
      figure: dashboardKb,
      limit: '≤ 175',
      met: dashboardKb <= 175,
      note: 'everything that the dashboard loads first',
    },
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
