import { expect, it } from 'vitest'
import { choose, enter, questionIs } from './candidate.ts'
import { type Here, signIn } from './here.ts'
import { find, press, read, see, until } from './looks.ts'
import type { Tab } from './tab.ts'

/** A phone, upright and in landscape, and a desktop: widths and heights in CSS pixels. */
const SIZES = [
  [390, 844],
  [844, 390],
  [1440, 844],
] as const
const CELL = `${encodeURIComponent('Valuation & Corporate Finance')}/Intern/1`

/** How the main screens look. Saves screenshots in the folder SHOTS, if that is set. */
export function pictures(here: Here): void {
  it('shows the main screens without anything wider than the window', async () => {
    const { tab } = here
    await tab.go('/')
    await see(tab, { role: 'heading' })
    await look(here, 'landing')
    await signIn(here)
    await tab.go('/dashboard')
    await read(tab, 'Welcome')
    await look(here, 'dashboard')
    await tab.go(`/quiz/${CELL}`)
    await choose(tab, 'B')
    await look(here, 'quiz')
    for (let index = 0; index < 10; index += 1) {
      await choose(tab, 'B')
      if (index < 9) await press(tab, 'button', 'Next')
      if (index < 9)
        await until(
          'the next one',
          async () => !(await find(tab, { role: 'radio', nth: 1 }))?.isChecked,
        )
    }
    await press(tab, 'button', 'Finish Test')
    await see(tab, { role: 'heading', name: /\d0%|0%/ })
    await look(here, 'results')

    await enter(here)
    await choose(tab, 'A')
    await look(here, 'assessment')
    for (const number of [2, 3]) {
      await press(tab, 'button', 'Next')
      await questionIs(tab, number)
      await choose(tab, 'A')
    }
    // A change of the window's size may have caused a strike, which doesn't matter here.
    await press(tab, 'button', 'Submit Test')
    await see(tab, { role: 'heading', name: 'Assessment Submitted' })
    await look(here, 'completion')
  })
}

export async function look({ tab, engine }: Here, name: string): Promise<void> {
  for (const [wanted, height] of SIZES) {
    const width = Math.max(wanted, engine.leastWidth)
    await tab.resize(width, height)
    // WebKit resizes its window with a delay and repaints after that.
    await until(`a window of ${width}`, () => tab.run((wide) => innerWidth === wide, width))
    await tab.run(async () => {
      for (let frame = 0; frame < 3; frame += 1) {
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    })
    expect([name, width, await tooWide(tab)]).toEqual([name, width, 0])
    const folder = process.env.SHOTS
    if (folder) await tab.picture(`${folder}/${engine.name}-${name}-${width}.png`)
  }
}

/** Pixels by which the page is wider than its window. */
const tooWide = (tab: Tab): Promise<number> =>
  tab.run(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
