import type { Page } from '@playwright/test'
import {
  choose,
  enterTest,
  eventsOf,
  makeAssessment,
  makeCandidate,
  organiserSees,
  questionHeading,
  saveState,
  setFocus,
  setVisible,
  signInWhereCallsFail,
  startTest,
  strikes,
} from './assessment-rig.ts'
import { expect, test, tokenOf } from './rig.ts'

test.use({ movesClock: true })

// docs/proctoring.md says what each of these shows, and how true to life it is.
signInWhereCallsFail()

/** The browser asks before the page goes; without a touch of the page before, it doesn't. */
const acceptPrompt = (page: Page) => page.once('dialog', (dialog) => dialog.accept())

test.describe('a cheat', () => {
  test('another site in the same tab, and Back, is one strike, with its length', async ({
    page,
    product,
  }) => {
    const { code, candidate } = await startTest(page, product)
    await choose(page, 'A')
    await expect(saveState(page, 'saved')).toBeVisible()
    acceptPrompt(page)
    await page.route('/elsewhere', (route) => route.fulfill({ body: 'The answers' }))
    await page.goto('/elsewhere')
    await product.clock.move(4_000)
    await page.goBack()
    await expect(strikes(page, 1)).toBeVisible()
    await expect(
      page.getByRole('region', { name: 'Notifications' }).getByText('Leaving the test page is not'),
    ).toBeVisible()
    expect(await eventsOf(product, candidate.id, 'violations')).toEqual(['page_hidden'])
    await expect
      .poll(async () => (await organiserSees(product, code)).worthALook)
      .toEqual([
        expect.stringMatching(
          /^away [4-9](\.\d)? s between two windows, from \d\d:\d\d, back by the Back or Forward button$/,
        ),
      ])
    // Left by its address, and back by its address: the same.
    acceptPrompt(page)
    await page.goto('/faq')
    await page.goto('/recruitment/test')
    await expect(strikes(page, 2)).toBeVisible()
  })

  test('what says to be a reload after a long time is listed', async ({ page, product }) => {
    const { code } = await startTest(page, product)
    await choose(page, 'A')
    await expect(saveState(page, 'saved')).toBeVisible()
    await page.route('**/recruitment/test', async (route) => {
      await product.clock.move(20_000)
      await route.continue()
    })
    acceptPrompt(page)
    // The page itself goes only when the answer is there: it is asked for before, and again.
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')))
    await page.reload()
    await expect(questionHeading(page, 2)).toBeVisible()
    await expect
      .poll(() => organiserSees(product, code))
      .toEqual({
        strikes: 0,
        worthALook: [
          expect.stringMatching(/^away 2\d s between two windows, .* back by a reload$/),
        ],
      })
  })

  test('the leave prompt left standing is listed with its length', async ({ page, product }) => {
    const { code, candidate } = await startTest(page, product)
    await choose(page, 'A')
    page.once('dialog', async (dialog) => {
      await new Promise((resolve) => setTimeout(resolve, 10_500))
      await dialog.dismiss()
    })
    await page.reload({ timeout: 12_000 }).catch(() => {})
    await expect.poll(() => eventsOf(product, candidate.id)).toEqual(['ready', 'leave_prompt'])
    expect(await organiserSees(product, code)).toEqual({
      strikes: 0,
      worthALook: [expect.stringMatching(/^the leave prompt stood for 1\d s, from 00:0\d$/)],
    })
  })

  test('another tab behind the leave prompt is one strike', async ({ page, product }) => {
    const { candidate } = await startTest(page, product)
    // As Chromium tells it, all at once, when the prompt is answered.
    await page.evaluate(() => {
      dispatchEvent(new Event('beforeunload', { cancelable: true }))
      dispatchEvent(new Event('blur'))
      for (const state of ['hidden', 'visible']) {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
        document.dispatchEvent(new Event('visibilitychange'))
      }
      dispatchEvent(new Event('focus'))
    })
    await expect(strikes(page, 1)).toBeVisible()
    await expect
      .poll(() => eventsOf(product, candidate.id))
      .toEqual(['ready', 'page_hidden', 'page_visible', 'leave_prompt'])
  })

  test('short absences behind changes of fullscreen: listed, and struck from the third on', async ({
    page,
    product,
  }) => {
    const { code, candidate } = await startTest(page, product)
    for (const isEntered of [true, false, true]) {
      if (isEntered) await page.getByRole('button', { name: 'Enter Fullscreen' }).click()
      else await page.evaluate(() => document.exitFullscreen())
      await setFocus(page, false)
      await page.waitForTimeout(1_000)
      await setFocus(page, true)
    }
    await expect(strikes(page, 1)).toBeVisible()
    const kinds = await eventsOf(product, candidate.id)
    expect(kinds.filter((kind) => kind === 'focus_lost')).toHaveLength(2)
    expect((await organiserSees(product, code)).strikes).toBe(1)
  })

  test('a script that only saves is told by its pace', async ({ page, product }) => {
    const { code, items } = await makeAssessment(product, { itemCount: 12 })
    const { username } = await makeCandidate(product, code)
    await enterTest(page, code, username, '/recruitment')
    const candidateToken = await page.evaluate(
      (name) => sessionStorage.getItem(`${name.toLowerCase()}_candidate_token`),
      code,
    )
    const headers = {
      Authorization: `Bearer ${await tokenOf(page)}`,
      'X-Candidate-Token': candidateToken ?? '',
      'X-Window-Id': 'script',
    }
    const attempt = `/api/assessments/${code}/attempt`
    await page.request.post(attempt, { headers, data: { windowId: 'script' } })
    const ready = { id: 1, kind: 'ready', at: 0 }
    await page.request.post(`${attempt}/events`, { headers, data: { events: [ready] } })
    for (const { id } of items) {
      await product.clock.move(500)
      const answers = [{ questionId: id, choice: 'A', revision: 1 }]
      await page.request.put(`${attempt}/answers`, { headers, data: { answers, lastEvent: 1 } })
    }
    expect((await organiserSees(product, code)).worthALook).toEqual([
      expect.stringMatching(/^answered 12 questions in \d+(\.\d)? s, until 00:\d\d$/),
    ])
  })

  test('a script that stops the listeners is told by the heartbeat', async ({ page, product }) => {
    await page.addInitScript(() => {
      const stop = (event: Event) => event.isTrusted || event.stopImmediatePropagation()
      for (const kind of ['blur', 'focus', 'pointerdown']) addEventListener(kind, stop, true)
      document.addEventListener('visibilitychange', stop, true)
    })
    await page.clock.install()
    const { code } = await startTest(page, product)
    await setVisible(page, false)
    await choose(page, 'A')
    await page.clock.fastForward(31_000)
    await expect
      .poll(async () => (await organiserSees(product, code)).worthALook, { timeout: 5_000 })
      .toEqual(['the page said once that it was hidden, and told of no absence'])
  })

  test('many take-overs are told', async ({ page, product }) => {
    const { code } = await startTest(page, product)
    for (let round = 0; round < 8; round += 1) {
      await page.reload()
      await expect(questionHeading(page, 1)).toBeVisible()
    }
    expect(await organiserSees(product, code)).toEqual({
      strikes: 0,
      worthALook: ['8 take-overs, 1 address'],
    })
  })

  test('the text can neither be selected nor dragged, and trying is told', async ({
    page,
    product,
  }) => {
    const { code, candidate } = await startTest(page, product)
    const heading = questionHeading(page, 1)
    const box = await heading.boundingBox()
    if (!box) throw new Error('The question is not there.')
    await page.mouse.move(box.x + 5, box.y + 5)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 5, box.y + box.height - 5, { steps: 5 })
    await page.mouse.up()
    await heading.dblclick()
    expect(await page.evaluate(() => String(getSelection()))).toBe('')
    const isStopped = await heading.evaluate(
      (element) =>
        !element.dispatchEvent(new DragEvent('dragstart', { bubbles: true, cancelable: true })),
    )
    expect(isStopped).toBe(true)
    await expect.poll(() => eventsOf(product, candidate.id)).toEqual(['ready', 'drag'])
    expect(await organiserSees(product, code)).toEqual({
      strikes: 0,
      worthALook: ['dragged text once'],
    })
  })
})

test('a candidate reads before what is recorded, and after what was', async ({ page, product }) => {
  const { code } = await makeAssessment(product, { itemCount: 1 })
  const candidate = await makeCandidate(product, code)
  await enterTest(page, code, candidate.username, '/recruitment/instructions')
  await expect(page.getByText('Kept and never counted: your answers')).toBeVisible()
  await page.getByRole('button', { name: 'I Understand - Start the Exam' }).click()
  await expect(questionHeading(page, 1)).toBeVisible()
  await page.keyboard.press('Control+f')
  await expect(strikes(page, 1)).toBeVisible()
  await choose(page, 'A')
  await page.getByRole('button', { name: 'Submit Test' }).click()
  await expect(page.getByRole('heading', { name: 'Assessment Submitted' })).toBeVisible()
  for (const _ of ['at once', 'after a reload']) {
    await expect(page.getByText('The shortcut Ctrl+F was stopped')).toBeHidden()
    await page.getByText('What was recorded', { exact: true }).click()
    const record = page.getByRole('listitem')
    await expect(record.filter({ hasText: 'The shortcut Ctrl+F was stopped' })).toHaveText(
      /^00:\d\d.*: counted as a violation$/,
    )
    await expect(record.filter({ hasText: 'You started the test' })).toHaveText(/^00:00/)
    await expect(page.getByText('What an entry does not mean')).toBeVisible()
    await expect(page.getByText('1 save of your answers')).toBeVisible()
    await page.reload()
  }
})
