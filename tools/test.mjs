// npm test, npm run test:full and npm run test:changed (docs/testing.md). Stages run in parallel as far as two cores
// allow. After a failure, no other stage starts.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { hashFiles, listChanged, pickTests } from './changed-tests.mjs'
import { findOlderChromium } from './older-chromium.mjs'

const root = path.join(import.meta.dirname, '..')
const reports = mkdtempSync(path.join(tmpdir(), 'superday-reports-'))
const reportOf = (name) => path.join(reports, `${name}.json`)
const bin = (name, file) => path.join('node_modules', name, file)
const cache = path.join(root, 'node_modules', '.cache', 'superday')

const isFull = process.argv.includes('--full')
const changed = process.argv.includes('--changed') ? pickTests(listChanged(root), root) : null
const started = Date.now()
let isFailed = false

process.chdir(root)
mkdirSync(cache, { recursive: true })
const stages = planStages()
const results = new Map()
await Promise.all(stages.map(passes))
finish()

/**
 * The stages in the order in which they start. `after` names stages that must pass first. `isLoud` shows all output,
 * otherwise only a failure's output is shown.
 */
function planStages() {
  const usual = [
    { name: 'build', args: ['tools/setup.mjs', '--web', '--browser'] },
    {
      name: 'types',
      args: [
        ...[bin('typescript-native', 'bin/tsc'), '--noEmit', '--incremental'],
        ...['--tsBuildInfoFile', path.join(cache, 'tsc.tsbuildinfo')],
      ],
    },
    planLint(changed?.toFormat ?? ['.']),
    { name: 'house', args: ['--import', 'tsx', 'tools/check-house.ts'], after: ['types'] },
    { name: 'words', args: ['--import', 'tsx', 'tools/check-words.ts'], after: ['types'] },
    { name: 'unused code', args: [bin('knip', 'bin/knip.js'), '--no-progress'], after: ['house'] },
    ...planContent(),
    planVitest(changed?.vitest),
    planPlaywright('browser tests', changed?.playwright),
  ]
  const nightly = [
    planPlaywright('tests in the whole browser', null, {
      after: ['browser tests'],
      env: async () => ({ TEST_WHOLE: '1', TEST_FULL: '' }),
    }),
    planPlaywright('journeys in an older Chromium', null, {
      after: ['tests in the whole browser'],
      env: async () => {
        const browser = await findOlderChromium(root)
        return browser && { CHROME_PATH: browser, TEST_FULL: '' }
      },
    }),
    planVitest(null, {
      name: 'other engines',
      args: ['--config=tests/engines/vitest.config.ts'],
      after: ['journeys in an older Chromium'],
    }),
  ]
  return [...usual, ...(isFull ? nightly : [])].filter((stage) => stage !== null)
}

function planLint(files) {
  if (files.length === 0) return null
  const args = [bin('@biomejs/biome', 'bin/biome'), 'check', '--error-on-warnings', ...files]
  return { name: 'format and lint', args }
}

/** The content checks, unless they already passed for the same content. */
function planContent() {
  const stamp = path.join(cache, 'content')
  const hash = hashFiles(root, ['content', 'tools/content', 'practice', 'pages', 'cspell.json'])
  const isChecked = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
  if (!isFull && isChecked) return []
  const done = new Set()
  const after = ['types']
  const onPass = (name) => {
    if (done.add(name).size === 2) writeFileSync(stamp, hash)
  }
  return [
    { name: 'content', args: ['--import', 'tsx', 'tools/content.ts', 'check'], after, onPass },
    {
      name: 'spelling',
      args: [bin('cspell', 'bin.mjs'), '--no-progress', '--no-summary', 'content/**/*.{yaml,md}'],
      after,
      onPass,
    },
  ]
}

/** @param files to run; null for all, an empty list for none */
function planVitest(files, { name = 'unit and server tests', args = [], after = ['build'] } = {}) {
  if (files?.length === 0) return null
  return {
    name,
    after,
    isLoud: true,
    args: [
      ...[bin('vitest', 'vitest.mjs'), 'run', ...args, ...(files ?? [])],
      ...(isFull ? [] : ['--tags-filter', '!full']),
      ...['--reporter=dot', '--reporter=json', `--outputFile.json=${reportOf(name)}`],
    ],
  }
}

/** @param files to run; null for all, an empty list for none */
function planPlaywright(name, files, { after = ['unit and server tests'], env } = {}) {
  if (files?.length === 0) return null
  return {
    name,
    after: ['build', ...after],
    isLoud: true,
    args: [bin('@playwright/test', 'cli.js'), 'test', ...(files ?? [])],
    env: async () => {
      const more = env ? await env() : {}
      return more && { PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf(name), ...more }
    },
  }
}

/** Runs a stage once, after the stages it needs passed. @returns whether it passed */
function passes(stage) {
  const known = results.get(stage.name) ?? runAfterNeeded(stage)
  results.set(stage.name, known)
  return known
}

async function runAfterNeeded(stage) {
  const needed = stages.filter(({ name }) => stage.after?.includes(name))
  const passed = await Promise.all(needed.map(passes))
  if (isFailed || passed.includes(false)) return false
  const env = stage.env ? await stage.env() : {}
  if (!env) return true
  const begun = Date.now()
  const status = await run(stage, env)
  console.log(
    `${status === 0 ? 'ok    ' : 'FAILED'} ${stage.name}, ${Math.round((Date.now() - begun) / 1000)} s`,
  )
  if (status === 0) stage.onPass?.(stage.name)
  else isFailed = true
  return status === 0
}

function run({ args, isLoud }, env) {
  return new Promise((resolve) => {
    const output = isLoud ? 'inherit' : 'pipe'
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', output, output],
      env: { ...process.env, ...(isFull ? { TEST_FULL: '1' } : {}), ...env },
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        text += chunk
      })
    }
    child.on('close', (status) => {
      if (status !== 0 || process.env.VERBOSE) process.stdout.write(text)
      resolve(status)
    })
  })
}

/** Prints what failed and how many tests ran, from the runners' own reports. */
function finish() {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const name of results.keys()) {
    const report = readReport(reportOf(name))
    if (report?.testResults) {
      counts.passed += report.numPassedTests
      counts.failed += report.numFailedTests
      counts.skipped += report.numPendingTests
      for (const title of failedTests(report)) console.log(`failed: ${title}`)
    } else if (report) {
      counts.passed += report.stats.expected + report.stats.flaky
      counts.failed += report.stats.unexpected
      counts.skipped += report.stats.skipped
      for (const title of failedSpecs(report.suites)) console.log(`failed: ${title}`)
    }
  }
  rmSync(reports, { recursive: true, force: true })
  console.log(`in ${Math.round((Date.now() - started) / 1000)} s`)
  console.log(`tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  process.exit(isFailed || counts.failed > 0 || (counts.passed === 0 && !changed) ? 1 : 0)
}

/** Unit and server tests that failed, each with its file. */
function failedTests({ testResults }) {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = path.relative(root, name)
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length === 0 && message) return [file]
    return failed.map(({ fullName }) => `${file}: ${fullName}`)
  })
}

/** Browser tests that failed, each with its location. */
function failedSpecs(suites = []) {
  return suites.flatMap((suite) => [
    ...(suite.specs ?? [])
      .filter((spec) => spec.tests.some((test) => test.status === 'unexpected'))
      .map((spec) => `${spec.file}:${spec.line}: ${spec.title}`),
    ...failedSpecs(suite.suites),
  ])
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}
