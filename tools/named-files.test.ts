import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT_DIR } from '../platform/server/project-folder.ts'

// A document or comment that names a deleted file misleads its reader.
const ROOTS =
  'platform|pages|accounts|practice|daily|assessments|societies|app|tests|tools|bench|docs|content'
const NAMED = new RegExp(
  `(?<![\\w./-])(?:${ROOTS})/[\\w./-]+\\.(?:ts|tsx|mjs|cjs|css|md|yaml|sql|txt|csv)\\b`,
  'g',
)

it('every file that a document or a comment names exists', () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: PROJECT_DIR,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.(md|ts|tsx|mjs|cjs|css|yaml)$/.test(file))
    // This test creates example projects.
    .filter((file) => file !== 'tools/check-house.test.ts')
    .filter((file) => existsSync(path.join(PROJECT_DIR, file)))
  const missing: string[] = []
  let named = 0
  for (const file of files) {
    const text = readFileSync(path.join(PROJECT_DIR, file), 'utf8')
    for (const [name] of text.matchAll(NAMED)) {
      named += 1
      // Some names are relative to content/.
      const places = [name, path.join('content', name)]
      if (!places.some((place) => existsSync(path.join(PROJECT_DIR, place))))
        missing.push(`${file}: ${name}`)
    }
  }
  expect(missing).toEqual([])
  expect(named).toBeGreaterThan(200)
})
