import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')

/** What `npm start` and `npm run serve` run: app/server/main.ts and all that it imports of ours, as JavaScript. */
export const SERVER_FILE = path.join(root, 'build', 'server.js')

/**
 * Makes SERVER_FILE of the sources as they are now, some 60 ms; packages stay in node_modules. Running
 * the TypeScript by tsx would cost the server 45 MB and every start half a second (docs/performance.md).
 */
export async function buildServer() {
  // Not at the top: set-up imports this file before anything is installed.
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['app/server/main.ts'],
    outfile: SERVER_FILE,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    write: false,
  })
  const [{ text }] = outputFiles
  if (existsSync(SERVER_FILE) && readFileSync(SERVER_FILE, 'utf8') === text) return
  mkdirSync(path.dirname(SERVER_FILE), { recursive: true })
  // In one step: another start may be reading it.
  const draft = `${SERVER_FILE}.${process.pid}`
  writeFileSync(draft, text)
  renameSync(draft, SERVER_FILE)
}
