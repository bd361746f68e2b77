import { defineConfig } from '@playwright/test'
import { findBrowser } from './tools/browser.mjs'

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/global-setup.ts',
  testMatch: '**/*.spec.ts',
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  // `npm test` leaves out what docs/testing.md gives to the nights.
  grepInvert: process.env.TEST_FULL === '1' ? undefined : /@full/,
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
      executablePath: findBrowser() ?? undefined,
      args: [
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Chromium's own sandbox refuses root, as in most containers.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
  },
})
