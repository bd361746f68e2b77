import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT_DIR } from '../../platform/server/project-folder.ts'

it('every test that docs/security.md names exists', () => {
  const text = readFileSync(path.join(PROJECT_DIR, 'docs', 'security.md'), 'utf8')
  const rows = text.split('\n').filter((line) => line.includes('.test.ts`:'))
  const missing: string[] = []
  let named = 0
  for (const row of rows) {
    for (const [, file, list] of row.matchAll(/`([\w/-]+\.test\.ts)`: ((?:“[^”]+”(?:, )?)+)/g)) {
      const source = readFileSync(path.join(PROJECT_DIR, file as string), 'utf8')
      for (const [, title] of (list as string).matchAll(/“([^”]+)”/g)) {
        named += 1
        if (!source.includes(title as string)) missing.push(`${file}: ${title}`)
      }
    }
  }
  expect(missing).toEqual([])
  expect(named).toBeGreaterThan(40)
})

it.each(['testing.md', 'security.md'])('every test file that docs/%s names exists', (page) => {
  const text = readFileSync(path.join(PROJECT_DIR, 'docs', page), 'utf8')
  const named = [...text.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, file]) => file as string)
  expect(named.filter((file) => !existsSync(path.join(PROJECT_DIR, file)))).toEqual([])
  expect(named.length).toBeGreaterThan(30)
})
