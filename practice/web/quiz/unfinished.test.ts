import { expect, it } from 'vitest'
import { createStore } from '../../../platform/web/storage.ts'
import { createDrafts, draftName } from './quiz-draft.ts'
import { unfinishedAmong } from './unfinished.ts'

const MACRO = 'Macroeconomics & Business Strategy'

it("the list of unfinished tests has one person's tests in progress, latest first", () => {
  let now = Date.parse('2026-03-04T10:00:00Z')
  const drafts = createDrafts(createStore(null), () => now)
  const fresh = { chosenAtMs: {}, tookMs: {}, checked: [] }
  const begun = { ...fresh, answers: { 1: 'A', 2: 'B' } as const, index: 2, startedAtMs: now }
  const save = (name: string, draft: Parameters<typeof drafts.save>[2] = begun, userId = 'me') => {
    now += 60_000
    drafts.save(userId, name, draft)
  }
  save('Astrology/Intern/1')
  save(draftName(MACRO, 'Intern', 2))
  save(draftName(MACRO, 'Analyst', 1), { ...begun, answers: {}, index: 0 })
  save(draftName(MACRO, 'Analyst', 2), begun, 'another user')
  save(draftName(MACRO, 'Analyst', 3), {
    ...begun,
    finished: {
      id: '00000000-0000-4000-8000-000000000001',
      completedAt: new Date(now).toISOString(),
      timeZone: 'UTC',
    },
  })
  save(draftName(MACRO, 'Intern', null))
  save(draftName(MACRO, 'Intern', 7), { ...begun, index: 5 })
  expect(unfinishedAmong(drafts.list('me'))).toEqual([
    { category: MACRO, difficulty: 'Intern', testNumber: 7, question: 6, answered: 2 },
    { category: MACRO, difficulty: 'Intern', testNumber: null, question: 3, answered: 2 },
    { category: MACRO, difficulty: 'Intern', testNumber: 2, question: 3, answered: 2 },
  ])
  now += 8 * 24 * 3600 * 1000
  expect(drafts.list('me')).toEqual([])
})
