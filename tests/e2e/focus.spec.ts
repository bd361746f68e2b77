import type { Locator, Page } from '@playwright/test'
import { startByInstructions } from './assessment-rig.ts'
import { expect, isFull, type Product, practise, putSession, test } from './rig.ts'

// Dialogs opened by keyboard: they take the focus, Tab stays inside, Escape closes, and the focus returns (WCAG 2.4.3;
// product 10.3.3). Other dialogs have the same parts, and their own tests check the first field.

interface Opening {
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
    arrive: async (page) => {
      await practise(page, [7])
      await page.goto('/personal-hub?tab=account')
    },
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
    name: 'the question on the way out of an assessment',
    arrive: startByInstructions,
    opener: (page) => page.getByRole('radio').nth(1),
    // No control of the page leads out of it.
    open: (page) => page.goBack(),
    opened: question('Leave the test?'),
    first: button('Stay in the test'),
  },
]

/** A dialog's focus guard returns the focus a moment later. */
async function expectFocusIn(page: Page, opened: Locator): Promise<void> {
  await expect(async () => {
    const there = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120))
    const isInside = await opened.evaluate((element) => element.contains(document.activeElement))
    expect(isInside, `the focus is on ${there}`).toBe(true)
  }).toPass({ timeout: 3_000 })
}

/** Presses Tab through all stops, which must be inside. @returns their number */
async function walk(page: Page, within: Locator): Promise<number> {
  for (let stop = 1; stop < 60; stop += 1) {
    await page.keyboard.press('Tab')
    await expectFocusIn(page, within)
    const isBack = await page.evaluate(() => {
      const { dataset } = document.activeElement as HTMLElement
      const known = dataset.tabStop !== undefined
      dataset.tabStop = ''
      return known
    })
    if (isBack) return stop - 1
  }
  throw new Error('Tab comes to no end')
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

  const stops = await walk(page, opened)
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

test('A question over the drawer takes the focus of a guest, keeps it and returns it', {
  tag: '@full',
}, async ({ page, product, account }) => {
  await putSession(page, product, {} as typeof account)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  await button('Menu')(page).press('Enter')
  await expectFocusKept(page, product, {
    ...{ name: 'the question before signing out', width: 390 },
    ...{ opener: button('Sign Out'), opened: question('Keep your progress?') },
  })
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
    })
  }
})
