import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, expectAccessible, putSession, test } from './rig.ts'

/** Two items of each list that opens one at a time. */
const ACCORDIONS = {
  '/faq': ['Which topics do the questions cover?', 'How is my progress tracked?'],
  '/career-hub': ['Venture Capital', 'Sales & Trading'],
  '/recruitment-resources': ['LinkedIn', 'A stock pitch, in full'],
} as const

for (const [route, [first, second]] of Object.entries(ACCORDIONS)) {
  test(`${route} keeps one item open at a time, by mouse and by keyboard`, async ({
    page,
    signedIn,
  }) => {
    void signedIn
    await page.goto(route)
    const one = page.getByRole('button', { name: first })
    const other = page.getByRole('button', { name: second })
    const openItems = page.getByRole('button', { expanded: true }).filter({ visible: true })
    await expect(one).toHaveAttribute('aria-expanded', 'false')
    await one.click()
    await expect(one).toHaveAttribute('aria-expanded', 'true')
    await expect(page.getByRole('region', { name: first })).toBeVisible()
    await other.click()
    await expect(other).toHaveAttribute('aria-expanded', 'true')
    await expect(openItems).toHaveCount(1)

    // By keyboard: the focus stays where it was pressed, and goes on into what opened.
    await one.focus()
    await page.keyboard.press('Enter')
    await expect(one).toHaveAttribute('aria-expanded', 'true')
    await expect(one).toBeFocused()
    await expect(openItems).toHaveCount(1)
    await page.keyboard.press('Space')
    await expect(one).toHaveAttribute('aria-expanded', 'false')
    await expect(one).toBeFocused()
    await expect(openItems).toHaveCount(0)
    // What is closed is not on the way.
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    await expect(one).toBeFocused()
  })
}

test('a link opens the item that it names', async ({ page, signedIn }) => {
  void signedIn
  for (const [link, name] of [
    ['/faq#study-tips', 'How should I study with Superday?'],
    ['/career-hub#research', 'Research'],
    ['/career-hub#private-credit', 'Private Credit'],
    ['/recruitment-resources#recruiting-calendar', 'Recruiting calendar'],
    ['/recruitment-resources#networking', 'Networking'],
  ] as const) {
    await page.goto(link)
    const item = page.getByRole('button', { name, exact: true })
    await expect(item).toHaveAttribute('aria-expanded', 'true')
    await expect(item).toBeInViewport()
  }
  // Also from the page itself, and what is then opened by hand stays.
  await page.evaluate(() => {
    location.hash = '#cv'
  })
  await expect(page.getByRole('button', { name: 'CV', exact: true })).toHaveAttribute(
    'aria-expanded',
    'true',
  )
  await page.getByRole('button', { name: 'LinkedIn' }).click()
  await expect(page.getByRole('button', { expanded: true })).toHaveText(/LinkedIn/)
})

test('the career hub and the questions lead on', async ({ page, signedIn }) => {
  void signedIn
  await page.goto('/career-hub#sales-and-trading')
  await page
    .getByRole('link', { name: /Mental Agility & Problem Solving, Discover Finance/ })
    .click()
  await expect(page).toHaveURL(/\/tests\/Mental%20Agility/)
  for (const link of ['Write to us', 'Suggest an improvement']) {
    await page.goto('/faq')
    await page.getByRole('link', { name: link }).click()
    await expect(page).toHaveURL('/feedback')
  }
  await page.goto('/faq#contribute')
  await page.getByRole('link', { name: 'Feedback & Support', exact: true }).click()
  await expect(page).toHaveURL('/feedback')
})

test('beside the claim stands how many questions practice serves', async ({
  page,
  product,
  account,
}) => {
  // The variants of a family are one question with other numbers.
  const { rows } = await product.db.$client.query<{ count: number }>(
    'select count(distinct coalesce(family, id::text))::int as count from questions where not retired',
  )
  const count = rows[0]?.count.toLocaleString('en-US')
  await page.goto('/')
  await expect(page.getByText(`${count} at the moment`)).toBeVisible()
  await putSession(page, product, account)
  await page.goto('/faq#topics')
  await expect(
    page.getByText(`More than 800 practice questions (${count} at the moment)`),
  ).toBeVisible()
})

test('templates and specimens are there to download, on both papers', async ({
  page,
  signedIn,
}) => {
  void signedIn
  await page.goto('/recruitment-resources')
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  const hrefs = new Set<string>()
  for (const name of ['CV Template', 'Cover Letter Template']) {
    for (const paper of ['A4', 'US Letter']) {
      for (const [kind, type] of [
        ['PDF', 'application/pdf'],
        ['Word', word],
        ['Specimen', 'application/pdf'],
      ] as const) {
        const link = page.getByRole('link', { name: `${kind}: ${name}, ${paper}`, exact: true })
        const href = (await link.getAttribute('href')) ?? ''
        hrefs.add(href)
        const file = await page.request.get(href)
        expect([href, file.status(), file.headers()['content-type']]).toEqual([href, 200, type])
      }
    }
  }
  expect(hrefs.size).toBe(12)
})

test('a guide prints on both papers, nothing of it cut off at the side', async ({
  page,
  signedIn,
}) => {
  void signedIn
  await page.goto('/recruitment-resources#deal-discussion')
  await expect(page.getByRole('region', { name: 'A deal discussion, in full' })).toBeVisible()
  for (const [format, width] of [
    ['A4', 595],
    ['Letter', 612],
  ] as const) {
    const data = new Uint8Array(await page.pdf({ format, preferCSSPageSize: false }))
    const pdf = await getDocument({ data, verbosity: VerbosityLevel.ERRORS }).promise
    let text = ''
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const sheet = await pdf.getPage(number)
      expect(Math.abs((sheet.view[2] ?? 0) - width)).toBeLessThan(2)
      for (const item of (await sheet.getTextContent()).items) {
        if (!('str' in item) || !item.str.trim()) continue
        text += `${item.str} `
        expect(item.transform[4]).toBeGreaterThan(30)
        expect(item.transform[4] + item.width).toBeLessThan(width - 30)
      }
    }
    // The last column of the widest table, and the last line.
    expect(text).toContain('With $30 million')
    expect(text).toContain('you are ready')
    await pdf.destroy()
  }
})

test('the mailbox can be written to, also when its address comes at the second try', async ({
  page,
  signedIn,
  expectConsoleErrors,
}) => {
  void signedIn
  expectConsoleErrors((text) => text.includes('500'))
  let isBroken = true
  await page.route('**/api/contact', (route) =>
    isBroken
      ? route.fulfill({ status: 500, json: { code: 'unexpected_failure', message: 'x' } })
      : route.continue(),
  )
  await page.goto('/feedback')
  const retry = page.getByRole('button', { name: 'Show the address: try again' })
  await expect(retry).toBeVisible({ timeout: 15_000 })
  isBroken = false
  await retry.click()
  await expect(page.getByRole('link', { name: 'support@superday.example' })).toHaveAttribute(
    'href',
    'mailto:support@superday.example',
  )
})

test('the legal texts say what product 8.7 asks of them', async ({ page }) => {
  await page.goto('/auth?tab=signup')
  for (const [title, text] of [
    ['Terms and Conditions', "30 days' notice"],
    ['Privacy Policy', 'not for children under 13'],
  ] as const) {
    await page.getByRole('button', { name: title }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await expect(dialog.getByRole('heading', { level: 3 })).toHaveCount(11)
    await expect(dialog.getByText(text)).toBeVisible()
    for (const address of ['support@superday.example', 'privacy@superday.example']) {
      await expect(dialog.getByRole('link', { name: address }).first()).toBeVisible()
    }
    await expect(dialog.getByText(/\{\w+\}/)).toHaveCount(0)
    const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date())
    await expect(dialog.getByText(`Last updated: ${today}`)).toBeVisible()
    await page.keyboard.press('Escape')
  }
})

test('a lost connection is said, and that it is back', async ({
  page,
  context,
  signedIn,
  expectConsoleErrors,
}) => {
  void signedIn
  // What the page fetches ahead while nothing else is to do.
  expectConsoleErrors((text) => text.includes('ERR_INTERNET_DISCONNECTED'))
  await page.goto('/about')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const notice = page.getByRole('status').filter({ hasText: /onnect/ })
  await expect(notice).toHaveCount(0)
  await context.setOffline(true)
  await expect(notice).toHaveText('No connection')
  await expectAccessible(page)
  await context.setOffline(false)
  await expect(notice).toHaveText('Connected again')
  await expect(notice).toHaveCount(0)
})
