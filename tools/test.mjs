// npm test: everything that must hold, the quick checks first. Stops at the first stage that fails.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')
const reports = mkdtempSync(path.join(tmpdir(), 'superday-reports-'))
const vitestReport = path.join(reports, 'vitest.json')
const enginesReport = path.join(reports, 'engines.json')
const playwrightReport = path.join(reports, 'playwright.json')

const bin = (name, file) => path.join('node_modules', name, file)
const CHECKS = {
  'format and lint': [bin('@biomejs/biome', 'bin/biome'), 'check', '--error-on-warnings', '.'],
  types: [bin('typescript', 'bin/tsc'), '--noEmit'],
  house: ['--import', 'tsx', 'tools/check-house.ts'],
  content: ['--import', 'tsx', 'tools/content.ts', 'check'],
  spelling: [bin('cspell', 'bin.mjs'), '--no-progress', '--no-summary', 'content/**/*.{yaml,md}'],
}

const started = Date.now()
let failed = 0

const results = await Promise.all(
  Object.entries(CHECKS).map(async ([name, args]) => ({ name, ...(await runQuietly(args)) })),
)
for (const { name, status, output } of results) {
  if (status !== 0 || process.env.VERBOSE) process.stdout.write(output)
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`)
  if (status !== 0) failed += 1
}
if (failed > 0) finish()

await runStage('unit and server tests', [
  bin('vitest', 'vitest.mjs'),
  'run',
  '--reporter=dot',
  '--reporter=json',
  `--outputFile.json=${vitestReport}`,
  '--reporter=./tools/second-tries.ts',
])
if (failed > 0) finish()
await runStage('browser tests', [bin('@playwright/test', 'cli.js'), 'test'])
if (failed > 0) finish()
await runStage('other engines', [
  bin('vitest', 'vitest.mjs'),
  'run',
  '--config=tests/engines/vitest.config.ts',
  '--reporter=dot',
  '--reporter=json',
  `--outputFile.json=${enginesReport}`,
  '--reporter=./tools/second-tries.ts',
])
finish()

/** Runs one stage with its output as it comes. */
async function runStage(name, args) {
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport }
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  })
  const status = await new Promise((resolve) => child.on('close', resolve))
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}`)
  if (status !== 0) failed += 1
}

function runQuietly(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.on('close', (status) => resolve({ status, output }))
  })
}

/** The closing line: how many tests ran, from the runners' own reports. */
function finish() {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const vitest of [vitestReport, enginesReport].map(readReport)) {
    if (!vitest) continue
    counts.passed += vitest.numPassedTests
    counts.failed += vitest.numFailedTests
    counts.skipped += vitest.numPendingTests
    for (const name of failedNames(vitest)) console.log(`failed: ${name}`)
  }
  const playwright = readReport(playwrightReport)
  if (playwright) {
    counts.passed += playwright.stats.expected + playwright.stats.flaky
    counts.failed += playwright.stats.unexpected
    counts.skipped += playwright.stats.skipped
    for (const title of titlesWith('unexpected', playwright.suites)) console.log(`failed: ${title}`)
    for (const title of titlesWith('flaky', playwright.suites))
      console.log(`only at the second try: ${title}`)
  }
  rmSync(reports, { recursive: true, force: true })
  console.log(`in ${Math.round((Date.now() - started) / 1000)} s`)
  console.log(`tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  process.exit(failed > 0 || counts.failed > 0 || counts.passed === 0 ? 1 : 0)
}

/** Unit and server tests that failed, each with its file: the last lines say what to look for. */
function failedNames({ testResults }) {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = path.relative(root, name)
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length === 0 && message) return [file]
    return failed.map(({ fullName }) => `${file}: ${fullName}`)
  })
}

/** Browser tests that ended so: 'unexpected' failed, 'flaky' failed once and passed then. */
function titlesWith(status, suites = []) {
  return suites.flatMap((suite) => [
    ...(suite.specs ?? [])
      .filter((spec) => spec.tests.some((test) => test.status === status))
      .map((spec) => `${spec.file}:${spec.line}: ${spec.title}`),
    ...titlesWith(status, suite.suites),
  ])
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}
