import { expect, it } from 'vitest'
import type { Question } from '../../practice/question.ts'
import { type Here, PASSWORD, signIn } from './here.ts'
import { at, fill, find, press, read, see, seeNo, until } from './looks.ts'
import type { Tab } from './tab.ts'

const CATEGORY = 'Valuation & Corporate Finance'
const CELL = `category=${encodeURIComponent(CATEGORY)}&difficulty=Intern`
const QUIZ = `/quiz/${encodeURIComponent(CATEGORY)}/Intern/1`

/** What a student does: signing up, ten questions, their results, and the same without a network. */
export function student(here: Here): void {
  it('signs up, takes a quiz of ten and reads the results', async () => {
    const { tab } = here
    const email = `new-${here.engine.name.toLowerCase()}@example.com`
    await tab.go('/auth?tab=signup')
    await fill(tab, 'E-mail', email)
    await fill(tab, /^Password/, PASSWORD)
    await press(tab, 'checkbox', /terms/i)
    await press(tab, 'button', 'Create Account')
    await read(tab, 'Account created successfully!')
    await until(
      'the address stands at Sign In',
      async () => (await find(tab, { role: 'field', name: 'E-mail' }))?.value === email,
    )
    await fill(tab, /^Password/, PASSWORD)
    // Enter sends the form.
    await tab.keys('Enter')
    await at(tab, /^\/dashboard$/)
    await read(tab, 'Welcome back!')

    const token = await tokenOf(tab)
    const keys = await keysOf(here, token)
    await tab.go(QUIZ)
    await answerAll(tab, keys, 3)
    await press(tab, 'button', 'Finish Test')
    await at(tab, /^\/results\//)
    await see(tab, { role: 'heading', name: /70%/ })
    await read(tab, "Good work! You're on the right track.")
    await read(tab, 'Explanation')
    await until('the result is stored', async () => (await storedOf(here, token)).length === 1)
    expect(await storedOf(here, token)).toMatchObject([{ score: 7 }])
    await tab.reload('leave')
    await see(tab, { role: 'heading', name: /70%/ })
    expect(await storedOf(here, token)).toHaveLength(1)
  })

  it('goes on without a network, and sends the answers later', async () => {
    const { tab, wire } = here
    const { token } = await signIn(here)
    const keys = await keysOf(here, token)
    await tab.go(QUIZ)
    await answerAll(tab, keys.slice(0, 4), 0)
    await press(tab, 'button', 'Next')
    await wire.cut()
    await answerAll(tab, keys.slice(4), 2, 4)
    await press(tab, 'button', 'Finish Test')
    await see(tab, { role: 'heading', name: /80%/ })
    await read(tab, 'Saved when you are back online')
    await wire.mend()
    // As after a walk into the network again.
    await tab.run(() => void dispatchEvent(new Event('online')))
    await until('the result is stored', async () => (await storedOf(here, token)).length === 1)
    expect(await storedOf(here, token)).toMatchObject([{ score: 8 }])
    await seeNo(tab, { role: 'button', name: 'Finish Test' })
  })
}

const tokenOf = (tab: Tab): Promise<string> =>
  tab.run(() => JSON.parse(localStorage.getItem('superday-auth') ?? '{}').access_token)

async function ask<Answer>(here: Here, path: string, token: string): Promise<Answer> {
  const headers = { Authorization: `Bearer ${token}` }
  return (await fetch(here.product.url + path, { headers })).json()
}
const keysOf = (here: Here, token: string) =>
  ask<Question[]>(here, `/api/questions?${CELL}&testNumber=1&variant=0`, token)
const storedOf = (here: Here, token: string) =>
  ask<{ score: number }[]>(here, `/api/results?${CELL}`, token)

/**
 * Answers questions with the mouse, the first `wrong` of them wrongly, up to the last of them.
 * @param first the number of the first one, from 0
 */
async function answerAll(tab: Tab, keys: Question[], wrong: number, first = 0): Promise<void> {
  for (const [index, { question, correctOption }] of keys.entries()) {
    await until(`question ${first + index + 1}`, async () => {
      const { name } = await see(tab, { role: 'heading' })
      return name.includes(question.replace(/\s+/g, ' ').trim())
    })
    const right = 'ABCD'.indexOf(correctOption)
    const nth = index < wrong ? (right + 1) % 4 : right
    await press(tab, 'radio', undefined, nth)
    await until('it is chosen', async () => (await find(tab, { role: 'radio', nth }))?.isChecked)
    if (index < keys.length - 1) await press(tab, 'button', 'Next')
  }
}
