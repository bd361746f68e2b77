import { randomUUID } from 'node:crypto'
import type { Browser } from '@playwright/test'
import { rehearsalLink } from '../../../assessments/server/rehearsal-store.ts'
import { sweepSimulations } from '../../../societies/setup/server/rehearsal/simulation-store.ts'
import { choose, makeAssessment, makeCandidate, questionHeading } from '../assessment-rig.ts'
import { expect, expectAccessible, expectSound, type Product, test } from '../rig.ts'
import { addMember } from './console-rig.ts'

const PHONE = { width: 390, height: 844 }

/** A test with two listed candidates, and the signed-in account as an owner of its society. */
async function makeTest(product: Product, email: string) {
  const { code } = await makeAssessment(product, { itemCount: 6 })
  const [ana, rui] = [await makeCandidate(product, code), await makeCandidate(product, code)]
  await product.db.$client.query('update candidates set name = $2, room = $3 where id = $1', [
    ana.id,
    'Ana Sousa',
    '2.11',
  ])
  const { rows } = await product.db.$client.query<{ society: string }>(
    'select society_id as society from assessments where code = $1',
    [code],
  )
  const society = rows[0]?.society as string
  await addMember(product, society, email)
  // The old address of the rehearsal page.
  const url = `/organise/${society}/assessments/${code}/rehearsal`
  const candidates = `/organise/${society}/assessments/${code}/candidates`
  const settings = { secretKey: product.secretKey, publicUrl: product.url }
  return { code, society, url, candidates, ana, rui, link: rehearsalLink(settings, ana.id) }
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
  const { candidates, link } = await makeTest(product, signedIn.email)
  await page.goto(candidates)
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
  const { code, url } = await makeTest(product, signedIn.email)
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
  await page.goto(url)
  await expect(page.getByText('1 organizer has tried it.')).toBeVisible()
  await expect(page.getByText('0 of 2 candidates have tried their computer.')).toBeVisible()
})

test('A simulated crowd plays to its end and leaves no data', { tag: '@full' }, async ({
  page,
  product,
  signedIn,
}) => {
  const { url } = await makeTest(product, signedIn.email)
  await product.db.$client.query(
    "update attempts set submitted_at = started_at, submit_reason = 'deadline' where submitted_at is null",
  )
  await page.goto(url)
  const count = async () => {
    const { rows } = await product.db.$client.query(
      `select (select count(*)::int from assessments where trial = 'simulation') as assessments,
         (select count(*)::int from candidates where username like 'simulated-%') as candidates,
         (select count(*)::int from sessions where user_agent like 'Superday simulation %') as guests`,
    )
    return rows[0]
  }
  await page.getByRole('button', { name: 'Rehearse with 10 simulated candidates' }).press('Enter')
  await expect(page.getByText('Rehearsal. Nothing here counts.')).toBeVisible()
  await expect(page.getByText('Rehearsal. It is over. Nothing here counts.')).toBeVisible({
    timeout: 60_000,
  })
  await expectSound(page)
  const later = () => new Date(product.clock.now().getTime() + 3_700_000)
  await sweepSimulations({ db: product.db, now: later })
  expect(await count()).toEqual({ assessments: 0, candidates: 0, guests: 0 })
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
