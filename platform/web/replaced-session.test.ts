import type { Session } from '@supabase/auth-js'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followReplaced, whileReplacing } from './replaced-session.ts'

const AUTH = 'https://superday.example/auth/v1'
const sessionOf = (token: string) =>
  ({ access_token: `access-${token}`, refresh_token: token }) as Session
const refused = () => new Response('{}', { status: 400 })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A browser with a session that the server ended. Records its requests and how each was answered. */
function makeBrowser() {
  const browser = { stored: sessionOf('old'), live: 'new', asked: [] as string[] }
  let answerChange = () => {}
  const changed = new Promise<void>((resolve) => {
    answerChange = resolve
  })
  const follow = followReplaced(
    async (input, init) => {
      if (init?.method === 'PUT') {
        await changed
        return new Response('{}')
      }
      const sent = String(input).endsWith('/user')
        ? (new Headers(init?.headers).get('Authorization') ?? '').replace('Bearer access-', '')
        : JSON.parse(String(init?.body)).refresh_token
      browser.asked.push(sent)
      return sent === browser.live ? new Response('{}') : refused()
    },
    () => browser.stored,
  )
  return {
    browser,
    answerChange,
    change: () => follow(`${AUTH}/user`, { method: 'PUT' }),
    renew: (token = 'old') =>
      follow(`${AUTH}/token?grant_type=refresh_token`, {
        method: 'POST',
        body: JSON.stringify({ refresh_token: token }),
      }),
    question: () =>
      follow(`${AUTH}/user`, { method: 'GET', headers: { Authorization: 'Bearer access-old' } }),
  }
}

it('a refused call is repeated with the session that another tab has stored, even if stored late', async () => {
  for (const ask of ['renew', 'question'] as const) {
    const { browser, ...tab } = makeBrowser()
    const answer = tab[ask]()
    await vi.advanceTimersByTimeAsync(400)
    browser.stored = sessionOf('new')
    await vi.advanceTimersByTimeAsync(100)
    expect([ask, (await answer).status, browser.asked]).toEqual([ask, 200, ['old', 'new']])
  }
})

it('a refused call fails when no other session is stored within a second', async () => {
  for (const ask of ['renew', 'question'] as const) {
    const { browser, ...tab } = makeBrowser()
    const answer = tab[ask]()
    await vi.advanceTimersByTimeAsync(1_100)
    expect([ask, (await answer).status, browser.asked]).toEqual([ask, 400, ['old']])
  }
})

it.each([
  ['its response is slow', false],
  ['a sign-in has to show it, because no response came', true],
])(
  'a token refresh waits for the tab that changes the password while %s',
  async (_, isAnswered) => {
    const { browser, change, renew, answerChange } = makeBrowser()
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    if (isAnswered) answerChange()
    const replaced = whileReplacing(async () => {
      await change()
      await finished
      browser.stored = sessionOf('new')
    })
    await vi.advanceTimersByTimeAsync(10)
    const answer = renew()
    // This is longer than the wait for another tab's tokens.
    await vi.advanceTimersByTimeAsync(5_000)
    answerChange()
    finish()
    await replaced
    await vi.advanceTimersByTimeAsync(100)
    expect([(await answer).status, browser.asked]).toEqual([200, ['old', 'new']])
  },
)

it('a password change does not wait for its own token refresh', async () => {
  const { renew } = makeBrowser()
  const status = whileReplacing(async () => (await renew()).status)
  await vi.advanceTimersByTimeAsync(10)
  expect(await status).toBe(400)
})
