import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Locator, type Page } from '@playwright/test'
import { quizUrl, resultsUrl, URLS } from '../platform/urls.ts'
import { findBrowser } from './browser.mjs'
import { photographAll } from './screenshots-all.ts'
import {
  type Account,
  CATEGORY,
  makeHistory,
  openContext,
  type Product,
  ROOT,
  show,
  startProduct,
  type Theme,
} from './screenshots-product.ts'

// Photographs the running product with a demo account that has a history.
//   npm run screenshots                    the pictures that the product itself shows
//   npm run screenshots -- --all [FOLDER]  every screen and state, both widths, both themes
const PUBLIC = path.join(ROOT, 'app', 'web', 'public')
const SLIDES = path.join(PUBLIC, 'screenshots')
/** What a slide shows, in CSS pixels, and the width of its picture (pages/web/landing/carousel.tsx). */
const SLIDE = { width: 540, height: 450 }
const SLIDE_PICTURE_WIDTH = 960
/** CSS pixels above the first thing on a slide. */
const SLIDE_MARGIN = 22
/** Its fourth question is short enough to stand whole in a slide. */
const SLIDE_CATEGORY = 'Macroeconomics & Business Strategy'
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false } },
})

const dataDir = await mkdtemp(path.join(tmpdir(), 'superday-screenshots-'))
const browser = await chromium.launch({
  executablePath: findBrowser() ?? undefined,
  args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
})
try {
  if (values.all) await photographAll(browser, dataDir, positionals[0] ?? 'screenshots')
  else await photographProduct()
} finally {
  await browser.close()
  await rm(dataDir, { recursive: true, force: true })
}

/** The README's picture, the landing page's, and what other sites and devices show of us. */
async function photographProduct(): Promise<void> {
  const product = await startProduct(dataDir)
  try {
    const account = await makeHistory(product)
    const page = await openPage(product, { width: 1280, height: 880 }, 'light', account)
    await show(page, URLS.dashboard)
    await page.screenshot({ path: path.join(ROOT, 'docs', 'dashboard.png') })
    await page.context().close()
    await mkdir(SLIDES, { recursive: true })
    for (const theme of ['light', 'dark'] as const) await photographSlides(product, account, theme)
    await photographLanding(product)
    await drawIcons()
  } finally {
    await product.stop()
  }
}

/** The four slides of the landing page (product 8.1.2): parts of real screens. */
async function photographSlides(product: Product, account: Account, theme: Theme): Promise<void> {
  const scale = SLIDE_PICTURE_WIDTH / SLIDE.width
  const page = await openPage(product, { width: SLIDE.width, height: 900 }, theme, account, scale)
  const slides: [name: string, route: string, top: Locator][] = [
    ['dashboard', URLS.dashboard, page.locator('main .eyebrow').first()],
    ['quiz', quizUrl(SLIDE_CATEGORY, 'Discover Finance', 1), page.getByText(/^Question \d+$/)],
    [
      'results',
      resultsUrl(CATEGORY, 'Intern', 1, account.attemptId),
      page.getByRole('link', { name: 'Back to Tests' }),
    ],
    ['progress', URLS.personalHub, page.getByRole('heading', { name: 'Progress Tracker' })],
  ]
  for (const [name, route, top] of slides) {
    await show(page, route)
    if (name === 'quiz') await answerThree(page)
    const y = Math.round((await top.boundingBox())?.y ?? 0) - SLIDE_MARGIN
    const picture = await page.screenshot({ fullPage: true, clip: { x: 0, y, ...SLIDE } })
    const file = path.join(SLIDES, `${name}-${theme}.webp`)
    await writeFile(file, await toWebp(page, picture))
    console.log(path.relative(ROOT, file))
  }
  await page.context().close()
}

/** The fourth question, its answer chosen but not finished. */
async function answerThree(page: Page): Promise<void> {
  for (const key of ['b', 'Enter', 'c', 'Enter', 'a', 'Enter', 'c']) await page.keyboard.press(key)
  await page.getByRole('radio', { checked: true }).waitFor()
}

/** Playwright makes no WebP; the browser does. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const url = await page.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.naturalWidth
      canvas.height = image.naturalHeight
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.8)
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  return Buffer.from(url.split(',')[1] ?? '', 'base64')
}

/** The picture that goes with a link to us: the top of the landing page, with the slides of just now. */
async function photographLanding(product: Product): Promise<void> {
  const page = await openPage(product, { width: 1200, height: 630 }, 'light', null)
  await page.route('**/screenshots/*', (route) =>
    route.fulfill({ path: path.join(SLIDES, path.basename(route.request().url())) }),
  )
  await show(page, URLS.landing)
  await page.screenshot({ path: path.join(PUBLIC, 'social.png') })
  await page.context().close()
}

/** favicon.svg for who wants pixels. Phones cut their own shape out, so those have no corners. */
async function drawIcons(): Promise<void> {
  const svg = await readFile(path.join(PUBLIC, 'favicon.svg'), 'utf8')
  const square = svg.replace(/ rx="\d+"/, '')
  for (const [name, size, source] of [
    ['icon-192', 192, svg],
    ['icon-512', 512, svg],
    ['icon-maskable-512', 512, square],
    ['apple-touch-icon', 180, square],
  ] as const) {
    const page = await browser.newPage({ viewport: { width: size, height: size } })
    await page.setContent(`<body style="margin:0">${source}`)
    const file = path.join(PUBLIC, `${name}.png`)
    await page.screenshot({ path: file, omitBackground: true })
    await page.close()
  }
}

async function openPage(
  product: Product,
  viewport: { width: number; height: number },
  theme: Theme,
  account: Account | null,
  deviceScaleFactor = 1,
): Promise<Page> {
  const session = account?.session ?? null
  const options = { viewport, theme, session, deviceScaleFactor }
  return (await openContext(browser, product, options)).newPage()
}
