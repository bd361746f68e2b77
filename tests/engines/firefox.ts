import { setTimeout as wait } from 'node:timers/promises'
import { launch } from 'puppeteer-core'
import type { Engine, Tab } from './tab.ts'

/** Starts Firefox, driven by WebDriver BiDi. */
export async function startFirefox(executablePath: string): Promise<Engine> {
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: {
      // Firefox must not load anything by itself during the tests.
      'app.normandy.enabled': false,
      'datareporting.healthreport.uploadEnabled': false,
      'toolkit.telemetry.enabled': false,
      'browser.safebrowsing.downloads.remote.enabled': false,
    },
  })
  return {
    name: 'Firefox',
    leastWidth: 300,
    canStay: true,
    open: async (url) => openTab(await browser.createBrowserContext(), url),
    close: () => browser.close(),
  }
}

type Context = Awaited<ReturnType<Awaited<ReturnType<typeof launch>>['createBrowserContext']>>

async function openTab(context: Context, url: string): Promise<Tab> {
  const page = await context.newPage()
  let mistakes: string[] = []
  page.on('pageerror', (error) => void mistakes.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') mistakes.push(message.text())
  })
  // Dialogs are answered automatically, because an unexpected one would block the tests.
  let answer: 'stay' | 'leave' = 'leave'
  page.on('dialog', (dialog) => void (answer === 'leave' ? dialog.accept() : dialog.dismiss()))

  return {
    async go(to) {
      await page.goto(new URL(to, url).href)
    },
    run: (act, ...args) => page.evaluate(act as never, ...args) as never,
    async pressAt(x, y, how = 'left') {
      if (how === 'finger') await page.touchscreen.tap(x, y)
      else await page.mouse.click(x, y, { button: how })
    },
    async keys(...keys) {
      const last = keys.pop() as never
      for (const key of keys) await page.keyboard.down(key as never)
      await page.keyboard.press(last)
      for (const key of keys.reverse()) await page.keyboard.up(key as never)
    },
    async type(text) {
      await page.keyboard.type(text)
    },
    async reload(given) {
      answer = given
      const asked = new Promise((resolve) => page.once('dialog', resolve))
      const done = page.reload()
      // A page that stays loads nothing, and the command would wait for that until its timeout.
      if (given === 'stay') {
        done.catch(() => {})
        await asked
      } else await done
      answer = 'leave'
    },
    async tryAgain() {
      await page.reload()
    },
    async elsewhere(ms) {
      const other = await context.newPage()
      await other.bringToFront()
      await wait(ms)
      await other.close()
      await page.bringToFront()
    },
    async resize(width, height) {
      await page.setViewport({ width, height })
    },
    async picture(file) {
      await page.screenshot({ path: file as `${string}.png` })
    },
    async mistakes() {
      const told = mistakes
      mistakes = []
      return told
    },
    async close() {
      await context.close()
    },
  }
}
