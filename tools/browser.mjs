import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

/** The same engine without a window, which halves the processor time per page. */
const HEADLESS_NAMES = ['chromium-headless-shell', 'chrome-headless-shell']
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const FIXED_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * The browser for the tests: CHROME_PATH, an installed Chrome or Chromium, or Playwright's; or null.
 * @param options.isHeadless prefers one without a window
 */
export function findBrowser({ isHeadless = false } = {}) {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  const placesOf = (name) => folders.map((folder) => path.join(folder, name))
  const onPath = [...(isHeadless ? HEADLESS_NAMES : []), ...NAMES].flatMap(placesOf)
  return (
    [process.env.CHROME_PATH, ...onPath, ...FIXED_PLACES, ...playwrightBrowsers()].find(
      (file) => file && isExecutable(file),
    ) ?? null
  )
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function playwrightBrowsers() {
  const folders = [
    process.env.PLAYWRIGHT_BROWSERS_PATH,
    path.join(homedir(), '.cache', 'ms-playwright'),
    path.join(homedir(), 'Library', 'Caches', 'ms-playwright'),
  ]
  return folders
    .filter((folder) => folder && existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true })
        .filter((name) => /(^|[\\/])(chrome|Chromium|Google Chrome for Testing)$/.test(name))
        .map((name) => path.join(folder, name)),
    )
}

/** Installs a browser with the system's package manager if permitted, otherwise Playwright's. */
export function installBrowser(root) {
  console.log('Installing a browser for the tests …')
  const attempts = []
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    attempts.push(
      ['apt-get', ['update', '-qq']],
      [
        'apt-get',
        ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'chromium-headless-shell'],
      ],
    )
  }
  attempts.push([
    process.execPath,
    [path.join(root, 'node_modules', 'playwright', 'cli.js'), 'install', 'chromium'],
  ])
  for (const [command, args] of attempts) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env })
    if (findBrowser()) return
  }
  console.error(
    'The browser tests need Chrome or Chromium, and none could be installed here. Install one (on Debian: apt-get install chromium) or set CHROME_PATH to it, then run npm test again.',
  )
  process.exit(1)
}
