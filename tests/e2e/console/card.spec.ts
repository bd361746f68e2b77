import { closedSession, release } from '../../rig/card-rig.ts'
import { expect, expectSound, test } from '../rig.ts'
import { makeSociety } from './console-rig.ts'

test('An owner publishes a season’s fairness card, and visitors read it once results are released', {
  tag: '@full',
}, async ({ page, browser, product, signedIn }) => {
  const { $client } = product.db
  const { id: society } = await makeSociety(product, signedIn.email)
  const at = (hour: number) => new Date(Date.UTC(2025, 10, 25, hour))
  const of = { societyId: society, season: 'Autumn 2025' }
  const morning = await closedSession(product, {
    ...{ ...of, people: 110, session: 'Morning', opensAt: at(9) },
  })
  const afternoon = await closedSession(product, {
    ...{ ...of, people: 102, session: 'Afternoon', opensAt: at(14) },
    shared: morning.questionIds.slice(0, 8),
  })
  await morning.rulingOn(6, 'replace', 'The options were rewritten after the check.', 105)

  await page.goto(`/organise/${society}/seasons`)
  await expect(page).toHaveURL(`/organise/${society}`)
  await page.getByRole('link', { name: 'Fairness card of Autumn 2025' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Nothing of it is public' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText(
    '212 people sat a test of 12 questions',
  )
  await expect(page.getByText('its address answers “not yet” until then')).toBeVisible()
  await page.getByRole('button', { name: 'Publish version 1' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Version 1 waits for the results' })).toBeVisible()
  await expect(page.getByRole('button', { name: /Publish/ })).toHaveCount(0)
  const { rows: cards } = await $client.query<{ id: string }>(
    'select card_id as id from fairness_cards where society_id = $1',
    [society],
  )
  const address = `${product.url}/fairness/${cards[0]?.id}`
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the link' }).click()
  await expect(page.getByText('Copied', { exact: true })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)

  const visitor = await browser.newPage()
  const answer = await visitor.goto(address)
  expect(answer?.headers()['x-robots-tag']).toBe('noindex')
  await expect(visitor.getByRole('heading', { name: 'Not yet' })).toBeVisible()
  await release(product, morning.code)
  await release(product, afternoon.code)
  await visitor.getByRole('button', { name: 'Look again' }).click()
  await expect(
    visitor.getByRole('heading', { name: 'How the Autumn 2025 test was run' }),
  ).toBeVisible()
  await expect(visitor.getByText('Question 7 of Morning had a wrong key.')).toContainText(
    '105 scores changed. The reason: “The options were rewritten after the check”.',
  )
  const scripts = await visitor.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  )
  expect(scripts.filter((name) => /console|assessments-page/.test(name))).toEqual([])

  await visitor.getByLabel('You sat it?').focus()
  await visitor.keyboard.type('nothing')
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByRole('status').first()).toContainText('eight characters')
  await visitor.getByLabel('You sat it?').fill(afternoon.attempts[0]?.slice(0, 8) ?? '')
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByText('Yes: your answers are among the 212.')).toBeVisible()

  await $client.query('update candidates set extra_seconds = 300 where id = $1', [
    morning.candidates[0],
  ])
  await page.reload()
  await expect(
    page.getByRole('heading', { name: 'Version 1 is public, and not up to date' }),
  ).toBeVisible()
  await expect(page.getByText('differs in extra time from version 1')).toBeVisible()
  await page.getByRole('button', { name: 'Publish version 2' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Version 2 is public' })).toBeVisible()
  await visitor.reload()
  await visitor.getByRole('link', { name: 'Version 1' }).click()
  await expect(visitor.getByText('There is a newer version.')).toBeVisible()
  await expect(visitor.getByText('Nobody had extra time planned.')).toBeVisible()
  await visitor.goBack()

  for (const one of [visitor, page]) await expectSound(one)
  const sheet = await visitor.pdf({ format: 'A4' })
  expect(sheet.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(2)
  await visitor.close()
})
