import { defineConfig } from '@playwright/test'
import { findBrowser } from './tools/browser.mjs'

/** Whether this is `npm run test:full`. */
const isFull = process.env.TEST_FULL === '1'
/** Whether the whole browser runs instead of its headless shell, as a stage of `npm run test:full`. */
const isWhole = process.env.TEST_WHOLE === '1'

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/global-setup.ts',
  testMatch: '**/*.spec.ts',
  fullyParallel: true,
  workers: 2,
  // The full suite looks at each screen four times, and the whole browser takes twice as long as its shell.
  timeout: isFull || isWhole ? 180_000 : 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  // docs/testing.md says what is tagged how.
  grep: isWhole ? /@whole/ : undefined,
  grepInvert: isWhole ? undefined : isFull ? /@whole-only/ : /@full|@whole-only/,
  // The JSON goes to the file PLAYWRIGHT_JSON_OUTPUT_NAME, from which tools/test.mjs counts.
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['dot'], ['json']] : 'list',
  use: {
    // Playwright keeps one page for all tests of a worker and empties it in between: a new page costs a second of
    // processor time.
    reuseContext: !isWhole,
    locale: 'en-US',
    timezoneId: 'Europe/Lisbon',
    // A worker would answer from its cache what a test has changed; offline.spec.ts lets it.
    serviceWorkers: 'block',
    // Pictures of what went wrong.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findBrowser({ isHeadless: !isWhole }) ?? undefined,
      args: [
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A browser without a window has nothing to ask a person with, so the answer is given in advance.
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        // Chromium's own sandbox refuses root, as in most containers.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
  },
})
