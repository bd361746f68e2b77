// Picks what `npm run test:changed` runs: tests next to a changed file, tests that import it, and its feature's browser
// journey. All server tests import the whole application, so Vitest's own --changed would run them all.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** A change to one of these can break anything. */
const EVERYTHING =
  /^(package(-lock)?\.json|(vite|vitest|playwright)\.config\.ts|tsconfig\.json|tests\/rig\/rig\.ts|tests\/e2e\/(rig|product|global-setup)\.ts|platform\/(server\/api|database\/database)\.ts)$/

/** A room's journey, for files whose path doesn't name one. */
const JOURNEYS = {
  accounts: 'account',
  app: 'routes',
  assessments: 'assessment',
  daily: 'daily',
  pages: 'pages',
  platform: 'routes',
  practice: 'practice',
  societies: 'console/assessments',
}

/** Files that differ from the upstream branch, and new ones, relative to `root`. `--since REF` sets another base. */
export function listChanged(root, since = argumentOf('--since')) {
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const lines = (text) => text.split('\n').filter(Boolean)
  let base = since
  try {
    base ??= git('merge-base', 'HEAD', '@{upstream}').trim()
  } catch {
    base = 'HEAD'
  }
  const files = [
    ...lines(git('diff', '--name-only', base)),
    ...lines(git('ls-files', '--others', '--exclude-standard')),
  ]
  return files.filter((file) => existsSync(path.join(root, file)))
}

function argumentOf(name) {
  const place = process.argv.indexOf(name)
  return place < 0 ? undefined : process.argv[place + 1]
}

/**
 * @param changed paths relative to `root`
 * @returns the files for each runner; null for all of them
 */
export function pickTests(changed, root) {
  const toFormat = changed.filter((file) => /\.(ts|tsx|mjs|css|json)$/.test(file))
  if (changed.some((file) => EVERYTHING.test(file))) {
    return { vitest: null, playwright: null, toFormat }
  }
  const all = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\n')
  const tests = all.filter((file) => file.endsWith('.test.ts') && existsSync(path.join(root, file)))
  const specs = all.filter((file) => file.startsWith('tests/e2e/') && file.endsWith('.spec.ts'))
  const texts = new Map(tests.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]))
  const isInVitest = (file) =>
    !/^tests\/(engines|cluster|hostile|rush|faults\/full-length)\//.test(file)
  const vitest = tests.filter(
    (test) => isInVitest(test) && changed.some((file) => isTestOf(test, texts.get(test), file)),
  )
  const playwright = changed.flatMap((file) => journeysOf(file, specs))
  return { vitest, playwright: [...new Set(playwright)], toFormat }
}

/** Whether a test is the file, is in its folder, or imports it. */
function isTestOf(test, text, file) {
  if (!/\.(ts|tsx|mjs)$/.test(file)) return false
  if (test === file) return true
  const isProduct = /^(platform|pages|accounts|practice|daily|assessments|societies|app)\//.test(
    file,
  )
  if (
    isProduct &&
    file.includes('/', file.indexOf('/') + 1) &&
    path.dirname(test) === path.dirname(file)
  ) {
    return true
  }
  const from = path.posix.relative(path.dirname(test), file)
  return text.includes(`'${from.startsWith('.') ? from : `./${from}`}'`)
}

/** Specs that match names in a file's path, otherwise its room's. */
function journeysOf(file, specs) {
  if (specs.includes(file)) return [file]
  const [room = '', ...rest] = file.split('/')
  if (!(room in JOURNEYS) || !rest.includes('web') || /\.test\.ts$/.test(file)) return []
  const words = new Set(rest.flatMap((part) => [part, part.replace(/\.tsx?$/, '')]))
  const named = specs.filter(
    (spec) =>
      words.has(path.basename(spec, '.spec.ts')) &&
      spec.includes('/console/') === (room === 'societies'),
  )
  return named.length > 0 ? named : [`tests/e2e/${JOURNEYS[room]}.spec.ts`]
}

/** Hashes names and contents of all files that git lists under some folders. */
export function hashFiles(root, folders) {
  const hash = createHash('sha256')
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of files
    .split('\n')
    .filter((name) => name && existsSync(path.join(root, name)))) {
    hash.update(file).update(readFileSync(path.join(root, file)))
  }
  return hash.digest('hex')
}
