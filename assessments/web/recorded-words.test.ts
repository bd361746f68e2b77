import { describe, expect, it } from 'vitest'
import { EVENT_KINDS, nameOfAct } from '../violations.ts'
import { recordedWords } from './recorded-entries.tsx'

const words = (kind: string, awayMs: number | null = null, key: string | null = null) =>
  recordedWords({ kind, awayMs, key, endedBy: null })

describe('the words for recorded events', () => {
  it.each([
    ['page_hidden', null, null, 'You left the test page'],
    ['page_visible', 14_200, null, 'You came back after 14 s'],
    ['page_visible', null, null, 'You came back'],
    ['leave_prompt', 125_000, null, "The browser's leave prompt was open for 2 min 5 s"],
    ['focus_lost', 850, null, 'The page lost focus for 0.9 s'],
    ['shortcut', null, 'Ctrl+C', 'The shortcut Ctrl+C was blocked'],
    ['copy', null, null, 'Copying was blocked'],
  ])('describe %s plainly', (kind, awayMs, key, expected) => {
    expect(words(kind, awayMs, key)).toBe(expected)
  })

  it('name what ended the test', () => {
    const submitted = (endedBy: 'candidate' | 'violations') =>
      recordedWords({ kind: 'submitted', awayMs: null, key: null, endedBy })
    expect(submitted('candidate')).toBe('You submitted the test')
    expect(submitted('violations')).toBe('The third violation ended the test, and it was submitted')
  })

  it('exist for every kind that a page reports', () => {
    // Heartbeats are only counted.
    const others = EVENT_KINDS.filter((kind) => !['heartbeat', 'shortcut'].includes(kind))
    for (const kind of others) expect(words(kind)).not.toContain(nameOfAct('shortcut'))
  })
})
