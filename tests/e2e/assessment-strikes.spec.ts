import {
  answersOf,
  attemptOf,
  CONTACT,
  choose,
  eventsOf,
  placeOfOptions,
  questionHeading,
  saveState,
  setAway,
  signInWhereCallsFail,
  startByInstructions,
  startTest,
  strikes,
  submitted,
  toast,
} from './assessment-rig.ts'
import { expect, expectSound, test } from './rig.ts'

// assessments/violations.test.ts and assessments/web/attempt/seen/*.test.ts cover which actions count as one.
signInWhereCallsFail()

test('Each strike is counted and named, and the third one ends the test for good', {
  tag: '@whole',
}, async ({ page, product }) => {
  const { candidate, items } = await startTest(page, product)
  const counted = () => eventsOf(product, candidate.id, 'violations')
  await page.setViewportSize({ width: 390, height: 844 })
  const before = await placeOfOptions(page)
  // The question's text can't be selected.
  await questionHeading(page, 1).dblclick()
  expect(await page.evaluate(() => String(getSelection()))).toBe('')

  // It is one absence, however the browser reports it. The toast waits for the candidate.
  await setAway(page, true)
  await expect.poll(counted).toEqual(['page_hidden'])
  await expect(toast(page, 'Exam Safe Mode')).toHaveCount(0)
  await setAway(page, false)
  await expect(
    toast(page, 'Leaving the test page is not allowed during the test. Strike 1/3.'),
  ).toBeVisible()
  await expect(strikes(page, 1)).toBeVisible()
  await expect(page.getByText('Recorded: Leaving the test page, strike 1/3.')).toBeVisible()
  expect(await placeOfOptions(page)).toEqual(before)

  // Simultaneous actions are one strike, named after the first.
  await page.evaluate(() => {
    const init = { bubbles: true, cancelable: true }
    document.body.dispatchEvent(new PointerEvent('contextmenu', { ...init, pointerType: 'mouse' }))
    for (const kind of ['copy', 'cut', 'paste']) {
      document.body.dispatchEvent(new ClipboardEvent(kind, init))
    }
    document.body.dispatchEvent(new KeyboardEvent('keyup', { ...init, key: 'PrintScreen' }))
  })
  await expect(
    toast(page, 'Right-clicking is not allowed during the test. Strike 2/3.'),
  ).toBeVisible()
  await expect(strikes(page, 2)).toBeVisible()
  expect(await counted()).toEqual(['page_hidden', 'context_menu'])
  await expect
    .poll(async () => (await eventsOf(product, candidate.id)).slice(-5))
    .toEqual(['context_menu', 'copy', 'cut', 'paste', 'print_screen'])

  // Nothing chosen is lost: answers are sent before the strike that ends the test.
  await page.route('**/attempt/answers', (route) => route.abort())
  await choose(page, 'B')
  await expect(saveState(page, 'retrying')).toBeVisible()
  await page.unroute('**/attempt/answers')
  await setAway(page, true)
  await expect(submitted(page)).toBeVisible()
  expect(await answersOf(product, candidate.id)).toEqual({ [items[0]?.id ?? 0]: 'B' })
  const attempt = await attemptOf(product, candidate.id)
  expect(attempt?.submit_reason).toBe('violations')

  // The page doesn't thank or judge: it says what counted, when, and whom to tell.
  const main = page.getByRole('main')
  await expect(main.getByText('after the third violation')).toBeVisible()
  await expect(main.getByText('Thank you')).toHaveCount(0)
  await expect(main.locator('svg')).toHaveCount(0)
  await expect(main.getByText('individual results are not displayed')).toBeVisible()
  const recorded = page.getByRole('region', { name: 'What counted' }).getByRole('listitem')
  await expect(recorded).toHaveText([
    /^1Leaving the test page\d+:\d\d:\d\d [AP]M$/,
    /^2Right-clicking\d/,
    /^3Leaving the test page\d/,
  ])
  await expect(page.getByRole('heading', { name: 'If this is wrong' })).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: CONTACT })).toBeVisible()
  await expect(main.getByText(attempt?.id.slice(0, 8) ?? '', { exact: true })).toBeVisible()
  await expectSound(page)

  await page.reload()
  await expect(recorded).toHaveCount(3)
  await page.getByText('What was recorded', { exact: true }).click()
  const entries = page.getByRole('listitem')
  await expect(entries.filter({ hasText: 'You started the test' })).toHaveText(/^00:00/)
  await expect(entries.filter({ hasText: 'Right-clicking was blocked' })).toHaveText(
    /^00:\d\d.*: counted as a violation$/,
  )
  await expect(page.getByText('What an entry doesn’t prove')).toBeVisible()
})

test('A shortcut, leaving inside the product and another site in the tab are one strike each', {
  tag: '@whole',
}, async ({ page, product }) => {
  page.on('dialog', (dialog) => dialog.accept())
  const { candidate } = await startByInstructions(page, product)
  await page.keyboard.down('Control')
  await page.keyboard.down('p')
  // A key held too long is still one action.
  await page.keyboard.down('p')
  await page.keyboard.up('p')
  await page.keyboard.up('Control')
  await expect(
    toast(page, 'The shortcut Ctrl+P is not allowed during the test. Strike 1/3.'),
  ).toBeVisible()

  await page.evaluate(() => history.back())
  const question = page.getByRole('alertdialog', { name: 'Leave the test?' })
  await question.getByRole('button', { name: 'Leave the test' }).click()
  await expect(page).toHaveURL('/recruitment/instructions')
  const running = page.getByRole('region', { name: 'Your test is running' })
  await expect(running).toContainText('of 3 strikes')
  await expect(page.getByRole('button', { name: /^I Understand/ })).toHaveCount(0)
  await expect(page.getByText('The clock starts when you')).toHaveCount(0)
  await running.getByRole('button', { name: 'Continue' }).click()
  await expect(strikes(page, 2)).toBeVisible()

  await page.route('/elsewhere', (route) => route.fulfill({ body: 'The answers' }))
  await page.goto('/elsewhere')
  await page.goBack()
  await expect(submitted(page)).toBeVisible()
  await expect(page.getByText('after the third violation')).toBeVisible()
  expect(await eventsOf(product, candidate.id, 'violations')).toEqual([
    'shortcut',
    'page_hidden',
    'page_hidden',
  ])
})

test('A device without fullscreen shows no button for it, and gets no strike', {
  tag: '@full',
}, async ({ page, product }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'fullscreenEnabled', { get: () => false })
  })
  const { candidate } = await startTest(page, product)
  await choose(page, 'A')
  await expect(saveState(page, 'saved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Enter Fullscreen' })).toHaveCount(0)
  expect(await eventsOf(product, candidate.id, 'violations')).toEqual([])
})
