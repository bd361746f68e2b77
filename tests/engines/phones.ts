import { expect, it } from 'vitest'
import { eventsOf } from '../e2e/assessment-rig.ts'
import { enter, questionIs } from './candidate.ts'
import { type Here, signIn } from './here.ts'
import { find, look, type Sought, see, until } from './looks.ts'
import { QUIZ } from './student.ts'
import type { Tab } from './tab.ts'

/** The visible part of a 390×844 phone with the on-screen keyboard open, and in landscape. */
const ABOVE_KEYS = [390, 430] as const
const SIDEWAYS = [844, 390] as const

/** Touch, a rotated phone, and a low window above the on-screen keyboard. */
export function phones(here: Here): void {
  it('works by touch, upright and in landscape, and above the on-screen keyboard', async () => {
    const { tab, engine, product } = here
    const hold = async ([wanted, height]: readonly [number, number]) => {
      const width = Math.max(wanted, engine.leastWidth)
      await tab.resize(width, height)
      await until('the size', () =>
        tab.run((wide, high) => innerWidth === wide && innerHeight === high, width, height),
      )
    }
    await tab.go('/auth')
    await hold(ABOVE_KEYS)
    for (const name of ['Email', /^Password/]) {
      await tap(tab, { role: 'field', name })
      await isInSight(tab, { role: 'field', name })
    }
    await signIn(here)
    await tab.go(QUIZ)
    for (const size of [ABOVE_KEYS, SIDEWAYS]) {
      await hold(size)
      await tap(tab, { role: 'radio', nth: 3 })
      await until(
        'it is chosen',
        async () => (await find(tab, { role: 'radio', nth: 3 }))?.isChecked,
      )
      // The buttons never cover the choice.
      await isInSight(tab, { role: 'radio', nth: 3 })
      await isInSight(tab, { role: 'button', name: 'Next' })
      await tap(tab, { role: 'button', name: 'Next' })
      await until(
        'the next one',
        async () => !(await find(tab, { role: 'radio', nth: 3 }))?.isChecked,
      )
    }
    // Here a size change never counts, because the pointer stays in the window.
    await hold(SIDEWAYS)
    const { id } = await enter(here)
    await tap(tab, { role: 'radio', nth: 2 })
    await until('it is chosen', async () => (await find(tab, { role: 'radio', nth: 2 }))?.isChecked)
    await isInSight(tab, { role: 'radio', nth: 2 })
    if (engine.hasFingers) await tab.swipe([300, 300], [300, 80])
    await tap(tab, { role: 'button', name: 'Next' })
    await questionIs(tab, 2)
    expect(await eventsOf(product, id, 'violations')).toEqual([])
    await look(here, 'assessment')
  })
}

async function tap(tab: Tab, sought: Sought): Promise<void> {
  await see(tab, sought)
  const { x, y } = await see(tab, sought)
  await tab.pressAt(x, y, 'finger')
}

/** Whether its center is in the window and not covered. */
async function isInSight(tab: Tab, sought: Sought): Promise<void> {
  const { x, y } = await see(tab, sought)
  const over = await tab.run(
    (left, top, name) => {
      const seen = document.elementFromPoint(left, top)
      const owner = seen?.closest('label, button, a, input, [role=radio]')
      return owner ? null : `${name}: ${seen?.outerHTML.slice(0, 120) ?? 'outside of the window'}`
    },
    x,
    y,
    `${sought.role} ${sought.name ?? sought.nth}`,
  )
  expect(over).toBeNull()
}
