import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Matches uses of the fields that app/build/lean-contract.ts removes, by common prefixes of endpoint names. */
const READ =
  /(?<!typeof )\b(?:get|list|save|find|put|start|change)[A-Z]\w*\.(params|query|response)\b/

it('no screen reads a field that the built application leaves out', () => {
  const files = execFileSync('git', ['ls-files', '*/web/*.ts', '*/web/*.tsx'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file && !/\.test\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => READ.test(readFileSync(file, 'utf8')))).toEqual([])
})
