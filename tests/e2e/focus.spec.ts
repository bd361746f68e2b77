import type { Locator, Page } from '@playwright/test'
import { enterTest, makeAssessment, makeCandidate, questionHeading } from './assessment-rig.ts'
import { expect, isFull, type Product, practise, putSession, test, tokenOf } from './rig.ts'

// Dialogs opened by keyboard: they take the focus, Tab stays inside and follows the reading order, Escape closes, and
// the focus returns (WCAG 2.4.3; product 10.3.3).

interface Opening {
  /** replaces the dialog's own name in titles */
  name: string
  width?: number
  /** opens the screen with the opener; omitted if it is open already */
  arrive?: string | ((page: Page, product: Product) => Promise<unknown>)
  /** has the focus before and afterwards */
  opener: (page: Page) => Locator
  /** Enter on the opener, unless something else opens it */
  open?: (page: Page) => Promise<unknown>
  opened: (page: Page) => Locator
  /** the element that must have the focus then, if it matters */
  first?: (opened: Locator) => Locator
}

const button = (name: string | RegExp) => (within: Page | Locator) =>
  within.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }).first()
const dialog = (name: string) => (page: Page) => page.getByRole('dialog', { name, exact: true })
const question = (name: string) => (page: Page) =>
  page.getByRole('alertdialog', { name, exact: true })
const field = (name: string) => (opened: Locator) => opened.getByLabel(name, { exact: true })

/** One student opens these one after the other in one page. */
const IN_TURN: Opening[] = [
  {
    name: 'the past seven days',
    arrive: '/dashboard',
    opener: button('The past seven days'),
    opened: dialog('The past seven days'),
  },
  {
    name: 'the drawer',
    width: 390,
    opener: button('Menu'),
    opened: dialog('Menu'),
  },
  {
    name: 'Change password',
    arrive: arriveWithAttempt,
    opener: button('Change password'),
    opened: dialog('Change password'),
    first: field('Current password'),
  },
  {
    name: 'the question before an account is deleted',
    opener: button('Delete my account'),
    opened: question('Delete your account?'),
    first: field('Type DELETE to confirm'),
  },
  {
    name: 'the question before signing out everywhere',
    opener: button('Sign out everywhere'),
    opened: question('Sign out everywhere?'),
    first: button('Stay signed in'),
  },
  {
    name: 'Report a problem',
    arrive: async (page) => {
      await page.goto('/personal-hub?tab=history')
      await page.getByRole('link', { name: /Open the review/ }).click()
    },
    opener: button('Report a problem with question 8'),
    opened: dialog('Report a problem'),
    first: field('The marked answer is wrong'),
  },
  {
    name: 'the credentials of a society with one session',
    arrive: async (page, product) => {
      await makeAssessment(product, { society: 'Focus Society' })
      await page.goto('/recruitment')
    },
    opener: button('Access Test Focus Society'),
    opened: dialog('Login to Access Test'),
    first: field('Username'),
  },
]

/** Each needs its own person or state. */
const OTHERS: (Opening & { who: 'a visitor' | 'a guest' | 'a student' })[] = [
  {
    name: 'Terms and Conditions',
    who: 'a visitor',
    arrive: '/auth?tab=signup',
    opener: button('Terms and Conditions'),
    opened: dialog('Terms and Conditions'),
  },
  {
    name: 'Privacy Policy',
    who: 'a visitor',
    arrive: '/auth?tab=signup',
    opener: button('Privacy Policy'),
    opened: dialog('Privacy Policy'),
  },
  {
    name: 'the question before signing out',
    who: 'a guest',
    arrive: '/dashboard',
    opener: button('Sign Out'),
    opened: question('Keep your progress?'),
  },
  {
    name: 'the same question over the drawer',
    who: 'a guest',
    width: 390,
    arrive: async (page) => {
      await page.goto('/dashboard')
      await button('Menu')(page).press('Enter')
    },
    opener: button('Sign Out'),
    opened: question('Keep your progress?'),
  },
  {
    name: 'the details of the daily challenge',
    who: 'a student',
    arrive: answerDaily,
    opener: button('Complete! Tap for details'),
    opened: (page) => page.getByRole('dialog', { name: /^(Correct|Nice try)!$/ }),
  },
  {
    name: 'the credentials of one of two sessions',
    who: 'a student',
    arrive: async (page, product) => {
      await makeTwoSessions(product, 'Focus School')
      await page.goto('/recruitment')
      await button('Access Test Focus School')(page).press('Enter')
    },
    opener: button('Afternoon Assessment'),
    opened: dialog('Login to Access Test'),
    first: field('Username'),
  },
  {
    name: 'the question on the way out of an assessment',
    who: 'a student',
    arrive: async (page, product) => {
      const { code } = await makeAssessment(product)
      const { username } = await makeCandidate(product, code)
      await enterTest(page, code, username, '/recruitment/instructions')
      await button(/^I Understand/)(page).press('Enter')
      await expect(questionHeading(page, 1)).toBeFocused()
    },
    opener: (page) => page.getByRole('radio').nth(1),
    // No control of the page leads out of it.
    open: (page) => page.goBack(),
    opened: question('Leave the test?'),
    first: button('Stay in the test'),
  },
]

async function answerDaily(page: Page): Promise<void> {
  await page.goto('/dashboard')
  const answer = await page.request.post('/api/daily/answer', {
    headers: { Authorization: `Bearer ${await tokenOf(page)}` },
    data: { selectedOption: 'A', timeTakenSeconds: 9, timeZone: 'Europe/Lisbon' },
  })
  expect(answer.status()).toBe(201)
  await page.reload()
}

async function arriveWithAttempt(page: Page): Promise<void> {
  await practise(page, [7])
  await page.goto('/personal-hub?tab=account')
}

async function makeTwoSessions(product: Product, society: string): Promise<void> {
  for (const session of ['Morning', 'Afternoon']) {
    await makeAssessment(product, { society, session })
  }
}

const holdsFocus = (opened: Locator) =>
  opened.evaluate((element) => element.contains(document.activeElement))

/** A dialog's focus guard returns the focus a moment later. */
async function expectFocusIn(page: Page, opened: Locator): Promise<void> {
  await expect(async () => {
    const there = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120))
    expect(await holdsFocus(opened), `the focus is on ${there}`).toBe(true)
  }).toPass({ timeout: 3_000 })
}

/**
 * Presses Tab through all stops, and checks each step.
 * @param wayOut whether Tab may lead out in the end
 */
async function walk(page: Page, within: Locator, wayOut: 'none' | 'at the end'): Promise<number> {
  for (let stop = 1; stop < 60; stop += 1) {
    await page.keyboard.press('Tab')
    if (wayOut === 'none') await expectFocusIn(page, within)
    else if (!(await holdsFocus(within))) {
      await expectReadingOrder(within)
      return stop - 1
    }
    const isBack = await page.evaluate((number) => {
      const { dataset } = document.activeElement as HTMLElement
      const known = dataset.tabStop !== undefined
      dataset.tabStop ??= String(number)
      return known
    }, stop)
    if (isBack) {
      await expectReadingOrder(within)
      return stop - 1
    }
  }
  throw new Error('Tab comes to no end')
}

/** Checks that tab stops follow the lines, each from left to right. */
async function expectReadingOrder(within: Locator): Promise<void> {
  const stops = await within.evaluate((element) => {
    for (const part of [element, ...element.querySelectorAll('*')]) part.scrollTop = 0
    const number = (stop?: HTMLElement) => Number(stop?.dataset.tabStop)
    const written = [...element.querySelectorAll<HTMLElement>('[data-tab-stop]')]
    const [first] = written
    // The focus started somewhere in the cycle, so sort by document order.
    return [...written]
      .sort(
        (a, b) =>
          Number(number(a) < number(first)) - Number(number(b) < number(first)) ||
          number(a) - number(b),
      )
      .map((stop) => {
        const { top, bottom, left } = stop.getBoundingClientRect()
        const name = stop.getAttribute('aria-label') ?? stop.textContent ?? ''
        return { top, bottom, left, name: name.slice(0, 40) }
      })
  })
  type Stop = (typeof stops)[number]
  const isBefore = (a: Stop, b: Stop) => {
    const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
    const isSameLine = shared > Math.min(a.bottom - a.top, b.bottom - b.top) / 2
    return isSameLine ? a.left <= b.left : a.top < b.top
  }
  for (const [index, stop] of stops.entries()) {
    const next = stops[index + 1]
    if (next) expect(isBefore(stop, next), `'${stop.name}' before '${next.name}'`).toBe(true)
  }
}

/** Opens and closes a dialog by keyboard. */
async function expectFocusKept(page: Page, product: Product, opening: Opening): Promise<void> {
  await page.setViewportSize({ width: opening.width ?? 1280, height: 844 })
  if (typeof opening.arrive === 'string') await page.goto(opening.arrive)
  else await opening.arrive?.(page, product)

  const opener = opening.opener(page)
  await opener.focus()
  await expect(opener).toBeFocused()
  if (opening.open) await opening.open(page)
  else await page.keyboard.press('Enter')
  const opened = opening.opened(page)
  await expect(opened).toBeVisible()
  await expectFocusIn(page, opened)
  // Content that loads during the walk would be missed.
  await expect(opened.locator('.skeleton')).toHaveCount(0)
  if (opening.first) await expect(opening.first(opened)).toBeFocused()

  const stops = await walk(page, opened, 'none')
  expect(stops).toBeGreaterThan(0)
  for (let back = 0; back <= stops; back += 1) {
    await page.keyboard.press('Shift+Tab')
    await expectFocusIn(page, opened)
  }
  await page.keyboard.press('Escape')
  await expect(opened).toBeHidden()
  await expect(opener).toBeFocused()
}

test('A student’s dialogs take the focus, keep it and return it', async ({
  page,
  product,
  signedIn,
}) => {
  void signedIn
  // npm test checks the first four: two kinds of panel, a form and a question.
  for (const opening of isFull ? IN_TURN : IN_TURN.slice(0, 4)) {
    await test.step(opening.name, () => expectFocusKept(page, product, opening))
  }
})

test.describe('other dialogs', { tag: '@full' }, () => {
  for (const { who, ...opening } of OTHERS) {
    test(`${opening.name} takes the focus of ${who}, keeps it and returns it`, async ({
      page,
      product,
      account,
    }) => {
      if (who === 'a guest') await putSession(page, product, {} as typeof account)
      if (who === 'a student') await putSession(page, product, account)
      await expectFocusKept(page, product, opening)
    })
  }
})

test('The Back button first closes what is open, and leaves the page at the next press', async ({
  page,
  signedIn,
}) => {
  void signedIn
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'About' }).first().click()
  await expect(page).toHaveURL('/about')
  await page.getByRole('button', { name: 'Privacy' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL('/about')
  // Closed by its own button, it leaves no history entry.
  await page.getByRole('button', { name: 'Privacy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.goBack()
  await expect(page).toHaveURL('/dashboard')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.goForward()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL('/dashboard')
})

const ACCORDIONS: [route: string, count: number][] = [
  ['/faq', 8],
  ['/career-hub', 15],
  ['/recruitment-resources', 11],
  // The categories' pickers. Mental Agility has none.
  ['/dashboard', 4],
]

test('Accordions keep one item open at a time, by mouse, Enter and Space', {
  tag: '@full',
}, async ({ page, signedIn }) => {
  void signedIn
  for (const [route, count] of ACCORDIONS) {
    await test.step(route, async () => {
      await page.goto(route)
      const triggers = page.locator('main [aria-expanded]')
      const open = page.locator('main [aria-expanded=true]')
      await expect(triggers).toHaveCount(count)
      await expect(open).toHaveCount(0)
      await triggers.last().click()
      await expect(open).toHaveCount(1)
      // The second one shows that the first is closed.
      for (let index = 0; index < (isFull ? count : 2); index += 1) {
        const trigger = triggers.nth(index)
        // The first press also closes the previous one.
        for (const [key, isOpen] of [
          ['Enter', true],
          ['Space', false],
          ['Space', true],
        ] as const) {
          await trigger.press(key)
          await expect(trigger).toHaveAttribute('aria-expanded', String(isOpen))
          await expect(open).toHaveCount(isOpen ? 1 : 0)
          await expect(trigger).toBeFocused()
        }
      }
      await triggers.first().press('Enter')
      await expect(triggers.first()).toHaveAttribute('aria-expanded', 'true')
      const panel = page.locator(`[id="${await triggers.first().getAttribute('aria-controls')}"]`)
      await expect(panel).toBeVisible()
      const list = page.locator('main')
      expect(await walk(page, list, 'at the end')).toBeGreaterThanOrEqual(count - 1)
      // Tab skips closed panels and visits open ones.
      const links = await panel.getByRole('link').count()
      await expect(panel.locator('[data-tab-stop]')).toHaveCount(links)
    })
  }
})

test('The sessions of a society open and close by keyboard', { tag: '@full' }, async ({
  page,
  product,
  signedIn,
}) => {
  void signedIn
  await makeTwoSessions(product, 'School of Two Sessions')
  await page.goto('/recruitment')
  const access = button('Access Test School of Two Sessions')(page)
  for (const [key, isOpen] of [
    ['Enter', true],
    ['Space', false],
    ['Space', true],
  ] as const) {
    await access.press(key)
    await expect(access).toHaveAttribute('aria-expanded', String(isOpen))
  }
  await page.keyboard.press('Tab')
  await expect(button('Morning Assessment')(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(button('Afternoon Assessment')(page)).toBeFocused()
})
