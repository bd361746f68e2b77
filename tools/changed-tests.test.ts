import { describe, expect, it } from 'vitest'
import { PROJECT_DIR } from '../platform/server/project-folder.ts'
import { pickTests } from './changed-tests.mjs'

const CASES: [changed: string, vitest: string | null, journey: string | null][] = [
  ['practice/streak.ts', 'practice/streak.test.ts', null],
  ['practice/web/due/due.tsx', null, 'tests/e2e/practice/due.spec.ts'],
  ['practice/web/nothing-named-so/some.svg', null, 'tests/e2e/practice.spec.ts'],
  ['tests/e2e/daily.spec.ts', null, 'tests/e2e/daily.spec.ts'],
  ['accounts/server/retention.test.ts', 'accounts/server/retention.test.ts', null],
]

describe('A change', () => {
  it.each(CASES)('of %s runs the test %s and the journey %s', (file, vitest, journey) => {
    const picked = pickTests([file], PROJECT_DIR)
    if (vitest) expect(picked.vitest).toContain(vitest)
    else expect(picked.vitest).toEqual([])
    expect(picked.playwright).toEqual(journey ? [journey] : [])
  })

  it('of the lock file runs everything', () => {
    const { vitest, playwright } = pickTests(['package-lock.json'], PROJECT_DIR)
    expect([vitest, playwright]).toEqual([null, null])
  })
})
