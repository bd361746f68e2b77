import { expect, it } from 'vitest'
import { staleError } from './stale.ts'

const NOW = new Date('2026-03-02T10:00:00Z')
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)

it.each([
  [{ by: 'Paul', at: ago(20) }, 'Paul changed this just now.'],
  [{ by: 'Paul', at: ago(60) }, 'Paul changed this a minute ago.'],
  [{ by: 'Paul', at: ago(3_599) }, 'Paul changed this 59 minutes ago.'],
  [{ by: 'Paul', at: ago(7_200) }, 'Paul changed this 2 hours ago.'],
  [{ by: 'Paul', at: ago(86_400) }, 'Paul changed this a day ago.'],
  [{ by: 'Paul', at: null }, 'Paul changed this.'],
  [{ by: null, at: ago(60) }, 'This was changed a minute ago.'],
  [{ by: 'Paul', at: ago(60), isYou: true }, 'You changed this on another page a minute ago.'],
])('a stale form with the last change %j says: %s', (last, said) => {
  const { status, code, message } = staleError(last, NOW)
  expect([status, code]).toEqual([409, 'stale'])
  expect(message).toBe(`${said} Reload to see the new version. Your text is kept.`)
})
