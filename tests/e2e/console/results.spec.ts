import { randomUUID } from 'node:crypto'
import { hashCandidatePassword } from '../../../assessments/server/password-store.ts'
import { OPTION_LETTERS } from '../../../platform/options.ts'
import { logIn, openOtherBrowser, PASSWORD } from '../assessment-rig.ts'
import { expect, expectAccessible, expectSound, isFull, type Product, test } from '../rig.ts'
import { makeTest, openedDialog } from './console-rig.ts'

/**
 * A society with a closed test of four questions. `each` people have each score from 0 to 4, the page's account is an
 * owner, and `satBy` took the test.
 */
async function over(product: Product, email: string, each = 6) {
  const { $client } = product.db
  const nowMs = product.clock.now().getTime()
  const ago = (minutes: number) => new Date(nowMs - minutes * 60_000)
  const { code, name, items, of } = await makeTest(product, email, {
    ...{ session: 'Morning', season: 'Autumn', durationSeconds: 1_800, itemCount: 4 },
    ...{ opensAt: ago(300), closesAt: ago(200), timeZone: 'Europe/Lisbon' },
  })
  await $client.query(`update assessment_items set correct_option = 'A' where assessment = $1`, [
    code,
  ])
  for (let n = 0; n < each * 5; n += 1) {
    const [candidate, attempt, right] = [randomUUID(), randomUUID(), Math.floor(n / each)]
    await $client.query(
      `insert into candidates (id, assessment, username, name, email, room, password_hash, created_at)
       values ($1, $2, $3, $4, $5, '2.11', $6, $7)`,
      [
        ...[candidate, code, `p.${n}`, `Person ${n} Surname`, `p${n}@student.example`],
        ...[hashCandidatePassword(product.secretKey, PASSWORD), ago(300)],
      ],
    )
    await $client.query(
      `insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, submitted_at,
         submit_reason, closed_by_submit, window_id, is_demo)
       values ($1, $2, $3, $4, $5, $6, $7, 'candidate', true, 'w', false)`,
      [...[attempt, code, candidate, items.map(({ id }) => id)], ...[ago(280), ago(250), ago(260)]],
    )
    await $client.query(
      `insert into attempt_answers (attempt_id, item_id, choice, revision, saved_at)
       select $1, id, case when n <= $3 then 'A' else $4 end, 1, $5
       from unnest($2::int[]) with ordinality as asked (id, n)`,
      [attempt, items.map(({ id }) => id), right, OPTION_LETTERS[1 + (n % 3)], ago(270)],
    )
  }
  return { code, society: name, page: of('results') }
}

test('An owner sets the cut score, locks it, reveals the names, releases and withdraws the results by keyboard', async ({
  page,
  product,
  signedIn,
  browser,
}) => {
  const place = await over(product, signedIn.email)
  await page.goto(place.page)
  await expect(
    page.getByRole('heading', { name: '30 took it, in three groups, with 0 to 4 points.' }),
  ).toBeVisible()
  await expect(page.getByText('Surname')).toHaveCount(0)
  await page.getByRole('button', { name: 'Set a cut score' }).press('Enter')
  const cut = page.getByRole('row', { name: /^Cut score/ })
  await expect(cut).toHaveText('Cut score 2: 18 at or above')
  await expect(
    page.getByRole('heading', { name: 'Six are clearly above 2. Eighteen are too close to call.' }),
  ).toBeVisible()
  await page.getByLabel('Cut score, points').press('ArrowUp')
  await expect(page.getByText(/^Saved by/)).toBeVisible()
  await expect(cut).toHaveText('Cut score 3: 12 at or above')
  await page.getByLabel('Cut score, points').focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('2')
  await expect(page.getByText('Eighteen are too close to call.')).toBeVisible()
  await expectSound(page)

  await page.getByRole('row').last().getByRole('button').press('Enter')
  await expect(page.getByRole('region', { name: /^Candidate/ })).toContainText('0 ± 1')

  await page.getByRole('button', { name: 'Review 18 candidates' }).press('Enter')
  // Including the header and the cut score's row.
  await expect(page.getByRole('row')).toHaveCount(20)
  await page.keyboard.press('/')
  await page.keyboard.type('00')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Lock the cut score…' }).press('Enter')
  await page.getByRole('button', { name: 'Lock it at 2' }).press('Enter')
  await expect(page.getByText(/To change it, give a reason/)).toBeVisible()
  await page.getByRole('switch', { name: 'Blind review' }).press('Space')
  await page.getByRole('button', { name: 'Show 30 names' }).press('Enter')
  await expect(page.getByRole('button', { name: /^Person \d+ Surname$/ }).first()).toBeVisible()
  if (isFull) await expectAccessible(page)

  await page.getByRole('button', { name: 'Release results…' }).press('Enter')
  const dialog = await openedDialog(page)
  await dialog.getByLabel('Your message').fill('Thank you for coming.')
  await dialog.getByLabel(/^Show the cut score/).press('Space')
  await expect(dialog.getByText(/^The society’s cut score was 2 points/)).toBeVisible()
  await expect(dialog.getByText('took the test as guests')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /^Release \d+ result/ }).press('Enter')
  await expect(page.getByText(/^Released by/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Release results…' })).toHaveCount(0)

  // Candidates who took it as guests read their result in any browser.
  const device = await openOtherBrowser(browser, product)
  await device.page.goto('/recruitment')
  await device.page.getByRole('button', { name: `Read your result ${place.society}` }).click()
  await logIn(device.page, 'p.29', PASSWORD)
  await expect(device.page.getByRole('region', { name: 'Your result' })).toContainText('4 of 4')
  await expect(device.page.getByText('Thank you for coming.')).toBeVisible()
  await expect(device.page.getByText('not displayed')).toHaveCount(0)
  await expectAccessible(device.page)
  await device.context.close()
  await page.getByRole('button', { name: 'Withdraw results…' }).press('Enter')
  await page.getByRole('dialog').getByLabel('Reason').fill('A wrong key.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/Candidates can’t see them\./)).toBeVisible()
})

test('Few results have no groups, files are downloaded, and nothing is shown while a candidate takes the test', {
  tag: '@full',
}, async ({ page, product, signedIn }) => {
  const place = await over(product, signedIn.email, 4)
  await page.goto(place.page)
  await expect(page.getByText(/n = \d+, too few to say how precise a score is\./)).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Group' })).toHaveCount(0)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Without names (CSV)' }).press('Enter')
  expect((await download).suggestedFilename()).toBe(`${place.code}-results-without-names.csv`)
  await expect(page.getByRole('button', { name: 'All results (Excel)' })).toBeVisible()
  await expectAccessible(page)
  await product.db.$client.query(
    `update attempts set submitted_at = null, submit_reason = null, closed_by_submit = false,
       deadline_at = $2 where id = (select id from attempts where assessment = $1 limit 1)`,
    [place.code, new Date(product.clock.now().getTime() + 3_600_000)],
  )
  await page.reload()
  await expect(
    page.getByRole('heading', { name: 'Results appear when everyone has finished' }),
  ).toBeVisible()
  await expect(page.getByText(/^1 candidate is still taking the test\./)).toBeVisible()
  await expectSound(page)
})
