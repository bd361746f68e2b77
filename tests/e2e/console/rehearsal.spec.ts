import { randomUUID } from 'node:crypto'
import type { Browser } from '@playwright/test'
import { rehearsalLink } from '../../../assessments/server/rehearsal-store.ts'
import { choose, makeCandidate, questionHeading } from '../assessment-rig.ts'
import { expect, expectAccessible, expectSound, type Product, test } from '../rig.ts'
import { makeTest } from './console-rig.ts'

const PHONE = { width: 390, height: 844 }

/** A test with two listed candidates, and the signed-in account as an owner of its society. */
async function makeRehearsed(product: Product, email: string) {
  const made = await makeTest(product, email, { itemCount: 6 })
  const ana = await makeCandidate(product, made.code, { name: 'Ana Sousa', room: '2.11' })
  await makeCandidate(product, made.code)
  const settings = { secretKey: product.secretKey, publicUrl: product.url }
  return { ...made, link: rehearsalLink(settings, ana.id) }
}

/** A phone on which no user is signed in. */
async function openPhone(browser: Browser, product: Product) {
  const context = await browser.newContext({
    ...{ baseURL: product.url, viewport: PHONE, hasTouch: true, isMobile: true },
    ...{ locale: 'en-US', timezoneId: 'Europe/Lisbon' },
  })
  return { context, page: await context.newPage() }
}

test('A candidate rehearses on a phone by the link in the email, through a cut connection, and the owner sees it', {
  tag: '@full',
}, async ({ page, browser, product, signedIn }) => {
  const { of, link } = await makeRehearsed(product, signedIn.email)
  await page.goto(of('candidates'))
  const ana = page.getByRole('row', { name: /Ana Sousa/ })
  await expect(ana).toContainText('not tried')

  const phone = await openPhone(browser, product)
  await phone.page.goto(link)
  await expect(phone.page.getByRole('heading', { name: 'Try your computer' })).toBeVisible()
  await expectAccessible(phone.page)
  await phone.page.getByRole('button', { name: /^Continue as Guest and begin/ }).tap()
  await expect(questionHeading(phone.page, 1)).toBeVisible()
  await choose(phone.page, 'A')
  await expect(phone.page.locator('[data-save-state=saved]:visible')).toBeVisible()
  await phone.page.getByRole('button', { name: 'Next' }).tap()
  // A tap's click comes after the touch, so the first question may still be there.
  await expect(questionHeading(phone.page, 2)).toBeVisible()
  // The connection is cut on purpose, and the answer waits on the device.
  await choose(phone.page, 'C')
  await expect(phone.page.getByText(/^No connection\. Your answers are kept/)).toBeVisible()
  for (const number of [3, 4, 5]) {
    await phone.page.getByRole('button', { name: 'Next' }).tap()
    await expect(questionHeading(phone.page, number)).toBeVisible()
    await choose(phone.page, 'B')
  }
  await expect(phone.page.getByText(/^No connection\. Your answers are kept/)).toBeHidden({
    timeout: 20_000,
  })
  await expect(phone.page.locator('[data-save-state=saved]:visible')).toBeVisible()
  await phone.page.getByRole('button', { name: 'Submit Test' }).tap()
  await expect(phone.page.getByRole('heading', { name: 'You are ready' })).toBeVisible()
  await expect(
    phone.page.getByText(/Your society sees one line about it: that you are ready/),
  ).toBeVisible()
  await expect(phone.page.getByText(/saved as soon as the connection was back/)).toBeVisible()
  await expect(phone.page.getByText(/this is a phone/)).toBeVisible()
  await expectSound(phone.page)
  // A reload shows the result again and doesn't send it again.
  await phone.page.reload()
  await expect(phone.page.getByRole('heading', { name: 'You are ready' })).toBeVisible()
  await phone.context.close()

  await page.reload()
  await expect(ana).toContainText('tried')
  await expect(ana).not.toContainText('not tried')
})

test('A member rehearses by keyboard, and Overview counts it', { tag: '@full' }, async ({
  page,
  product,
  signedIn,
}) => {
  const { code, of } = await makeRehearsed(product, signedIn.email)
  await page.goto(`/recruitment/rehearsal?for=${code}`)
  await expect(page.getByText(/^Anyone can use this link/)).toBeVisible()
  await expectSound(page)
  await page.getByRole('button', { name: 'Begin the rehearsal' }).press('Enter')
  for (const number of [1, 2, 3, 4, 5]) {
    await expect(questionHeading(page, number)).toBeVisible()
    await page.keyboard.press('b')
    await page.keyboard.press('Enter')
  }
  // Enter on the last question asks first. The dialog focuses its first button a frame after it opens.
  const question = page.getByRole('alertdialog')
  await expect(question.getByRole('button', { name: 'Keep going' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(question.getByRole('button', { name: 'Submit Test' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'You are ready' })).toBeVisible()
  await expect(page.getByText('Your society sees that you tried it.')).toBeVisible()
  // It wasn't the member's own test, so the organizer pages are still open to the member.
  await page.goto(of('rehearsal'))
  await expect(page.getByText('1 organizer has tried it.')).toBeVisible()
  await expect(page.getByText('0 of 2 candidates have tried their computer.')).toBeVisible()
})

test('A rehearsal link that opens nothing says so', { tag: '@full' }, async ({
  page,
  signedIn: _,
  expectConsoleErrors,
}) => {
  expectConsoleErrors((text) => text.includes('404'))
  await page.goto(`/recruitment/rehearsal?for=NO_${randomUUID().slice(0, 8).toUpperCase()}`)
  await page.getByRole('button', { name: 'Begin the rehearsal' }).click()
  await expect(page.getByRole('alert')).toContainText('This rehearsal link is not valid')
  await page.goto('/recruitment/rehearsal')
  await expect(page.getByText(/Please open the link that your society gave you/)).toBeVisible()
})
