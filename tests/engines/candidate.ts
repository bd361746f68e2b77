import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { MERGE_MS } from '../../assessments/violations.ts'
import {
  answersOf,
  attemptOf,
  eventsOf,
  makeAssessment,
  makeCandidate,
  organizerSees,
  PASSWORD,
  resultOf,
} from '../e2e/assessment-rig.ts'
import { type Here, signIn } from './here.ts'
import { at, fill, find, look, press, read, see, seeNo, until } from './looks.ts'
import type { Tab } from './tab.ts'

/** A candidate's actions: an assessment with strikes, fullscreen, a reload, a cut connection and the end. */
export function candidate(here: Here): void {
  it('runs a whole assessment: fullscreen, strikes, a reload, no network, submitting', async () => {
    const { tab, product, wire, engine } = here
    const test = await enter(here)
    await choose(tab, 'A')

    await press(tab, 'button', 'Enter Fullscreen')
    await seeNo(tab, { role: 'button', name: 'Enter Fullscreen' })
    await until('it is fullscreen', () => tab.run(() => document.fullscreenElement !== null))
    await tab.run(() => document.exitFullscreen())
    await see(tab, { role: 'button', name: 'Enter Fullscreen' })

    // Printing is blocked, and counts.
    await tab.run(() => {
      addEventListener('beforeprint', () => document.body.setAttribute('data-printed', ''))
    })
    await tab.keys('Control', 'p')
    await read(tab, 'The shortcut Ctrl+P is not allowed during the test. Strike 1/3.')
    await see(tab, { role: 'img', name: 'Strikes: 1 of 3' })
    expect(await tab.run(() => document.body.hasAttribute('data-printed'))).toBe(false)

    // First stay, then leave: the choices are still there.
    if (engine.canStay) {
      await tab.reload('stay')
      await questionIs(tab, 1)
      await until('the prompt is told of', async () =>
        (await eventsOf(product, test.id)).includes('leave_prompt'),
      )
    }
    // It continues at the first unanswered question.
    await tab.reload('leave')
    await questionIs(tab, 2)
    await read(tab, '1 answered')
    await see(tab, { role: 'img', name: 'Strikes: 1 of 3' })

    // Two actions within two seconds are one (product 6.8.7).
    await wait(MERGE_MS + 200)
    const { x, y } = await questionIs(tab, 2)
    await tab.pressAt(x, y, 'right')
    await read(tab, 'Right-clicking is not allowed during the test. Strike 2/3.')

    await wire.cut()
    await choose(tab, 'A')
    await read(tab, 'Your answers are kept')
    await press(tab, 'button', 'Next')
    await questionIs(tab, 3)
    await choose(tab, 'C')
    await wire.restore()
    await until('all is saved', () =>
      tab.run(() => document.querySelector('[data-save-state=saved]') !== null),
    )
    await press(tab, 'button', 'Submit Test')
    await see(tab, { role: 'heading', name: 'Assessment Submitted' })
    expect(Object.values(await answersOf(product, test.id))).toEqual(['A', 'A', 'C'])
    expect(await resultOf(product, test.code)).toMatchObject({
      correct: 2,
      incorrect: 1,
      cheated: true,
    })
    const events = await eventsOf(product, test.id)
    // If a page unloads slowly, leaving also reports the prompt (docs/proctoring.md).
    expect(events.filter((kind) => kind !== 'leave_prompt')).toEqual([
      'ready',
      'fullscreen_enter',
      'fullscreen_exit',
      'shortcut',
      'page_left',
      'ready',
      'reload',
      'context_menu',
    ])
    expect(await organizerSees(product, test.code)).toMatchObject({ strikes: 2 })
    await look(here, 'completion')
    // It stays submitted.
    await tab.reload('leave')
    await see(tab, { role: 'heading', name: 'Assessment Submitted' })
  })

  it('ends an assessment at the third strike: another tab, copying, a shortcut', async () => {
    const { tab, product } = here
    const test = await enter(here)
    await tab.elsewhere(600)
    await read(tab, 'Leaving the test page is not allowed during the test. Strike 1/3.')
    await tab.run(() => {
      document.body.dispatchEvent(new ClipboardEvent('copy', { bubbles: true, cancelable: true }))
    })
    await read(tab, 'Copying is not allowed during the test. Strike 2/3.')
    // Two actions within two seconds are one (product 6.8.7).
    await wait(MERGE_MS + 200)
    await choose(tab, 'B')
    await tab.keys('Control', 's')
    await see(tab, { role: 'heading', name: 'Assessment Submitted' })
    await read(tab, 'after the third violation')
    expect((await attemptOf(product, test.id))?.submit_reason).toBe('violations')
    expect(Object.values(await answersOf(product, test.id))).toEqual(['B'])
    expect((await eventsOf(product, test.id, 'violations')).slice(1)).toEqual(['copy', 'shortcut'])
  })
}

/** A new assessment of three questions, entered like a candidate. */
export async function enter(here: Here): Promise<{ code: string; id: string }> {
  const { tab, product } = here
  const { code, society } = await makeAssessment(product)
  const { id, username } = await makeCandidate(product, code)
  await signIn(here)
  await tab.go('/recruitment')
  await press(tab, 'button', `Access Test ${society}`)
  await fill(tab, 'Username', username)
  await fill(tab, /^Password/, PASSWORD)
  await tab.keys('Enter')
  await at(tab, /^\/recruitment\/instructions$/)
  await press(tab, 'button', 'I Understand - Start the Exam')
  await questionIs(tab, 1)
  return { code, id }
}

export const questionIs = (tab: Tab, number: number) =>
  see(tab, { role: 'heading', name: new RegExp(`^Question ${number} of `) })

export async function choose(tab: Tab, letter: string): Promise<void> {
  const nth = 'ABCD'.indexOf(letter)
  await press(tab, 'radio', undefined, nth)
  await until(
    `${letter} is chosen`,
    async () => (await find(tab, { role: 'radio', nth }))?.isChecked,
  )
}
