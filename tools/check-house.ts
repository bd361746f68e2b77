import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'

// Checks who imports whom (docs/architecture.md). A cruise that read nothing finds nothing wrong, so the
// files it saw are compared with the files that git lists.
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*/*'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => existsSync(file))
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.startsWith('content/'))
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
console.log(`house: ${listed.length} files, ${summary.violations.length} violations`)
process.exitCode = summary.violations.length > 0 || unseen.length > 0 ? 1 : 0
