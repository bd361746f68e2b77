import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'

// Checks who imports whom (docs/architecture.md), and that no file or folder is too large to read. A cruise that read
// nothing reports nothing, so the files it read are compared with git's list.

/** Longer files give the reason: a line of their first comment starts with 'Long because'. */
const LINES_AT_MOST = 400
/** Maximum files per folder, except for folders with assets only. */
const FILES_AT_MOST = 25
const CARRIED_ALONG = /^content\/|\/(public|migrations)\//

const standing = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*/*'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => existsSync(file))
const listed = standing.filter(
  (file) => /\.(ts|tsx|mjs)$/.test(file) && !file.startsWith('content/'),
)
const folders = [...new Set(listed.map((file) => file.slice(0, file.indexOf('/'))))]

const { options, ...rules } = await extractConfig('./.dependency-cruiser.cjs')
const { output } = await cruise(folders, { ...options, ruleSet: rules, validate: true })
const { modules, summary } = output as ICruiseResult

const seen = new Set(modules.map((module) => module.source))
const unseen = listed.filter((file) => !seen.has(file))

for (const { rule, from, to, cycle } of summary.violations) {
  console.error(`${rule.name}: ${from} → ${cycle ? cycle.map(({ name }) => name).join(' → ') : to}`)
}
for (const file of unseen) console.error(`not read: ${file}`)
const grown = [...longFiles(), ...fullFolders()]
for (const sentence of grown) console.error(sentence)
const violations = summary.violations.length + grown.length
console.log(`house: ${listed.length} files, ${violations} violations`)
process.exitCode = violations > 0 || unseen.length > 0 ? 1 : 0

/** Files with too many lines that give no reason, longest first. */
function longFiles(): string[] {
  return standing
    .filter((file) => /\.(ts|tsx|mjs|css)$/.test(file) && !CARRIED_ALONG.test(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    .map(({ file, text }) => ({ file, text, lines: text.trimEnd().split('\n').length }))
    .filter(({ text, lines }) => lines > LINES_AT_MOST && !saysWhyLong(text))
    .sort((a, b) => b.lines - a.lines)
    .map(({ file, lines }) => `too long: ${file} has ${lines} lines and no 'Long because'`)
}

function saysWhyLong(text: string): boolean {
  const [comment = ''] = /^\/\*[\s\S]*?\*\/|^\/\/.*(\n\/\/.*)*/m.exec(text) ?? []
  return /^[ */]*Long because /m.test(comment)
}

/** Folders with too many files. Subfolders are counted separately. */
function fullFolders(): string[] {
  const counts = new Map<string, number>()
  for (const file of standing) {
    if (CARRIED_ALONG.test(file) || !folders.includes(file.slice(0, file.indexOf('/')))) continue
    const folder = path.posix.dirname(file)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > FILES_AT_MOST)
    .map(([folder, count]) => `too full: ${folder} has ${count} files`)
}
