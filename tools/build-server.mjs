import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')

/** What `npm start` and `npm run serve` run: app/server/main.ts and all that it imports of ours, as JavaScript. */
export const SERVER_FILE = path.join(root, 'build', 'server.js')

/** The command line beside it, for images without tsx (decision 043). */
export const ADMIN_FILE = path.join(root, 'build', 'admin.js')
const COMMANDS = { admin: 'app/command/admin.ts' }

/** What runs in threads of their own, beside it (platform/server/threads/start-thread.ts starts them by these names). */
const THREADS = {
  'reading-thread': 'societies/questions/server/exchange/reading-thread.ts',
  'writing-thread': 'platform/server/documents/writing-thread.ts',
}

/**
 * Makes SERVER_FILE of the sources as they are now, some 60 ms; packages stay in node_modules. Running
 * the TypeScript by tsx would cost the server 45 MB and every start half a second (docs/performance.md).
 * Threads hold the parts of their packages that they use: reading whole packages would take most of each start.
 */
export async function buildServer() {
  // Not at the top: set-up imports this file before anything is installed.
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
    // A thread too, with the same packages as the server.
    'pulse-thread': 'assessments/server/pulse/pulse-thread.ts',
    ...COMMANDS,
  }
  const built = await Promise.all([
    build({ ...options, entryPoints: main, packages: 'external' }),
    // pdfkit reads files of its own folder, and yaml asks for its parts as it goes.
    build({ ...options, entryPoints: THREADS, external: ['pdfkit', 'yaml'] }),
  ])
  for (const { path: file, text } of built.flatMap(({ outputFiles }) => outputFiles)) {
    replaceFile(file, text)
  }
}

function replaceFile(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  mkdirSync(path.dirname(file), { recursive: true })
  // In one step: another start may be reading it.
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text)
  renameSync(draft, file)
}
