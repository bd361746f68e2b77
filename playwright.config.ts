import { defineConfig } from '@playwright/test'
import { findBrowser } from './tools/browser.mjs'

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  // A busy machine can make a browser miss a beat. Whatever needed the second try is named at the end
  // (tools/test.mjs), and is a bug of the test or the product until it is understood.
  retries: 1,
  reporter: [['dot'], ['json']],
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
