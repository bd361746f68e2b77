import type { CDPSession, Page } from '@playwright/test'
import {
  choose,
  eventsOf,
  organizerSees,
  saveState,
  setFocus,
  setVisible,
  signInWhereCallsFail,
  startByInstructions,
  startTest,
  strikes,
} from './assessment-rig.ts'
import { expect, type Product, test } from './rig.ts'

// docs/proctoring.md lists them, and says how realistic each is.
signInWhereCallsFail()

interface Act {
  name: string
  act: (page: Page, devtools: CDPSession) => Promise<unknown>
  /** the kinds of events that it records */
  recorded?: string[]
}

const press = (page: Page, init: object) =>
  page.evaluate((options) => {
    const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...options })
    document.activeElement?.dispatchEvent(event)
  }, init)
const CTRL_ALT = { ctrlKey: true, altKey: true }

const QUICK: Act[] = [
  {
    name: 'a system notification, at which the focus flickers',
    act: async (page) => {
      await page.evaluate(() => {
        dispatchEvent(new Event('blur'))
        dispatchEvent(new Event('focus'))
      })
    },
  },
  {
    name: 'characters typed with AltGr',
    act: async (page) => {
      await press(page, { key: 'ć', code: 'KeyC', ...CTRL_ALT, modifierAltGraph: true })
      await press(page, { key: 'ś', code: 'KeyS', ...CTRL_ALT })
      await press(page, { key: '@', code: 'KeyV', ...CTRL_ALT, modifierAltGraph: true })
    },
  },
  {
    name: 'a screen reader, which moves the focus and presses without pointer or key',
    act: async (page) => {
      const radio = page.getByRole('radio').nth(1)
      await radio.focus()
      await radio.evaluate((one: HTMLElement) => one.click())
      await press(page, { key: 'a', code: 'KeyA', ...CTRL_ALT })
      await page.keyboard.press('ArrowDown')
    },
  },
  {
    name: 'zooming by keys',
    act: async (page) => {
      for (const key of ['+', '-', '0', '=']) await page.keyboard.press(`Control+${key}`)
    },
  },
  {
    name: 'a finger that rests on the page',
    act: (page) =>
      page.evaluate(() => {
        const init = { bubbles: true, cancelable: true, pointerType: 'touch' }
        document.body.dispatchEvent(new PointerEvent('contextmenu', init))
      }),
  },
  {
    name: 'a second screen, where the mouse goes',
    act: async (page, devtools) => {
      for (const x of [400, 5, -300, 400]) {
        await devtools.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y: 200 })
      }
      await page.evaluate(() =>
        document.documentElement.dispatchEvent(new MouseEvent('mouseleave')),
      )
    },
  },
  {
    name: "the page's own question, answered with staying",
    act: async (page) => {
      await page.evaluate(() => history.back())
      const question = page.getByRole('alertdialog', { name: 'Leave the test?' })
      await question.getByRole('button', { name: 'Stay in the test' }).click()
      await expect(question).toBeHidden()
    },
  },
  {
    name: 'fullscreen and back',
    act: async (page) => {
      const enter = page.getByRole('button', { name: 'Enter Fullscreen' })
      await enter.click()
      await expect(enter).toBeHidden()
      await page.evaluate(() => document.exitFullscreen())
      await expect(enter).toBeVisible()
    },
    recorded: ['fullscreen_enter', 'fullscreen_exit'],
  },
  {
    name: 'a reload by mistake, answered with staying',
    act: async (page) => {
      await choose(page, 'A')
      const answered = page.waitForEvent('dialog').then((dialog) => dialog.dismiss())
      await page.evaluate(() => void setTimeout(() => location.reload()))
      await answered
    },
    recorded: ['leave_prompt'],
  },
]

const SLOW: Act[] = [
  {
    name: 'a screen reader that reads',
    act: async (page) => {
      await page.getByRole('radio').nth(1).focus()
      await page.waitForTimeout(3_000)
    },
  },
  {
    name: 'zooming by two fingers',
    act: async (_, devtools) => {
      await devtools.send('Input.synthesizePinchGesture', { x: 200, y: 300, scaleFactor: 1.5 })
    },
  },
  {
    name: 'a phone that is turned',
    act: async (page, devtools) => {
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
  {
    name: 'a slow network',
    act: async (page, devtools) => {
      const slow = { offline: false, downloadThroughput: 4_000, uploadThroughput: 4_000 }
      await devtools.send('Network.emulateNetworkConditions', { ...slow, latency: 2_000 })
      for (const letter of ['A', 'B', 'C']) {
        await choose(page, letter)
        await page.waitForTimeout(400)
      }
      await expect(saveState(page, 'saved')).toBeVisible({ timeout: 20_000 })
      const fast = { offline: false, downloadThroughput: -1, uploadThroughput: -1, latency: 0 }
      await devtools.send('Network.emulateNetworkConditions', fast)
    },
  },
  {
    name: 'a laptop that sleeps with the page in front',
    act: async (_, devtools) => {
      await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
      await new Promise((resolve) => setTimeout(resolve, 3_000))
      await devtools.send('Page.setWebLifecycleState', { state: 'active' })
    },
  },
]

/** Performs all actions one after the other in one test. */
async function expectNoStrike(page: Page, product: Product, acts: Act[]) {
  await page.clock.install()
  const { code, candidate } = await startByInstructions(page, product)
  const devtools = await page.context().newCDPSession(page)
  const all = ['ready']
  for (const { name, act, recorded = [] } of acts) {
    await act(page, devtools)
    // Events that are excused for a moment are reported after it.
    await page.clock.fastForward(2_000)
    all.push(...recorded)
    await expect.poll(() => eventsOf(product, candidate.id), { message: name }).toEqual(all)
    await expect(strikes(page, 0), name).toBeVisible()
  }
  // The next test uses this page too, so its phone size is reset.
  await devtools.detach()
  expect(await organizerSees(product, code)).toEqual({ strikes: 0, worthALook: [] })
}

test('What honest candidates do gives no strike: AltGr, zooming, fullscreen, staying at the leave prompt', {
  tag: '@whole',
}, async ({ page, product }) => {
  await expectNoStrike(page, product, QUICK)
})

test('What honest candidates do slowly gives no strike: reading, pinching, a slow network, sleep', {
  tag: '@full',
}, async ({ page, product }) => {
  await expectNoStrike(page, product, SLOW)
})

test('A laptop whose screen is locked when it is closed gets one strike', {
  tag: '@full',
}, async ({ page, product }) => {
  const { candidate, code } = await startTest(page, product)
  await setVisible(page, false)
  await expect.poll(() => eventsOf(product, candidate.id)).toEqual(['ready', 'page_hidden'])
  await setVisible(page, true)
  await setFocus(page, true)
  await expect(strikes(page, 1)).toBeVisible()
  await expect
    .poll(() => eventsOf(product, candidate.id))
    .toEqual(['ready', 'page_hidden', 'page_visible'])
  expect(await organizerSees(product, code)).toEqual({ strikes: 1, worthALook: [] })
})
