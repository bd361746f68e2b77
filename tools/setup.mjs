// Runs before npm start, npm test and others, on a clone without packages. It therefore has no dependencies.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { findBrowser, installBrowser } from './browser.mjs'
import { buildServer } from './build-server.mjs'

const root = path.join(import.meta.dirname, '..')

/** The rooms from bottom to top (docs/architecture.md). */
const ROOMS = JSON.parse(readFileSync(path.join(import.meta.dirname, 'rooms.json'), 'utf8'))

requireNode()
installPackages()
if (process.argv.includes('--web')) {
  buildWeb()
  await buildServer()
}
if (process.argv.includes('--browser') && !findBrowser({ isHeadless: true })) installBrowser(root)

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  // Checks package.json's "engines" by hand, because no package that could is installed yet.
  if (major >= 24 || (major === 22 && minor >= 13) || (major === 20 && minor >= 19)) return
  fail(`Superday needs Node 20.19, 22.13, 24 or later; this is ${process.versions.node}.`)
}

/** Installs all packages of package-lock.json, including development packages, unless they are installed. */
function installPackages() {
  if (isInstalled()) return
  console.log('Installing packages (once, about a minute) …')
  run('npm', ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'])
}

function isInstalled() {
  const wanted = readLock(path.join(root, 'package-lock.json'))
  const found = readLock(path.join(root, 'node_modules', '.package-lock.json'))
  if (!wanted || !found) return false
  return Object.entries(wanted).every(
    ([name, entry]) =>
      name === '' ||
      // Binaries for other platforms are optional and not installed.
      (entry.optional && !found[name]) ||
      found[name]?.version === entry.version,
  )
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return null
  }
}

/** Builds dist/ if its sources have changed. */
function buildWeb() {
  const stamp = path.join(root, 'dist', '.stamp')
  const hash = hashSources([
    ...ROOMS,
    'content/pages',
    // the landing page's questions
    'content/questions',
    'vite.config.ts',
    'package-lock.json',
  ])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  console.log('Building the web application …')
  run(process.execPath, [
    path.join('node_modules', 'vite', 'bin', 'vite.js'),
    'build',
    '--logLevel',
    'warn',
  ])
  compress(path.join(root, 'dist'))
  writeFileSync(stamp, hash)
}

function hashSources(sources) {
  const hash = createHash('sha256')
  for (const source of sources) {
    const full = path.join(root, source)
    const files = source.includes('.') ? [full] : listFiles(full).filter(isOfTheBrowser)
    for (const file of files) hash.update(path.relative(root, file)).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** Whether a file is used by the browser or its build, and not only by the server. */
function isOfTheBrowser(file) {
  return !/[\\/](server|database|command)[\\/]/.test(path.relative(root, file))
}

function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
}

/** Compresses each text file with Brotli and gzip, so that the server doesn't have to. */
function compress(folder) {
  for (const file of listFiles(folder)) {
    if (!/\.(js|css|svg|json|txt|webmanifest)$/.test(file)) continue
    const content = readFileSync(file)
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }))
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  }
}

function run(command, args) {
  // npm is a script on Windows, which needs a shell.
  const shell = process.platform === 'win32'
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell })
  if (error) fail(`${command} could not be started: ${error.message}`)
  if (status !== 0) fail(`${command} ${args.join(' ')} failed; see its message above.`)
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
