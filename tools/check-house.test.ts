/**
 * Tests what the house check finds. npm test runs the check itself.
 * @module-tag full
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PROJECT_DIR } from '../platform/server/project-folder.ts'

/** The check runs in its own process, possibly on a busy machine. */
const TIMEOUT_MS = 30_000

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'superday house '))
  for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json']) {
    cpSync(path.join(PROJECT_DIR, file), path.join(folder, file))
  }
  cpSync(path.join(PROJECT_DIR, 'tools', 'rooms.json'), path.join(folder, 'tools', 'rooms.json'))
  execFileSync('git', ['init', '-q'], { cwd: folder })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function build(files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
  }
}

function check(): { status: number | null; output: string } {
  const script = path.join(PROJECT_DIR, 'tools', 'check-house.ts')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), script],
    { cwd: folder, encoding: 'utf8' },
  )
  return { status, output: stdout + stderr }
}

const THING = 'export const thing = 1\nexport type Thing = number\n'
const uses = (from: string) => `import { thing } from '${from}'\nexport const used = thing\n`
const usesType = (from: string) =>
  `import type { Thing } from '${from}'\nexport type Used = Thing\n`

it(
  'the house check passes a tree without violations',
  () => {
    build({
      'platform/server/api.ts': THING,
      'practice/streak.ts': THING,
      'practice/server/tables.ts': THING,
      'practice/server/day-store.ts': uses('../../platform/server/api.ts'),
      'practice/web/card.tsx': uses('../streak.ts'),
      'daily/server/daily.ts': `${uses('../../practice/server/tables.ts')}${usesType('../../practice/streak.ts')}`,
      'app/web/dashboard.tsx': usesType('../../practice/web/card.tsx').replace(
        'Thing }',
        'used as Thing }',
      ),
      'daily/server/daily.test.ts': uses('../../app/web/dashboard.tsx'),
    })
    const { status, output } = check()
    expect(output).toContain('0 violations')
    expect(status).toBe(0)
  },
  TIMEOUT_MS,
)

/** One project with every violation that the check knows: description, rule, importer, imported. */
const FAULTS: [what: string, rule: string, from: string, to: string, type?: 'type'][] = [
  [
    'a room imports one above it',
    'practice-imports-rooms-below-it',
    'practice/server/bank.ts',
    'app/server/app.ts',
  ],
  [
    'so does a type alone',
    'platform-imports-rooms-below-it',
    'platform/endpoint.ts',
    'accounts/contract.ts',
    'type',
  ],
  [
    'a room reaches behind the root of another feature',
    'another-feature-through-its-root',
    'daily/server/daily.ts',
    'practice/server/bank.ts',
  ],
  [
    'a screen imports the server',
    'web-without-server',
    'daily/web/card.tsx',
    'daily/server/deal.ts',
    'type',
  ],
  [
    'the server imports a screen',
    'server-without-web',
    'accounts/server/user.ts',
    'accounts/web/auth.tsx',
  ],
  ['a root imports one of its sides', 'roots-are-pure', 'daily/archive.ts', 'daily/server/deal.ts'],
  [
    'the product imports a rig of the tests',
    'nothing-imports-tests-or-tools',
    'pages/server/contact.ts',
    'tests/rig/rig.ts',
  ],
]

it(
  'the house check reports every violation under its rule',
  () => {
    const files: Record<string, string> = {
      'assessments/paper.ts':
        "import { readFileSync } from 'node:fs'\nexport const text = readFileSync('a')\n",
      'societies/server/one.ts': `${THING}${usesType('./two.ts')}`,
      'societies/server/two.ts': `${THING}${usesType('./one.ts')}`,
    }
    for (const [, , , to] of FAULTS) files[to] = THING
    files['bench/long.ts'] = 'export {}\n'.repeat(401)
    files['bench/known.ts'] = `// Long because it is.\n${'export {}\n'.repeat(401)}`
    for (let n = 0; n < 26; n += 1) files[`tests/many/one${n}.ts`] = 'export {}\n'
    for (const [, , from, to, type] of FAULTS) {
      const specifier = `./${path.relative(path.dirname(from), to)}`
      files[from] = `${files[from] ?? ''}${type ? usesType(specifier) : uses(specifier)}`
    }
    build(files)
    const { status, output } = check()
    for (const [what, rule, from, to] of FAULTS)
      expect(output, what).toContain(`${rule}: ${from} → ${to}`)
    expect(output).toContain('roots-without-io: assessments/paper.ts → fs')
    expect(output).toContain('no-circles: societies/server/one.ts → societies/server/two.ts')
    expect(output).toContain("too long: bench/long.ts has 401 lines and no 'Long because'")
    expect(output).not.toContain('bench/known.ts')
    expect(output).toContain('too full: tests/many has 26 files')
    expect(status).toBe(1)
  },
  TIMEOUT_MS,
)

it(
  'the house check fails for a listed file that it did not read',
  () => {
    build({ 'daily/archive.ts': THING, 'daily/web/.hidden/odd.ts': THING })
    writeFileSync(
      path.join(folder, '.dependency-cruiser.cjs'),
      "const config = require('./whole.cjs')\nmodule.exports = { ...config, options: { ...config.options, exclude: 'odd' } }\n",
    )
    cpSync(path.join(PROJECT_DIR, '.dependency-cruiser.cjs'), path.join(folder, 'whole.cjs'))
    const { status, output } = check()
    expect(output).toContain('not read: daily/web/.hidden/odd.ts')
    expect(status).toBe(1)
  },
  TIMEOUT_MS,
)

it(
  'the house check reports oversized files and folders, unless a long file gives a reason',
  () => {
    const lines = (count: number) => `${'export {}\n'.repeat(count)}`
    build({
      'daily/archive.ts': lines(400),
      'daily/deal.ts': lines(401),
      'daily/streak.ts': `// Long because it is a table.\n${lines(401)}`,
      'daily/web/card.css': `/*\n * Cards.\n * Long because they are many.\n */\n${'a {}\n'.repeat(401)}`,
      'daily/web/dial.css': `/* Not long because of anything. */\n${'a {}\n'.repeat(401)}`,
      ...Object.fromEntries(
        Array.from({ length: 26 }, (_, n) => [`practice/server/part-${n}.ts`, THING]),
      ),
      ...Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`daily/server/p${n}.ts`, THING])),
      ...Object.fromEntries(
        Array.from({ length: 30 }, (_, n) => [`app/web/public/picture-${n}.svg`, '<svg/>']),
      ),
    })
    const { status, output } = check()
    expect(output.match(/^too .*$/gm)).toEqual([
      "too long: daily/web/dial.css has 402 lines and no 'Long because'",
      "too long: daily/deal.ts has 401 lines and no 'Long because'",
      'too full: practice/server has 26 files',
    ])
    expect(output).toContain('3 violations')
    expect(status).toBe(1)
  },
  TIMEOUT_MS,
)
