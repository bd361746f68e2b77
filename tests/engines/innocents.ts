import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { eventsOf, organizerSees } from '../e2e/assessment-rig.ts'
import { choose, enter, questionIs } from './candidate.ts'
import type { Here } from './here.ts'
import { find, look, press, see, until } from './looks.ts'
import type { Tab } from './tab.ts'

/** What an honest candidate may do without a strike (docs/proctoring.md), one after the other in one test. */
const INNOCENTS: [string, (here: Here) => Promise<unknown>][] = [
  [
    'a notification of the system that flickers',
    ({ tab }) =>
      tab.run(async () => {
        dispatchEvent(new Event('blur'))
        await new Promise((resolve) => setTimeout(resolve, 100))
        dispatchEvent(new Event('focus'))
      }),
  ],
  [
    'characters by AltGr',
    async ({ tab }) => {
      await tell(tab, {
        key: 'ć',
        code: 'KeyC',
        ctrlKey: true,
        altKey: true,
        modifierAltGraph: true,
      })
      await tell(tab, { key: 'ś', code: 'KeyS', ctrlKey: true, altKey: true })
      await tab.keys('Control', 'Alt', 'v')
    },
  ],
  [
    'a screen reader, which presses without pointer or key',
    ({ tab }) =>
      tab.run(() => {
        const radio = document.querySelectorAll<HTMLElement>('[role=radio], input[type=radio]')[1]
        radio?.focus()
        radio?.click()
      }),
  ],
  [
    'zooming by keys',
    async ({ tab }) => {
      for (const key of ['+', '-', '0']) await tab.keys('Control', key)
    },
  ],
  [
    "the page's own question, answered by staying",
    async ({ tab }) => {
      await tab.run(() => history.back())
      await see(tab, { role: 'dialog', name: /Leave the test\?/ })
      await press(tab, 'button', 'Stay in the test')
      await until('it has gone', async () => !(await find(tab, { role: 'dialog' })))
    },
  ],
  [
    'fullscreen and back, by the button',
    async ({ tab }) => {
      await press(tab, 'button', 'Enter Fullscreen')
      await until('it is fullscreen', () => tab.run(() => document.fullscreenElement !== null))
      await wait(300)
      await tab.run(() => document.exitFullscreen())
      await see(tab, { role: 'button', name: 'Enter Fullscreen' })
    },
  ],
  [
    'a finger that taps, and one that rests on the page',
    async ({ tab }) => {
      const { x, y } = await see(tab, { role: 'radio', nth: 2 })
      await tab.pressAt(x, y, 'finger')
      await until(
        'it is chosen',
        async () => (await find(tab, { role: 'radio', nth: 2 }))?.isChecked,
      )
      await tab.run(() => {
        const init = { bubbles: true, cancelable: true, pointerType: 'touch' }
        document.body.dispatchEvent(new PointerEvent('contextmenu', init))
      })
    },
  ],
  [
    'a slow network',
    async ({ tab, wire }) => {
      wire.slow(700)
      for (const letter of ['A', 'B', 'C']) await choose(tab, letter)
      await until('all is saved', () =>
        tab.run(() => document.querySelector('[data-save-state=saved]') !== null),
      )
      wire.slow(0)
    },
  ],
  [
    'a second screen, where the mouse goes',
    ({ tab }) =>
      tab.run(() => void document.documentElement.dispatchEvent(new MouseEvent('mouseleave'))),
  ],
  [
    'a long look at the page without touching it',
    async ({ tab }) => {
      await tab.run(() => scrollTo(0, document.body.scrollHeight))
      await wait(1_000)
    },
  ],
]

const LAST = INNOCENTS.at(-1)?.[0]

/** An honest candidate, who gets no strike. */
export function innocents(here: Here): void {
  it('gives no strike for innocent actions', async () => {
    const { tab, product } = here
    const { code, id } = await enter(here)
    const blamed: string[] = []
    for (const [name, act] of INNOCENTS) {
      await act(here)
      // A flicker that counts is reported by now. One that was excused for longer is reported with a later action.
      await wait(name === LAST ? 1_700 : 400)
      if (!(await find(tab, { role: 'img', name: 'Strikes: 0 of 3' }))) {
        blamed.push(`${name}: ${await eventsOf(product, id)}`)
        break
      }
    }
    expect(blamed).toEqual([])
    await questionIs(tab, 1)
    expect(await eventsOf(product, id)).toEqual(['ready', 'fullscreen_enter', 'fullscreen_exit'])
    expect(await organizerSees(product, code)).toEqual({ strikes: 0, worthALook: [] })
    await look(here, 'assessment')
  })
}

/** Sends the page a key that no driver has. */
const tell = (tab: Tab, init: KeyboardEventInit) =>
  tab.run((options) => {
    const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...options })
    document.activeElement?.dispatchEvent(event)
  }, init)
