import { defineConfig } from '@playwright/test'
import { findBrowser } from './tools/browser.mjs'

/** Whether this is `npm run test:full`. */
const isFull = process.env.TEST_FULL === '1'

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/global-setup.ts',
  testMatch: '**/*.spec.ts',
  fullyParallel: true,
  workers: 2,
  // The whole browser takes twice as long as its headless shell, and looks at each screen four times.
  timeout: isFull ? 180_000 : 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  // `npm test` leaves out what docs/testing.md gives to the nights.
  grepInvert: isFull ? undefined : /@full/,
  // The JSON goes to the file PLAYWRIGHT_JSON_OUTPUT_NAME, from which tools/test.mjs counts.
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['dot'], ['json']] : 'list',
  use: {
    locale: 'en-US',
    timezoneId: 'Europe/Lisbon',
    // A worker would answer from its cache what a test has changed; offline.spec.ts lets it.
    serviceWorkers: 'block',
    // Pictures of what went wrong.
    screenshot: 'only-on-failure',
    launchOptions: {
      // The full suite sees the whole browser.
      executablePath: findBrowser({ isHeadless: !isFull }) ?? undefined,
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
