import { mkdirSync } from 'node:fs'
import { chromium } from '@playwright/test'

const base = 'http://localhost:4126'
const out = '/tmp/shots-cases'
mkdirSync(out, { recursive: true })
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const email = `shoot${Date.now()}@example.com`
const r = await fetch(base + '/auth/v1/signup', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ email, password: 'Correct-horse-9', data: { name: 'Shot' } }),
})
const session = await r.json()
if (!session.access_token) throw new Error(JSON.stringify(session))
const slugs = (process.argv[2] ?? 'ebitda-up-shops-no-busier').split(',')
for (const slug of slugs)
  for (const theme of ['light', 'dark'] as const)
    for (const width of [1440, 390, 1000, 320]) {
      if (theme === 'dark' && (width === 1000 || width === 320)) continue
      const ctx = await browser.newContext({
        viewport: { width, height: width <= 390 ? 844 : 900 },
        colorScheme: theme,
        timezoneId: 'Europe/Lisbon',
        reducedMotion: 'reduce',
      })
      await ctx.addInitScript(
        ([v, t]: string[]) => {
          localStorage.setItem('superday-auth', v!)
          localStorage.setItem('superday-theme', t!)
        },
        [JSON.stringify(session), theme],
      )
      const page = await ctx.newPage()
      page.on('console', (m) => m.type() === 'error' && console.log('console', m.text()))
      page.on('pageerror', (e) => console.log('pageerror', e.message))
      const shot = async (name: string) => {
        await page.screenshot({ path: `${out}/${slug.slice(0, 6)}-${name}-${width}-${theme}.png` })
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        if (over > 0) console.log('sideways', name, width, over)
      }
      await page.goto(base + '/cases')
      await page.waitForSelector('h2')
      await shot('list')
      await page.goto(base + '/cases/' + slug)
      await page.waitForSelector('.case-question h1')
      await page.waitForTimeout(300)
      await shot('q1')
      await page.keyboard.press('b')
      await page.keyboard.press('Enter')
      await page.keyboard.press('c')
      if (width >= 900) {
        for (const i of [3, 5]) await page.locator('.exhibit tbody button').nth(i).click()
      } else {
        await page.locator('.case-pull').click()
        await page.locator('.exhibit tbody button').nth(1).click()
      }
      await shot('q2')
      if (width >= 900)
        await page.screenshot({
          path: `${out}/${slug.slice(0, 6)}-q2full-${width}-${theme}.png`,
          fullPage: true,
        })
      else {
        await page.keyboard.press('Escape')
        await shot('q2closed')
      }
      await page.locator('.case-question h1').focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Previous' }).click()
      await shot('locked')
      await page.locator('.case-question h1').focus()
      await page.keyboard.press('Enter')
      for (const k of ['a', 'b', 'd']) {
        await page.locator('.case-question h1').focus()
        await page.keyboard.press(k)
        await page.keyboard.press('Enter')
      }
      await page.waitForSelector('.case-end')
      await page.waitForTimeout(300)
      await shot('end')
      await page.screenshot({
        path: `${out}/${slug.slice(0, 6)}-endfull-${width}-${theme}.png`,
        fullPage: true,
      })
      await ctx.close()
    }
await browser.close()
