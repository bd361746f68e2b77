import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { CONTENT_DIR } from '../../../platform/server/project-folder.ts'
import { makeOlder, signUp, useRig } from '../../../tests/rig/rig.ts'
import { getSpokenPrompt, listSpokenPrompts } from '../../contract/aloud.ts'
import { countSpokenDue } from './aloud.ts'
import { loadSpokenPrompts } from './spoken-content.ts'

const rig = useRig()
const DCF = 'walk-me-through-a-dcf'
const ZONE = 'Europe/Lisbon'

beforeAll(() => loadSpokenPrompts(rig.db))

const answer = (change: object = {}) => ({
  id: randomUUID(),
  points: [1, 2, 3, 5],
  rating: 2,
  tookMs: 81_000,
  answeredAt: rig.clock.now.toISOString(),
  timeZone: ZONE,
  ...change,
})
const save = (token: string, body: object, prompt = DCF) =>
  rig.call('POST', `/api/practice/aloud/${prompt}/answers`, { token, body })
const list = async (token: string) =>
  listSpokenPrompts.response.parse((await rig.call('GET', '/api/practice/aloud', { token })).body)
const open = async (token: string, prompt = DCF) =>
  rig.call('GET', `/api/practice/aloud/${prompt}?timeZone=${ZONE}`, { token })

describe('spoken questions', () => {
  it('are listed in order and opened with all their content', async () => {
    const { token } = await signUp(rig)
    const prompts = await list(token)
    expect(prompts.length).toBeGreaterThanOrEqual(16)
    expect(prompts.find(({ slug }) => slug === DCF)).toEqual({
      slug: DCF,
      prompt: 'Walk me through a DCF.',
      kind: 'technical',
      topic: 'dcf',
      last: null,
      next: null,
    })
    const { status, body } = await open(token)
    expect(status).toBe(200)
    const prompt = getSpokenPrompt.response.parse(body)
    expect(prompt.points).toHaveLength(6)
    expect(prompt.short[1]).toMatchObject({ points: [1] })
    expect([prompt.last, prompt.nextDays]).toEqual([null, [1, 3, 8, 21]])
    expect((await open(token, 'no-such-prompt')).status).toBe(404)
  })

  it('are retired when removed and can return; their answers are kept', {
    tags: ['full'],
  }, async () => {
    const { token } = await signUp(rig)
    const folder = await mkdtemp(path.join(tmpdir(), 'superday-aloud-'))
    await cp(path.join(CONTENT_DIR, 'aloud'), path.join(folder, 'aloud'), { recursive: true })
    const file = path.join(folder, 'aloud', 'technical.yaml')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.slice(text.indexOf('- slug: three-statements')))
    try {
      await loadSpokenPrompts(rig.db, folder)
      expect((await list(token)).some(({ slug }) => slug === DCF)).toBe(false)
      expect((await open(token)).status).toBe(404)
      // The answer was given before the prompt was removed.
      expect((await save(token, answer())).status).toBe(201)
      await writeFile(file, '- slug: Bad one\n')
      await expect(loadSpokenPrompts(rig.db, folder)).rejects.toThrow()
    } finally {
      await loadSpokenPrompts(rig.db)
      await rm(folder, { recursive: true })
    }
    expect((await list(token)).find(({ slug }) => slug === DCF)?.last?.rating).toBe(2)
  })
})

describe("a spoken answer's rating", () => {
  it('is stored once, returns the next date, and counts toward the day', async () => {
    rig.clock.now = new Date('2026-03-02T10:00:00Z')
    const { token } = await signUp(rig)
    const body = answer()
    const first = await save(token, body)
    expect([first.status, first.body]).toEqual([201, { next: '2026-03-05' }])
    const again = await Promise.all([1, 2, 3].map(() => save(token, { ...body, rating: 4 })))
    expect(again.map(({ status, body: told }) => [status, told.next])).toEqual(
      Array.from({ length: 3 }, () => [200, '2026-03-05']),
    )
    expect((await list(token)).find(({ slug }) => slug === DCF)).toMatchObject({
      last: { rating: 2, pointsSaid: 4, tookMs: 81_000, day: '2026-03-02' },
      next: '2026-03-05',
    })
    const streak = await rig.call('GET', `/api/streak?timeZone=${ZONE}`, { token })
    expect(streak.body).toMatchObject({ currentStreak: 1, lastCompletedDate: '2026-03-02' })
  })

  it('lengthens the interval; the last rating of a day counts', async () => {
    rig.clock.now = new Date('2026-03-05T10:00:00Z')
    const { token, userId } = await signUp(rig)
    await makeOlder(rig, userId)
    await save(token, answer({ rating: 2, answeredAt: '2026-03-02T10:00:00Z' }))
    expect((await open(token)).body.nextDays).toEqual([1, 8, 11, 18])
    expect((await save(token, answer({ rating: 1 }))).body).toEqual({ next: '2026-03-06' })
    const later = answer({ rating: 3, answeredAt: '2026-03-05T09:59:59Z' })
    // This answer is older than the stored one, so it doesn't change the schedule.
    expect((await save(token, later)).body).toEqual({ next: '2026-03-06' })
    rig.clock.now = new Date('2026-03-05T11:00:00Z')
    expect((await save(token, answer({ rating: 3 }))).body).toEqual({ next: '2026-03-16' })
  })

  it("belongs to the day of the answer in the person's time zone", async () => {
    rig.clock.now = new Date('2026-03-10T03:00:00Z')
    const { token, userId } = await signUp(rig)
    await makeOlder(rig, userId)
    const late = { answeredAt: '2026-03-10T02:30:00Z', timeZone: 'America/New_York', rating: 1 }
    expect((await save(token, answer(late))).body).toEqual({ next: '2026-03-10' })
    // A device clock that is a year ahead earns no extra day.
    const ahead = answer({ answeredAt: '2027-03-10T02:30:00Z', rating: 1 })
    expect((await save(token, ahead)).body).toEqual({ next: '2026-03-11' })
  })

  it('becomes due on its day and is counted until answered', async () => {
    rig.clock.now = new Date('2026-03-02T10:00:00Z')
    const { token, userId } = await signUp(rig)
    await save(token, answer({ rating: 1 }))
    await save(token, answer({ rating: 2 }), 'three-statements')
    const due = (today: string) => countSpokenDue(rig.db, userId, today)
    expect([await due('2026-03-02'), await due('2026-03-03'), await due('2026-03-05')]).toEqual([
      0, 1, 2,
    ])
    rig.clock.now = new Date('2026-03-02T10:01:00Z')
    await save(token, answer({ rating: 1, answeredAt: '2026-02-27T10:00:00Z' }), 'oil-jumps')
    // The answer can't be older than the account, so it counts for today.
    const today = await rig.call('GET', `/api/practice/today?timeZone=${ZONE}`, { token })
    expect(today.body.spokenDue).toBe(0)
    await makeOlder(rig, userId)
    await save(token, answer({ rating: 1, answeredAt: '2026-02-27T10:00:00Z' }), 'sell-or-list')
    const later = await rig.call('GET', `/api/practice/today?timeZone=${ZONE}`, { token })
    expect(later.body.spokenDue).toBe(1)
  })

  it('is invisible to other people and does not block their ids', async () => {
    rig.clock.now = new Date('2026-03-02T10:00:00Z')
    const [owner, other] = [await signUp(rig), await signUp(rig)]
    const body = answer({ rating: 4 })
    await save(owner.token, body)
    expect((await open(other.token)).body).toMatchObject({ last: null, nextDays: [1, 3, 8, 21] })
    expect((await list(other.token)).every(({ last, next }) => !last && !next)).toBe(true)
    expect(await countSpokenDue(rig.db, other.userId, '2027-01-01')).toBe(0)
    const same = await save(other.token, { ...body, rating: 1 })
    expect([same.status, same.body.next]).toEqual([201, '2026-03-03'])
    expect((await save(owner.token, body)).body).toEqual({ next: '2026-03-23' })
  })

  it.each<[string, object]>([
    ['a point that is none', { points: [7] }],
    ['points out of order', { points: [2, 1] }],
    ['a point twice', { points: [1, 1] }],
    ['a rating of five', { rating: 5 }],
    ['a time below zero', { tookMs: -1 }],
    ['an answer of an hour', { tookMs: 3_600_000 }],
    ['a recording', { recording: 'UklGRg==' }],
    ['no zone', { timeZone: '+02:00' }],
  ])('is rejected with %s', async (_, change) => {
    const { token } = await signUp(rig)
    expect((await save(token, answer(change))).status).toBe(400)
  })

  it('is rejected for an unknown prompt, and an id belongs to a single prompt', async () => {
    const { token } = await signUp(rig)
    expect((await save(token, answer(), 'no-such-prompt')).status).toBe(404)
    const body = answer()
    expect((await save(token, body)).status).toBe(201)
    expect((await save(token, body, 'three-statements')).status).toBe(404)
  })
})
