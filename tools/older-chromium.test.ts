import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findOlderChromium } from './older-chromium.mjs'

let folder: string
let cache: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'older-chromium-'))
  cache = path.join(folder, 'cache')
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const machine = 'linux-x64'
/** Writes an executable script. */
function script(file: string, text: string): string {
  writeFileSync(file, `#!/bin/sh\n${text}\n`)
  chmodSync(file, 0o755)
  return file
}
function listen(): string[] {
  const said: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line) => void said.push(line))
  return said
}

it('an older Chromium that is in the cache is used without npm', async () => {
  mkdirSync(cache)
  const chromium = script(path.join(cache, 'chromium'), 'exit 0')
  const said = listen()
  expect(await findOlderChromium(folder, { cache, machine, npm: 'no-such-npm' })).toBe(chromium)
  expect(said).toEqual([])
})

it('an older Chromium that lacks system libraries is started with those of its package', async () => {
  mkdirSync(cache)
  script(path.join(cache, 'chromium'), 'exit 127')
  const withLibraries = script(path.join(cache, 'chromium-with-libraries'), 'exit 0')
  expect(await findOlderChromium(folder, { cache, machine })).toBe(withLibraries)
})

it.each([
  [
    'the machine is another',
    'darwin-arm64',
    '',
    'No older Chromium: there is none for darwin-arm64.',
  ],
  [
    'the registry does not answer',
    machine,
    'echo "npm error code ENOTFOUND" >&2; exit 1',
    'No older Chromium: npm error code ENOTFOUND.',
  ],
  [
    'the package is not the pinned one',
    machine,
    'for last; do :; done; echo other > "$last/package.tgz"; echo package.tgz',
    'No older Chromium: @sparticuz/chromium@149.0.0 is not the expected package.',
  ],
])(
  'without an older Chromium one line gives the reason: %s',
  async (_, machine, text, sentence) => {
    const said = listen()
    const npm = script(path.join(folder, 'npm'), text)
    expect(await findOlderChromium(folder, { cache, machine, npm })).toBeNull()
    expect(said.at(-1)).toBe(sentence)
    expect(existsSync(cache)).toBe(false)
    expect(readdirSync(folder)).toEqual(['npm'])
  },
)
