import { describe, expect, it } from 'vitest'
import type { OptionLetter } from '../../../platform/options.ts'
import { createStore, type RawStorage } from '../../../platform/web/storage.ts'
import type { Question } from '../../question.ts'
import { forgetSittings } from '../person-store.ts'
import {
  answersOf,
  clockFrom,
  createDrafts,
  draftName,
  fitDraft,
  mergeDrafts,
  type Progress,
  readClock,
  turnTo,
} from './quiz-draft.ts'
import { unfinishedAmong } from './unfinished.ts'

const ANNA = '11111111-1111-4111-8111-111111111111'
const BEN = '22222222-2222-4222-8222-222222222222'
const DAY_MS = 24 * 3600 * 1000
const TEST = draftName('Financial Accounting & Analysis', 'Intern', 3)

function questionsWithIds(...ids: number[]): Question[] {
  return ids.map((id) => ({
    id,
    category: 'Financial Accounting & Analysis',
    difficulty: 'Intern',
    question: `Question ${id}`,
    options: { A: 'a', B: 'b', C: 'c', D: 'd' },
    correctOption: 'A',
    explanation: null,
    why: {},
  }))
}

function rig() {
  const entries = new Map<string, string>()
  const storage: RawStorage = {
    get length() {
      return entries.size
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  }
  const clock = { nowMs: Date.parse('2026-11-20T09:00:00Z') }
  const store = createStore(storage)
  const drafts = createDrafts(store, () => clock.nowMs)
  return { drafts, clock, entries, store }
}

const draft = (answers: Record<string, OptionLetter>, index = 0) => ({
  answers,
  chosenAtMs: {},
  tookMs: {},
  checked: [],
  index,
  startedAtMs: 0,
})

describe('a quiz draft on the device', () => {
  it('is restored as saved, for its user and its test only', () => {
    const { drafts } = rig()
    drafts.save(ANNA, TEST, draft({ 1: 'B' }, 1))
    expect(drafts.load(ANNA, TEST)).toMatchObject({ answers: { 1: 'B' }, index: 1, startedAtMs: 0 })
    expect(drafts.load(BEN, TEST)).toBeNull()
    expect(drafts.load(ANNA, draftName('Financial Accounting & Analysis', 'Intern', 4))).toBeNull()
    expect(
      drafts.load(ANNA, draftName('Financial Accounting & Analysis', 'Intern', null)),
    ).toBeNull()
  })

  it("is deleted with all drafts of its user, but not with other users' drafts", () => {
    const { drafts, store } = rig()
    drafts.save(ANNA, TEST, draft({ 1: 'B' }))
    drafts.save(BEN, TEST, draft({ 1: 'C' }))
    forgetSittings(ANNA, store)
    expect(drafts.load(ANNA, TEST)).toBeNull()
    expect(drafts.load(BEN, TEST)).toMatchObject({ answers: { 1: 'C' } })
  })

  it('is gone once removed', () => {
    const { drafts, entries } = rig()
    drafts.save(ANNA, TEST, draft({ 1: 'B' }))
    drafts.remove(ANNA, TEST)
    expect(drafts.load(ANNA, TEST)).toBeNull()
    expect(entries.size).toBe(0)
  })

  it.each([
    ['seven days', 7 * DAY_MS, true],
    ['a moment more', 7 * DAY_MS + 1, false],
  ])('exists after %s: %s', (_, ageMs, isThere) => {
    const { drafts, clock, entries } = rig()
    drafts.save(ANNA, TEST, draft({ 1: 'B' }))
    clock.nowMs += ageMs
    // Opening any test drops expired drafts.
    drafts.load(BEN, TEST)
    expect(entries.size).toBe(isThere ? 1 : 0)
    expect(drafts.load(ANNA, TEST) !== null).toBe(isThere)
  })

  it.each(['', 'null', '{"answers":{"1":"E"}}', '{"answers":', '[]'])(
    'with the content %j is dropped',
    (text) => {
      const { drafts, entries } = rig()
      entries.set(`superday-draft:${ANNA}:${TEST}`, text)
      expect(drafts.load(ANNA, TEST)).toBeNull()
      expect(entries.size).toBe(0)
    },
  )

  it('keeps the id of a finish for an immediate reload, not for a later visit', () => {
    const { drafts, clock } = rig()
    const finished = {
      id: '00000000-0000-4000-8000-000000000001',
      completedAt: new Date(clock.nowMs).toISOString(),
      timeZone: 'Europe/Lisbon',
    }
    drafts.save(ANNA, TEST, { ...draft({ 1: 'B' }), finished })
    clock.nowMs += 5_000
    expect(drafts.load(ANNA, TEST)?.finished).toEqual(finished)
    clock.nowMs += 60_000
    expect(drafts.load(ANNA, TEST)).toBeNull()
  })
})

describe('a draft opened with its questions', () => {
  const saved = (answers: Record<string, OptionLetter>, index: number) => ({
    ...draft(answers, index),
    savedAtMs: 0,
  })

  it('starts empty at the current time when there is none', () => {
    expect(fitDraft(null, questionsWithIds(1, 2), 77)).toEqual({
      answers: {},
      chosenAtMs: {},
      tookMs: {},
      checked: [],
      index: 0,
      startedAtMs: 77,
    })
  })

  it.each([
    ['goes on where it was', { 1: 'A', 2: 'B' }, 1, 1],
    ['goes on at a question without an answer', { 1: 'A' }, 1, 1],
    ['goes back to a question that lost its answer', { 2: 'B' }, 2, 0],
    ['stays inside the test', { 1: 'A', 2: 'B', 3: 'C' }, 9, 2],
  ] as [string, Record<string, OptionLetter>, number, number][])(
    '%s',
    (_, answers, index, expected) => {
      expect(fitDraft(saved(answers, index), questionsWithIds(1, 2, 3), 0).index).toBe(expected)
    },
  )

  it('drops answers to removed questions', () => {
    const fitted = fitDraft(saved({ 1: 'A', 99: 'B' }, 1), questionsWithIds(1, 2), 0)
    expect(fitted.answers).toEqual({ 1: 'A' })
  })

  it('is readable even in the format before times and checks', () => {
    const { drafts, entries, clock } = rig()
    const old = { answers: { 1: 'B' }, index: 0, startedAtMs: 0, savedAtMs: clock.nowMs }
    entries.set(`superday-draft:${ANNA}:${TEST}`, JSON.stringify(old))
    expect(fitDraft(drafts.load(ANNA, TEST), questionsWithIds(1), 0)).toEqual(draft({ 1: 'B' }))
  })

  it('is not finished when a question was added since', () => {
    const finished = { id: 'x', completedAt: '2026-11-20T09:00:00Z', timeZone: 'UTC' }
    const whole = { ...saved({ 1: 'A' }, 0), finished }
    expect(fitDraft(whole, questionsWithIds(1), 0).finished).toEqual(finished)
    expect(fitDraft(whole, questionsWithIds(1, 2), 0).finished).toBeUndefined()
    // A test whose time was up stays finished, so a reload can't submit it twice.
    expect(fitDraft(whole, questionsWithIds(1, 2), 0, true).finished).toEqual(finished)
  })
})

describe('two tabs with the same quiz', () => {
  const finished = { id: 'a', completedAt: '2026-11-20T09:00:00Z', timeZone: 'UTC' }
  const tab = (more: Partial<Progress>): Progress => ({ ...draft({}), ...more })

  it('keep the later choice for each question, in both tabs', () => {
    const one = tab({ answers: { 1: 'A', 2: 'A' }, chosenAtMs: { 1: 10, 2: 30 }, index: 1 })
    const other = tab({ answers: { 1: 'B', 2: 'B', 3: 'C' }, chosenAtMs: { 1: 20, 2: 20, 3: 5 } })
    const merged = { answers: { 1: 'B', 2: 'A', 3: 'C' }, chosenAtMs: { 1: 20, 2: 30, 3: 5 } }
    expect(mergeDrafts(one, other)).toMatchObject({ ...merged, index: 1 })
    expect(mergeDrafts(other, one)).toMatchObject({ ...merged, index: 0 })
  })

  it('never change an answer that was already checked', () => {
    const judged = tab({ answers: { 1: 'A' }, chosenAtMs: { 1: 10 }, checked: [1] })
    const later = tab({ answers: { 1: 'B' }, chosenAtMs: { 1: 20 } })
    for (const merged of [mergeDrafts(judged, later), mergeDrafts(later, judged)]) {
      expect(merged).toMatchObject({ answers: { 1: 'A' }, checked: [1] })
    }
  })

  it('keep the longer time, the earlier start, and the finish', () => {
    const one = tab({ tookMs: { 1: 500, 2: 10 }, startedAtMs: 7 })
    const other = tab({ tookMs: { 1: 300, 3: 20 }, startedAtMs: 9, finished })
    expect(mergeDrafts(one, other)).toMatchObject({
      tookMs: { 1: 500, 2: 10, 3: 20 },
      startedAtMs: 7,
      finished,
    })
  })

  it("receive each other's writes, but none from another test", () => {
    const { drafts, entries } = rig()
    drafts.save(ANNA, TEST, draft({ 1: 'B' }))
    const key = `superday-draft:${ANNA}:${TEST}`
    const newValue = entries.get(key) ?? null
    expect(drafts.heard(ANNA, TEST, { key, newValue })).toMatchObject({ answers: { 1: 'B' } })
    expect(drafts.heard(BEN, TEST, { key, newValue })).toBeNull()
    expect(drafts.heard(ANNA, TEST, { key, newValue: null })).toBeNull()
  })
})

it('the quiz sends answers in the order of its questions', () => {
  expect(answersOf(draft({ 1: 'A', 2: 'B', 7: 'D' }), questionsWithIds(7, 2))).toEqual([
    { questionId: 7, selectedAnswer: 'D' },
    { questionId: 2, selectedAnswer: 'B' },
  ])
})

describe('the question timer', () => {
  it('adds up the time that each question is visible', () => {
    let clock = turnTo(clockFrom({}), 31, 1_000)
    clock = turnTo(clock, 32, 4_000)
    clock = turnTo(clock, 31, 9_000)
    expect(readClock(clock, 9_500.4)).toEqual({ 31: 3_500, 32: 5_000 })
  })

  it('pauses while no question is visible', () => {
    const clock = turnTo(turnTo(clockFrom({}), 31, 0), null, 2_000)
    expect(readClock(clock, 90_000)).toEqual({ 31: 2_000 })
  })

  it('continues from the time measured before a reload', () => {
    expect(readClock(turnTo(clockFrom({ 31: 7_000, 32: 10 }), 31, 500), 1_500)).toEqual({
      31: 8_000,
      32: 10,
    })
  })

  it.each([
    ['a clock that jumped back counts nothing', 5_000, 1_000, 0],
    ['a question open for days counts one day', 0, 5 * 86_400_000, 86_400_000],
  ])('%s', (_, sinceMs, nowMs, tookMs) => {
    expect(readClock(turnTo(clockFrom({}), 31, sinceMs), nowMs)).toEqual({ 31: tookMs })
  })
})

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
