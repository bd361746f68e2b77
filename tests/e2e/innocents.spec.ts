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
  strikes,
} from './assessment-rig.ts'
import { expect, test } from './rig.ts'

// docs/proctoring.md lists them, and says how true to life each is.
signInWhereCallsFail()

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
