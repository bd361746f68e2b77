import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const ASSETS = path.join(import.meta.dirname, '../../../dist/assets')

it('The page of the design system is not in the built product', () => {
  expect(existsSync(ASSETS), 'dist/ is there (npm test builds it)').toBe(true)
  const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'))
  const scriptsWith = (text: string) =>
    scripts.filter((name) => readFileSync(path.join(ASSETS, name), 'utf8').includes(text))
  // A text of another page is found, so this one would be too.
  expect(scriptsWith('Personal Hub')).not.toEqual([])
  expect(scriptsWith('Design system')).toEqual([])
})
