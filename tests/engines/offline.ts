import { expect, it } from 'vitest'
import { answersOf, eventsOf } from '../e2e/assessment-rig.ts'
import { choose, enter, questionIs } from './candidate.ts'
import { type Here, signIn } from './here.ts'
import { find, press, read, see, until } from './looks.ts'
import { answerAll, keysOf, QUIZ, storedOf } from './student.ts'

/** Reloads while offline: the worker answers for practice, but only the server for an assessment. */
export function offline(here: Here): void {
  it('practices without a network, reloads included, and sends the answers later', async () => {
    const { tab, wire } = here
    // Firefox's messages for requests that the worker can't answer, and for those aborted when a page was left.
    here.mayTell = /^Error: Failed to load .* A ServiceWorker/
    const { token } = await signIn(here)
    await tab.go('/dashboard')
    await until('the day is prepared', () =>
      tab.run(async () => {
        const kept = await caches.match('/prepared')
        return kept !== undefined && (await kept.json()).contentAtMs > 0
      }),
    )
    const keys = await keysOf(here, token)
    await tab.go(QUIZ)
    await answerAll(tab, keys.slice(0, 3), 0)
    await press(tab, 'button', 'Next')
    await wire.cut()

    await tab.reload('leave')
    await until('question 4', async () => {
      const { name } = await see(tab, { role: 'heading' })
      return name.includes((keys[3]?.question ?? '-').replace(/\s+/g, ' ').trim())
    })
    await press(tab, 'button', 'Previous')
    const nth = 'ABCD'.indexOf(keys[2]?.correctOption ?? '')
    await until('what was chosen', async () => (await find(tab, { role: 'radio', nth }))?.isChecked)
    await press(tab, 'button', 'Next')
    await answerAll(tab, keys.slice(3), 1, 3)
    await press(tab, 'button', 'Finish Test')
    await see(tab, { role: 'heading', name: /90%/ })
    await tab.reload('leave')
    await see(tab, { role: 'heading', name: /90%/ })
    await read(tab, 'Saved when you are back online')
    await tab.go('/dashboard')
    await read(tab, 'No connection, figures as of')

    expect(await storedOf(here, token)).toEqual([])
    await wire.restore()
    // Simulates the network's return.
    await tab.run(() => void dispatchEvent(new Event('online')))
    await until('the result is stored', async () => (await storedOf(here, token)).length > 0)
    expect(await storedOf(here, token)).toMatchObject([{ score: 9 }])
  })

  it('keeps the choices of an assessment that is reloaded without a network', async () => {
    const { tab, product, wire } = here
    const test = await enter(here)
    await choose(tab, 'B')
    await until('it is saved', async () => Object.keys(await answersOf(product, test.id)).length)
    await press(tab, 'button', 'Next')
    await questionIs(tab, 2)
    await wire.cut()
    await choose(tab, 'D')
    await read(tab, 'Your answers are kept')
    // The browser's error page appears, because only the server may report a test's state.
    await tab.reload('leave').catch(() => {})
    expect(await find(tab, { role: 'radio' })).toBeNull()
    await wire.restore()
    await tab.tryAgain()
    await questionIs(tab, 3)
    await until(
      'both are stored',
      async () => Object.values(await answersOf(product, test.id)).join('') === 'BD',
    )
    expect(await eventsOf(product, test.id, 'violations')).toEqual([])
    await see(tab, { role: 'img', name: 'Strikes: 0 of 3' })
  })
}
