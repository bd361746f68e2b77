import type { Page } from '@playwright/test'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, type Product, test } from './rig.ts'

test('Links open the item that they name, and lead to practice and support', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  void signedIn
  for (const [link, name] of [
    ['/faq#study-tips', 'How should I study with Superday?'],
    ['/career-hub#private-credit', 'Private Credit'],
    ['/recruitment-resources#recruiting-calendar', 'Recruiting calendar'],
  ] as const) {
    await page.goto(link)
    const item = page.getByRole('button', { name, exact: true })
    await expect(item).toHaveAttribute('aria-expanded', 'true')
    await expect(item).toBeInViewport()
  }
  // Links on the page itself work too, and an item opened by hand stays open.
  await page.evaluate(() => {
    location.hash = '#cv'
  })
  await expect(page.getByRole('button', { name: 'CV', exact: true })).toHaveAttribute(
    'aria-expanded',
    'true',
  )
  await page.getByRole('button', { name: 'LinkedIn' }).click()
  await expect(page.getByRole('button', { expanded: true })).toHaveText(/LinkedIn/)
  await expectTemplates(page)

  await page.goto('/career-hub#sales-and-trading')
  await page
    .getByRole('link', { name: /Mental Agility & Problem Solving, Discover Finance/ })
    .click()
  await expect(page).toHaveURL(/\/tests\/Mental%20Agility/)
  await page.goto('/faq#topics')
  await expectCount(page, product)
  for (const link of ['Write to us', 'Suggest an improvement']) {
    await page.goto('/faq')
    await page.getByRole('link', { name: link }).click()
    await expect(page).toHaveURL('/feedback')
  }
  await page.goto('/faq#contribute')
  await page.getByRole('link', { name: 'Feedback & Support', exact: true }).click()
  await expect(page).toHaveURL('/feedback')
  await expect(page.getByRole('link', { name: 'support@superday.example' })).toHaveAttribute(
    'href',
    'mailto:support@superday.example',
  )
})

/** Next to the claim, here and on the landing page, is the number of practice questions (decision 045). */
async function expectCount(page: Page, product: Product): Promise<void> {
  // A family's variants count as one question.
  const { rows } = await product.db.$client.query<{ count: number }>(
    'select count(distinct coalesce(family, id::text))::int as count from questions where not retired',
  )
  const count = rows[0]?.count.toLocaleString('en-US')
  await expect(
    page.getByText(`More than 800 practice questions (${count} at the moment)`),
  ).toBeVisible()
  expect(await (await page.request.get('/')).text()).toContain(`${count} at the moment`)
}

/** Templates and specimens can be downloaded for both paper sizes. */
async function expectTemplates(page: Page): Promise<void> {
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
}

test.describe('the text pages in rarer states', () => {
  test('A guide prints on A4 and US Letter without cutting anything off at the side', {
    tag: '@full',
  }, async ({ page, signedIn }) => {
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

  test('The support address can be requested again if it does not load', async ({
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
})
