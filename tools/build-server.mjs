import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')

/** What `npm start` and `npm run serve` run: app/server/main.ts with all our modules that it imports, as JavaScript. */
export const SERVER_FILE = path.join(root, 'build', 'server.js')

/** The command line next to it, for images without tsx (decision 043). */
export const ADMIN_FILE = path.join(root, 'build', 'admin.js')
const COMMANDS = { admin: 'app/command/admin.ts' }

/** Code for separate threads. platform/server/threads/start-thread.ts starts them by these names. */
const THREADS = {
  'reading-thread': 'societies/questions/server/exchange/reading-thread.ts',
  'writing-thread': 'platform/server/documents/writing-thread.ts',
}

/**
 * Builds SERVER_FILE from the current sources in about 60 ms. Packages stay in node_modules. With tsx, the server would
 * take 45 MB more and each start half a second longer (docs/performance.md). Threads include the parts of packages that
 * they use, because loading whole packages would take most of their start.
 */
export async function buildServer() {
  // Imported here because setup imports this file before any package is installed.
  const { build } = await import('esbuild')
  const options = {
    absWorkingDir: root,
    outdir: path.dirname(SERVER_FILE),
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    write: false,
  }
  const main = {
    server: 'app/server/main.ts',
    // This is a thread too, but loads the same packages as the server.
    'pulse-thread': 'assessments/server/pulse/pulse-thread.ts',
    ...COMMANDS,
  }
  const built = await Promise.all([
    build({ ...options, entryPoints: main, packages: 'external' }),
    // pdfkit reads files of its own folder, and yaml loads its parts dynamically.
    build({ ...options, entryPoints: THREADS, external: ['pdfkit', 'yaml'] }),
  ])
  for (const { path: file, text } of built.flatMap(({ outputFiles }) => outputFiles)) {
    replaceFile(file, text)
  }
}

function replaceFile(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  mkdirSync(path.dirname(file), { recursive: true })
  // Renamed into place, because another start may be reading the file.
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text)
  renameSync(draft, file)
}
