import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** What app/build/lean-contract.ts leaves out of an endpoint, by the usual beginnings of their names. */
const READ =
  /(?<!typeof )\b(?:get|list|save|find|put|start|change)[A-Z]\w*\.(params|query|response)\b/

it('no screen reads a shape that the built application leaves out', () => {
  const files = execFileSync('git', ['ls-files', '*/web/*.ts', '*/web/*.tsx'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file && !/\.test\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => READ.test(readFileSync(file, 'utf8')))).toEqual([])
})
