import { execFileSync } from 'node:child_process'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'

// Checks who imports whom. A cruise that read nothing finds nothing wrong, so the files it saw are
// compared with the files that git lists.
const FOLDERS = ['shared', 'server', 'db', 'web', 'tools', 'tests', 'bench']
const { options, ...rules } = await extractConfig('./.dependency-cruiser.cjs')
const { output } = await cruise(FOLDERS, { ...options, ruleSet: rules, validate: true })
const { modules, summary } = output as ICruiseResult

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...FOLDERS], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
const seen = new Set(modules.map((module) => module.source))
const unseen = listed.filter((file) => !seen.has(file))

for (const violation of summary.violations) {
  console.error(`${violation.rule.name}: ${violation.from} → ${violation.to}`)
}
for (const file of unseen) console.error(`not read: ${file}`)
console.log(`layers: ${listed.length} files, ${summary.violations.length} violations`)
process.exitCode = summary.violations.length > 0 || unseen.length > 0 ? 1 : 0
