import { type Here, hereOf, leave, take } from './practised-rig.ts'
import { expect, expectSound, test, tokenOf } from './rig.ts'

// How many taps a person is away from a question, in every state in which they may come: one table.

const VALUATION = 'Valuation & Corporate Finance'
const ACCOUNTING = 'Financial Accounting & Analysis'
const MENTAL = 'Mental Agility & Problem Solving'
const LEAD = 'main .lead .btn'

interface State {
  name: string
  prepare?: (here: Here) => Promise<unknown>
  /** after the dashboard has come */
  later?: (here: Here) => Promise<void>
  lead: RegExp
  button: string
  url: RegExp
}

const STATES: State[] = [
  {
    name: 'new',
    lead: /Ten questions, four minutes/,
    button: 'Start Test 1',
    url: /\/quiz\/Financial%20Accounting.*\/Discover%20Finance\/1$/,
  },
  {
    name: 'one test unfinished',
    prepare: (here) => leave(here, `${VALUATION}/Intern/3`, 3),
    lead: /Test 3 · Valuation, Intern.*question 4 of 10/,
    button: 'Continue',
    url: /Intern\/3$/,
  },
  {
    name: 'several unfinished: the latest leads',
    prepare: async (here) => {
      await leave(here, `${VALUATION}/Intern/3`, 3, 10)
      await leave(here, `${MENTAL}/Discover Finance/2`, 5)
    },
    lead: /Test 2 · Mental Agility.*question 6 of 10/,
    button: 'Continue',
    url: /Mental.*\/2$/,
  },
  {
    name: 'unfinished comes before what is due',
    prepare: async (here) => {
      await take(here, VALUATION, 'Intern', 1, 4, 2)
      await leave(here, `${VALUATION}/Intern/2`, 1)
    },
    lead: /Test 2 · Valuation, Intern.*question 2 of 10/,
    button: 'Continue',
    url: /Intern\/2$/,
  },
  {
    name: 'mistakes due',
    prepare: (here) => take(here, VALUATION, 'Intern', 1, 4, 2),
    lead: /\d questions due.*minutes/,
    button: 'Review',
    url: /\/due$/,
  },
  {
    name: 'nothing due: the next test',
    prepare: (here) => take(here, VALUATION, 'Intern', 1),
    lead: /Test 2 · Valuation, Intern/,
    button: 'Start Test 2',
    url: /Intern\/2$/,
  },
  {
    name: 'all of a level done: the first of the next',
    prepare: async (here) => {
      for (let number = 1; number <= 8; number += 1) await take(here, VALUATION, 'Intern', number)
    },
    lead: /Test 1 · Valuation, Analyst/,
    button: 'Start Test 1',
    url: /Analyst\/1$/,
  },
  {
    name: 'mental agility is next, with its one level',
    prepare: (here) => take(here, MENTAL, 'Discover Finance', 1),
    lead: /Test 2 · Mental Agility$/,
    button: 'Start Test 2',
    url: /Mental.*\/2$/,
  },
  {
    name: 'the daily is done',
    prepare: async ({ page }) => {
      const headers = { Authorization: `Bearer ${await tokenOf(page)}` }
      await page.request.get('/api/daily?timeZone=Europe/Lisbon', { headers })
      const answer = await page.request.post('/api/daily/answer', {
        headers,
        data: { selectedOption: 'A', timeTakenSeconds: 9, timeZone: 'Europe/Lisbon' },
      })
      expect(answer.status()).toBe(201)
    },
    lead: /Ten questions, four minutes/,
    button: 'Start Test 1',
    url: /\/1$/,
  },
  {
    name: 'offline after the dashboard has come',
    prepare: (here) => take(here, ACCOUNTING, 'Intern', 1),
    later: async ({ page }) => {
      // What the lead opens was fetched while nothing else was to do.
      await expect
        .poll(() =>
          page.evaluate(() =>
            performance
              .getEntriesByType('resource')
              .some(({ name }) => /questions\?.*testNumber=2/.test(name)),
          ),
        )
        .toBe(true)
      await page.waitForLoadState('networkidle')
      await page.context().setOffline(true)
    },
    lead: /Test 2 · Accounting, Intern/,
    button: 'Start Test 2',
    url: /Intern\/2$/,
  },
  {
    name: 'offline, with a test unfinished',
    prepare: (here) => leave(here, `${ACCOUNTING}/Analyst/1`, 9),
    later: async ({ page }) => {
      await page.waitForLoadState('networkidle')
      await page.context().setOffline(true)
    },
    lead: /Test 1 · Accounting, Analyst.*question 10 of 10/,
    button: 'Continue',
    url: /Analyst\/1$/,
  },
]

test.describe('one tap from the dashboard to a question', () => {
  test.use({ timezoneId: 'Europe/Lisbon' })

  for (const state of STATES) {
    test(state.name, async ({ page, product, signedIn, expectConsoleErrors }) => {
      void signedIn
      expectConsoleErrors((text) => /ERR_INTERNET_DISCONNECTED|Failed to load resource/.test(text))
      const here = await hereOf(page, product)
      await state.prepare?.(here)
      await page.goto('/dashboard')
      await expect(page.locator('#lead')).toHaveText(state.lead)
      await expect(page.locator(LEAD)).toHaveText(state.button)
      await expect(page.locator('main .btn:not(.btn-ghost)')).toHaveCount(1)
      await state.later?.(here)
      // By keyboard: Enter on the lead.
      await page.locator(LEAD).focus()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(state.url)
      await expect(page.getByRole('radiogroup').first()).toBeVisible()
      await page.context().setOffline(false)
    })
  }

  test('a guest', async ({ page }) => {
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Continue as Guest' }).click()
    await expect(page).toHaveURL('/dashboard')
    await page.locator(LEAD).click()
    await expect(page.getByRole('radiogroup')).toBeVisible()
  })
})

interface ResultState {
  name: string
  /** how many of ten were right, in which test */
  test: [category: string, difficulty: string, number: number, right: number]
  prepare?: (here: Here) => Promise<unknown>
  isOffline?: boolean
  button: string | RegExp
  url: RegExp
}

const RESULTS: ResultState[] = [
  {
    name: 'five wrong',
    test: [VALUATION, 'Intern', 1, 5],
    button: 'Practice these 5 mistakes',
    url: /\/quiz$/,
  },
  {
    name: 'all wrong',
    test: [MENTAL, 'Discover Finance', 1, 0],
    button: 'Practice these 10 mistakes',
    url: /\/quiz$/,
  },
  {
    name: 'two wrong: the next test',
    test: [VALUATION, 'Intern', 1, 8],
    button: 'Start Test 2',
    url: /Intern\/2$/,
  },
  {
    name: 'the last of a level: the first of the next',
    test: [ACCOUNTING, 'Discover Finance', 8, 10],
    button: 'Start Test 1, Intern',
    url: /Intern\/1$/,
  },
  {
    name: 'the last of the last level: what the day asks for',
    test: [ACCOUNTING, 'Analyst', 8, 10],
    button: 'Start Test 1',
    url: /\/quiz\/.*\/1$/,
  },
  {
    name: 'the last of the last level, with mistakes due',
    test: [ACCOUNTING, 'Analyst', 8, 9],
    prepare: (here) => take(here, VALUATION, 'Intern', 1, 4, 2),
    button: /^Review \d due$/,
    url: /\/due$/,
  },
  {
    name: 'offline, five wrong',
    test: [VALUATION, 'Analyst', 2, 5],
    isOffline: true,
    button: 'Practice these 5 mistakes',
    url: /\/quiz$/,
  },
]

test.describe('one tap from results to the next useful thing', () => {
  test.use({ timezoneId: 'Europe/Lisbon' })

  for (const state of RESULTS) {
    test(state.name, async ({ page, product, signedIn, expectConsoleErrors }) => {
      void signedIn
      expectConsoleErrors((text) => /ERR_INTERNET_DISCONNECTED|Failed to load resource/.test(text))
      const here = await hereOf(page, product)
      await state.prepare?.(here)
      const attempt = await take(here, ...state.test)
      const [category, difficulty, number] = state.test
      const path = [category, difficulty, number].map(encodeURIComponent).join('/')
      await page.goto(`/results/${path}?attempt=${attempt}`)
      const first = page.locator('.ways-on .btn-big').first()
      await expect(first).toHaveText(state.button)
      await page.waitForLoadState('networkidle')
      if (state.isOffline) await page.context().setOffline(true)
      await first.click()
      await expect(page).toHaveURL(state.url)
      await expect(page.getByRole('radiogroup').first()).toBeVisible()
      await page.context().setOffline(false)
    })
  }

  test('after practising a mistake: what the day asks for', async ({ page, product, signedIn }) => {
    void signedIn
    const here = await hereOf(page, product)
    const [category, difficulty] = [VALUATION, 'Intern']
    const attempt = await take(here, category, difficulty, 1, 7)
    await page.goto(`/results/${encodeURIComponent(category)}/${difficulty}/1?attempt=${attempt}`)
    await page.locator('.ways-on .btn-big').first().click()
    await expect(page.getByRole('radiogroup').first()).toBeVisible()
    for (let place = 0; place < 3; place += 1) {
      await page.keyboard.press('A')
      await page.getByRole('button', { name: place < 2 ? 'Next' : 'Finish' }).click()
    }
    const first = page.locator('.ways-on .btn-big').first()
    await expect(first).toHaveText(/^(Start Test 2|Review \d due)$/)
    await first.click()
    await expect(page.getByRole('radiogroup').first()).toBeVisible()
  })
})

test('the contents, the list of tests and the hub are walked by keyboard, and are sound', async ({
  page,
  product,
  signedIn,
}) => {
  void signedIn
  const here = await hereOf(page, product)
  await take(here, VALUATION, 'Intern', 1, 4)
  await leave(here, `${VALUATION}/Intern/3`, 3)
  await leave(here, `${ACCOUNTING}/Intern/2`, 1, 5)
  await page.goto('/dashboard')
  await expect(page.getByText('Also in progress: Test 2 · Accounting, Intern')).toBeVisible()
  await expect(page.getByText('104 tests · 1,040 questions')).toBeVisible()

  await page.getByRole('button', { name: ACCOUNTING }).focus()
  await page.keyboard.press('ArrowDown')
  const category = page.getByRole('button', { name: VALUATION })
  await expect(category).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  const level = page.getByRole('link', { name: /Intern \(Medium\)/ })
  await expect(level).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(category).toBeFocused()
  await expect(category).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('Enter')
  await expectSound(page, 'dashboard')
  await level.press('Enter')

  await expect(page.locator('#lead')).toHaveText(/Test 3.*in progress, question 4/)
  const rows = page.locator('.test-row')
  await expect(rows).toHaveCount(8)
  await expect(rows.nth(0)).toContainText('Best score 40%Needs practice')
  await expect(rows.nth(2)).toContainText('in progress, question 4')
  // Titles come from the questions' topics.
  await expect(rows.nth(1).locator('.test-title')).toHaveText(/^[A-Z].*, .*/)
  await expect(page.getByRole('link', { name: 'Practice 6 mistakes' })).toBeVisible()
  await page.getByRole('link', { name: 'Retake Test 1', exact: true }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: 'Start Test 2', exact: true })).toBeFocused()
  await expectSound(page, 'tests')
  await page.getByRole('link', { name: 'Discover Finance' }).click()
  await expect(page.locator('#lead')).toHaveText('Test 1')
  await expect(page.getByText('No mistakes')).toHaveCount(0)

  await page.goto('/personal-hub')
  await expect(page.getByRole('region', { name: 'In progress' }).getByRole('listitem')).toHaveText([
    /Test 3 · Valuation, Intern/,
    /Test 2 · Accounting, Intern/,
  ])
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of ['/dashboard', `/tests/${encodeURIComponent(VALUATION)}/Intern`]) {
    await page.goto(path)
    await expect(page.locator(LEAD)).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  }
})

test('nothing of the dashboard moves when what it asked for comes', async ({ page, signedIn }) => {
  void signedIn
  let letGo = () => {}
  const isHeld = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(/\/api\/(practice\/today|progress|streak|daily)/, async (route) => {
    await isHeld
    await route.continue()
  })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/dashboard')
    const tops = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('.streak-strip, .front-cell, #categories')].map((element) =>
          Math.round(element.getBoundingClientRect().top),
        ),
      )
    await expect(page.locator('#categories')).toBeVisible()
    await page.evaluate(() => document.fonts.ready)
    const before = await tops()
    if (width === 1440) letGo()
    else await page.reload()
    await expect(page.getByText('Start your streak today!')).toBeVisible()
    await expect(page.locator(LEAD)).toHaveText('Start Test 1')
    await expect(page.getByRole('button', { name: 'Reveal' })).toBeVisible()
    if (width === 1440) expect(await tops()).toEqual(before)
    else {
      // The lead, the streak and the daily end above 640 px, what is due above 770.
      const ends = await page.evaluate(() =>
        [...document.querySelectorAll('.front-cell')].map(
          (element) => element.getBoundingClientRect().bottom,
        ),
      )
      expect(ends[0]).toBeLessThanOrEqual(640)
      expect(ends[1]).toBeLessThanOrEqual(770)
    }
  }
})
