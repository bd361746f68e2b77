import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'

const WORKER = path.join(import.meta.dirname, '..', 'web', 'offline', 'worker.ts')

/** Code that isn't cached on the device: a society's pages, its candidates' test, the landing page. */
const NOT_ABOARD = /\/(societies|assessments)\/|organizer-routes|\/pages\/web\/landing\//
const ABOARD = /candidate-way-in/

/** The letters that English needs. Other alphabets are loaded on demand. */
const FONTS = /(inter-latin-wght-normal|newsreader-latin-basic)[^/]*\.woff2$/
/** The files of public/ that every page loads, without images for other sites and downloads. */
const PUBLIC_FILES = /^(before-paint\.js|favicon\.svg|icon-.*\.png|manifest\.webmanifest)$/

/** Builds app/web/offline/worker.ts into /sw.js with the list of its files (product 3.17.2, decision 039). */
export function offlineWorker(): Plugin {
  let publicDir = ''
  return {
    name: 'superday-offline-worker',
    apply: 'build',
    // The file names are known only after all other plugins.
    enforce: 'post',
    configResolved: (config) => {
      publicDir = config.publicDir
    },
    async generateBundle(_, bundle) {
      const entry = Object.values(bundle).find(
        (part): part is Rolldown.OutputChunk =>
          part.type === 'chunk' && part.isEntry && part.name === 'index',
      )
      if (!entry) throw new Error('the application has no entry point named index')
      const files = [
        ...partsFrom(entry, bundle),
        ...Object.keys(bundle).filter((file) => FONTS.test(file)),
        ...(await readdir(publicDir)).filter((file) => PUBLIC_FILES.test(file)),
      ].map((file) => `/${file}`)
      const source = await buildWorker({ FILES: files.sort(), ENTRY: `/${entry.fileName}` })
      this.emitFile({ type: 'asset', fileName: 'sw.js', source })
    },
  }
}

/** The scripts and styles that the application loads, immediately or later. */
function partsFrom(entry: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const files = new Set<string>()
  const follow = (name: string) => {
    const part = bundle[name]
    if (part?.type !== 'chunk' || files.has(name)) return
    files.add(name)
    for (const style of part.viteMetadata?.importedCss ?? []) files.add(style)
    part.imports.forEach(follow)
    for (const later of part.dynamicImports) {
      const next = bundle[later]
      const module = (next?.type === 'chunk' && next.facadeModuleId) || later
      if (!NOT_ABOARD.test(module) || ABOARD.test(module)) follow(later)
    }
  }
  follow(entry.fileName)
  return [...files]
}

/** Bundles one script without imports, which every browser supports. */
async function buildWorker(written: Record<string, unknown>): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: Object.fromEntries(
      Object.entries(written).map(([name, value]) => [name, JSON.stringify(value)]),
    ),
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: WORKER, output: { format: 'iife' } },
    },
  })
  const [{ output }] = [built].flat() as [Rolldown.RolldownOutput]
  return output[0].code
}
