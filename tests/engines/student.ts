import { expect, it } from 'vitest'
import type { Question } from '../../practice/question.ts'
import { type Here, PASSWORD } from './here.ts'
import { at, fill, find, look, press, read, see, until } from './looks.ts'
import type { Tab } from './tab.ts'

const CATEGORY = 'Valuation & Corporate Finance'
const CELL = `category=${encodeURIComponent(CATEGORY)}&difficulty=Intern`
export const QUIZ = `/quiz/${encodeURIComponent(CATEGORY)}/Intern/1`

/** A student's actions: signing up, ten questions and their results. */
export function student(here: Here): void {
  it('signs up, takes a quiz of ten and reads the results', async () => {
    const { tab } = here
    const email = `new-${here.engine.name.toLowerCase()}@example.com`
    await tab.go('/')
    await see(tab, { role: 'heading' })
    await look(here, 'landing')
    await tab.go('/auth?tab=signup')
    await fill(tab, 'Email', email)
    await fill(tab, /^Password/, PASSWORD)
    await press(tab, 'checkbox', /terms/i)
    await press(tab, 'button', 'Create Account')
    await read(tab, 'Account created successfully!')
    await until(
      'the address stands at Sign In',
      async () => (await find(tab, { role: 'field', name: 'Email' }))?.value === email,
    )
    await fill(tab, /^Password/, PASSWORD)
    // Enter sends the form.
    await tab.keys('Enter')
    await at(tab, /^\/dashboard$/)
    await read(tab, 'Welcome back!')
    await look(here, 'dashboard')

    const token = await tokenOf(tab)
    const keys = await keysOf(here, token)
    await tab.go(QUIZ)
    await answerAll(tab, keys, 3)
    await look(here, 'quiz')
    await press(tab, 'button', 'Finish Test')
    await at(tab, /^\/results\//)
    await see(tab, { role: 'heading', name: /70%/ })
    await read(tab, "Good work! You're on the right track.")
    await read(tab, 'Explanation')
    await look(here, 'results')
    await until('the result is stored', async () => (await storedOf(here, token)).length === 1)
    expect(await storedOf(here, token)).toMatchObject([{ score: 7 }])
    await tab.reload('leave')
    await see(tab, { role: 'heading', name: /70%/ })
    expect(await storedOf(here, token)).toHaveLength(1)
  })
}

const tokenOf = (tab: Tab): Promise<string> =>
  tab.run(() => JSON.parse(localStorage.getItem('superday-auth') ?? '{}').access_token)

async function ask<Answer>(here: Here, path: string, token: string): Promise<Answer> {
  const headers = { Authorization: `Bearer ${token}` }
  // Bypasses the proxy, which may be cut.
  return (await fetch(here.product.directUrl + path, { headers })).json()
}
export const keysOf = (here: Here, token: string) =>
  ask<Question[]>(here, `/api/questions?${CELL}&testNumber=1&variant=0`, token)
export const storedOf = (here: Here, token: string) =>
  ask<{ score: number }[]>(here, `/api/results?${CELL}`, token)

/**
 * Answers questions by mouse, the first `wrong` incorrectly, up to the last one.
 * @param first the index of the first one, from 0
 */
export async function answerAll(
  tab: Tab,
  keys: Question[],
  wrong: number,
  first = 0,
): Promise<void> {
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
