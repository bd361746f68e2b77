import type { Page } from '@playwright/test'
import { describeMark } from '../../societies/server/marks-text.ts'
import { describeGap } from '../../societies/server/results/dossier-text.ts'
import { readStatus } from '../../societies/server/status.ts'
import {
  choose,
  enterTest,
  eventsOf,
  makeAssessment,
  makeCandidate,
  questionHeading,
  saveState,
  startTest,
  strikes,
} from './assessment-rig.ts'
import { expect, type Product, test, tokenOf } from './rig.ts'

// docs/proctoring.md says what each of these shows, and how true to life it is.
test.beforeEach(({ signedIn, expectConsoleErrors }) => {
  void signedIn
  expectConsoleErrors((text) => text.includes('Failed to load resource'))
})

/** What an organiser reads of the one candidate: strikes, and what is worth a look. */
async function organiserSees(product: Product, code: string) {
  const now = new Date(Date.now() + product.clock.offsetMs)
  const { candidates } = await readStatus({ db: product.db, now, actor: 'tester' }, code)
  const [one] = candidates
  return {
    strikes: one?.strikes,
    worthALook: [
      ...(one?.marks ?? []).map(describeMark),
      ...(one?.unmonitored ?? []).map((gap) => `unmonitored: ${describeGap(gap)}`),
    ],
  }
}

/** The browser asks before the page goes; without a touch of the page before, it doesn't. */
const acceptPrompt = (page: Page) => page.once('dialog', (dialog) => dialog.accept())

/** Takes the focus from the page, or gives it back, as another window does. */
const setFocus = (page: Page, isFocused: boolean) =>
  page.evaluate((name) => dispatchEvent(new Event(name)), isFocused ? 'focus' : 'blur')

const setVisible = (page: Page, isVisible: boolean) =>
  page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    isVisible ? 'visible' : 'hidden',
  )

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
    const { worthALook } = await organiserSees(product, code)
    expect(worthALook).toEqual([
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
    const seen = await organiserSees(product, code)
    expect(seen.strikes).toBe(0)
    expect(seen.worthALook).toEqual([
      expect.stringMatching(/^away 2\d s between two windows, .* back by a reload$/),
    ])
  })

  test('the leave prompt left standing is listed with its length, and hidden behind it counts', async ({
    page,
    product,
  }) => {
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
    // Another tab meanwhile: what the page hears when it goes on.
    await page.evaluate(() => {
      dispatchEvent(new Event('beforeunload', { cancelable: true }))
      for (const state of ['hidden', 'visible']) {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
        document.dispatchEvent(new Event('visibilitychange'))
      }
    })
    await expect(strikes(page, 1)).toBeVisible()
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
    const { code } = await startTest(page, product)
    await setVisible(page, false)
    await choose(page, 'A')
    await page.waitForTimeout(31_000)
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

test.describe('an innocent', () => {
  interface Innocent {
    act: (page: Page) => Promise<unknown>
    /** what is recorded besides `ready` */
    recorded?: string[]
    strikes?: number
  }
  const devtoolsOf = (page: Page) => page.context().newCDPSession(page)
  const press = (page: Page, init: object) =>
    page.evaluate((options) => {
      const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...options })
      document.activeElement?.dispatchEvent(event)
    }, init)

  const INNOCENTS: Record<string, Innocent> = {
    'a notification of the system': {
      // It leaves the focus where it is; at worst it flickers.
      act: async (page) => {
        await page.evaluate(async () => {
          dispatchEvent(new Event('blur'))
          await new Promise((resolve) => setTimeout(resolve, 100))
          dispatchEvent(new Event('focus'))
        })
      },
    },
    'characters by AltGr': {
      act: async (page) => {
        const alt = { ctrlKey: true, altKey: true }
        await press(page, { key: 'ć', code: 'KeyC', ...alt, modifierAltGraph: true })
        await press(page, { key: 'ś', code: 'KeyS', ...alt })
        await press(page, { key: '@', code: 'KeyV', ...alt, modifierAltGraph: true })
      },
    },
    'a screen reader': {
      // It moves the focus and presses what is there, without a pointer or a key of its own.
      act: async (page) => {
        await page.getByRole('radio').nth(1).focus()
        await page
          .getByRole('radio')
          .nth(1)
          .evaluate((radio: HTMLElement) => radio.click())
        await press(page, { key: 'a', code: 'KeyA', ctrlKey: true, altKey: true })
        await page.keyboard.press('ArrowDown')
        await page.waitForTimeout(3_000)
      },
    },
    'zooming by keys and by two fingers': {
      act: async (page) => {
        for (const key of ['+', '-', '0', '=']) await page.keyboard.press(`Control+${key}`)
        const devtools = await devtoolsOf(page)
        await devtools.send('Input.synthesizePinchGesture', { x: 200, y: 300, scaleFactor: 1.5 })
      },
    },
    "the page's own question": {
      act: async (page) => {
        await page.evaluate(() => history.back())
        const question = page.getByRole('alertdialog', { name: 'Leave the test?' })
        await question.getByRole('button', { name: 'Stay in the test' }).click()
        await expect(question).toBeHidden()
      },
    },
    'a reload by mistake, and staying': {
      act: async (page) => {
        await choose(page, 'A')
        page.once('dialog', (dialog) => dialog.dismiss())
        await page.reload({ timeout: 3_000 }).catch(() => {})
      },
      recorded: ['leave_prompt'],
    },
    'a laptop that sleeps with the page in front': {
      act: async (page) => {
        const devtools = await devtoolsOf(page)
        await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
        await new Promise((resolve) => setTimeout(resolve, 3_000))
        await devtools.send('Page.setWebLifecycleState', { state: 'active' })
      },
    },
    'a laptop whose screen is locked when it is closed': {
      act: async (page) => {
        await setVisible(page, false)
        await page.waitForTimeout(500)
        await setVisible(page, true)
        await setFocus(page, true)
      },
      recorded: ['page_hidden', 'page_visible'],
      strikes: 1,
    },
    'a phone that is turned': {
      act: async (page) => {
        const devtools = await devtoolsOf(page)
        for (const angle of [90, 0]) {
          await devtools.send('Emulation.setDeviceMetricsOverride', {
            width: angle ? 844 : 390,
            height: angle ? 390 : 844,
            deviceScaleFactor: 3,
            mobile: true,
            screenOrientation: { type: angle ? 'landscapePrimary' : 'portraitPrimary', angle },
          })
          await page.waitForTimeout(300)
        }
      },
    },
    'a finger that rests on the page': {
      act: (page) =>
        page.evaluate(() => {
          const init = { bubbles: true, cancelable: true, pointerType: 'touch' }
          document.body.dispatchEvent(new PointerEvent('contextmenu', init))
        }),
    },
    'a slow network': {
      act: async (page) => {
        const devtools = await devtoolsOf(page)
        const slow = { offline: false, downloadThroughput: 4_000, uploadThroughput: 4_000 }
        await devtools.send('Network.emulateNetworkConditions', { ...slow, latency: 2_000 })
        for (const letter of ['A', 'B', 'C']) {
          await choose(page, letter)
          await page.waitForTimeout(400)
        }
        await expect(saveState(page, 'saved')).toBeVisible({ timeout: 20_000 })
      },
    },
    'a second screen, where the mouse goes': {
      act: async (page) => {
        const devtools = await devtoolsOf(page)
        for (const x of [400, 5, -300, 400]) {
          await devtools.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y: 200 })
        }
        await page.evaluate(() =>
          document.documentElement.dispatchEvent(new MouseEvent('mouseleave')),
        )
      },
    },
    'printing by mistake: a shortcut of the rules, once': {
      act: async (page) => {
        await page.keyboard.down('Control')
        await page.keyboard.down('p')
        // Held too long.
        await page.keyboard.down('p')
        await page.keyboard.up('p')
        await page.keyboard.up('Control')
      },
      recorded: ['shortcut'],
      strikes: 1,
    },
  }

  for (const [name, { act, recorded = [], strikes: wanted = 0 }] of Object.entries(INNOCENTS)) {
    test(`${name}: ${wanted === 0 ? 'no strike' : 'one strike'}`, async ({ page, product }) => {
      const { code } = await makeAssessment(product)
      const candidate = await makeCandidate(product, code)
      await enterTest(page, code, candidate.username, '/recruitment/instructions')
      await page.getByRole('button', { name: 'I Understand - Start the Exam' }).click()
      await expect(questionHeading(page, 1)).toBeVisible()
      await act(page)
      // Whatever was excused for a moment would have been told by now.
      await page.waitForTimeout(1_700)
      await expect(strikes(page, wanted)).toBeVisible()
      expect(await eventsOf(product, candidate.id)).toEqual(['ready', ...recorded])
      expect(await organiserSees(product, code)).toEqual({ strikes: wanted, worthALook: [] })
    })
  }
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
    await expect(record.first()).toHaveText(/00:00\s*You started the test/)
    await expect(page.getByText('1 save of your answers')).toBeVisible()
    await page.reload()
  }
})
