import { expect, it } from 'vitest'
import { choose, enter } from './candidate.ts'
import { type Here, signIn } from './here.ts'
import { find, see, until } from './looks.ts'
import { WATCHED_FRAMES, whatMoves, whatVanishes } from './sight.ts'
import { QUIZ } from './student.ts'
import type { Wish } from './tab.ts'

/** The media query that each browser must match. WebKit has no forced colors, only a high-contrast theme. */
const SAID: Record<Wish, Record<'Firefox' | 'WebKit', string>> = {
  dark: { Firefox: '(prefers-color-scheme: dark)', WebKit: '(prefers-color-scheme: dark)' },
  'less motion': {
    Firefox: '(prefers-reduced-motion: reduce)',
    WebKit: '(prefers-reduced-motion: reduce)',
  },
  'own colors': {
    Firefox: '(forced-colors: active) and (prefers-contrast: more)',
    WebKit: '(prefers-contrast: more)',
  },
}

/** The user's system settings: nothing disappears with them, and nothing moves that shouldn't. */
export function preferences(here: Here): void {
  it.each<Wish[][]>([[['dark', 'less motion']], [['own colors']]])(
    'follows the system setting: %s',
    async (wishes) => {
      const engine = await here.startWith(wishes)
      const tab = await engine.open(here.product.url)
      const there = { ...here, engine, tab }
      try {
        await tab.resize(1280, 800)
        const look = async (name: string) => {
          for (const wish of wishes) {
            const query = SAID[wish][engine.name]
            expect([query, await tab.run((asked) => matchMedia(asked).matches, query)]).toEqual([
              query,
              true,
            ])
          }
          if (wishes.includes('dark')) {
            expect(await tab.run(() => document.documentElement.dataset.theme)).toBe('dark')
          }
          if (wishes.includes('less motion')) {
            expect([name, await tab.run(whatMoves, WATCHED_FRAMES)]).toEqual([name, []])
          }
          expect([name, await tab.run(whatVanishes)]).toEqual([name, []])
          const folder = process.env.SHOTS
          if (folder) await tab.picture(`${folder}/${engine.name}-${wishes[0]}-${name}.png`)
        }
        await tab.go('/')
        await see(tab, { role: 'heading' })
        await look('landing')
        await signIn(there)
        await tab.go('/dashboard')
        await see(tab, { role: 'heading', name: 'Categories' })
        await look('dashboard')
        await tab.go(QUIZ)
        await choose(tab, 'B')
        await look('quiz')
        const letters = await tab.run(() =>
          [...document.querySelectorAll('.opt-letter')].map(
            (letter) => getComputedStyle(letter).backgroundColor,
          ),
        )
        expect(letters[1]).not.toBe(letters[0])
        await enter(there)
        await choose(tab, 'C')
        await until('it is saved', () => find(tab, { role: 'img', name: 'Strikes: 0 of 3' }))
        await look('assessment')
      } finally {
        await engine.close()
      }
    },
  )
}
