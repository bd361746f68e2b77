import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeOlder, signUp, useRig } from '../../tests/rig/rig.ts'
import { getDrill, listDrills, saveDrill } from '../contract/drills.ts'
import { GENERATOR_VERSION, sumsOf } from '../drill/generator.ts'
import { getPreset, type Preset } from '../drill/presets.ts'

const rig = useRig()
const limited = useRig({ rateLimits: true })

const EIGHTY = getPreset('80-in-8') as Preset
const sums = sumsOf(EIGHTY, GENERATOR_VERSION, 7) ?? []

/** Answers ten questions in three seconds each. Those in `wrong` get another option. */
function finished({
  wrong = [] as number[],
  ...changes
}: Record<string, unknown> & { wrong?: number[] } = {}) {
  return {
    id: randomUUID(),
    preset: EIGHTY.id,
    version: GENERATOR_VERSION,
    seed: 7,
    penalty: 1,
    startedAt: '2026-03-02T09:50:00.000Z',
    tookMs: 480_000,
    answers: sums.slice(0, 10).map(({ key, options }, index) => ({
      answer: wrong.includes(index) ? (options.find((option) => option !== key) ?? '') : key,
      tookMs: 3_000,
    })),
    timeZone: 'Europe/Lisbon',
    ...changes,
  }
}
const save = (token: string, body: unknown, on = rig) =>
  on.call('POST', '/api/practice/drills', { token, body })
const list = async (token: string) =>
  listDrills.response.parse((await rig.call('GET', '/api/practice/drills', { token })).body)

describe('saving a drill', () => {
  it('regenerates the questions, marks them on the server and counts the day', async () => {
    const { token } = await signUp(rig)
    const { status, body } = await save(token, finished({ wrong: [2, 5] }))
    expect([status, saveDrill.response.parse(body)]).toEqual([
      201,
      {
        correct: 8,
        wrong: 2,
        skipped: 70,
        score: 6,
        streak: { currentStreak: 1, streakHighscore: 1, lastCompletedDate: '2026-03-02' },
      },
    ])
  })

  it.each([
    [0, 8],
    [2, 4],
  ])('with a penalty of %d scores %d', async (penalty, score) => {
    const { token } = await signUp(rig)
    expect((await save(token, finished({ wrong: [2, 5], penalty }))).body.score).toBe(score)
  })

  it('stores one row if the same id is sent ten times at the same time, with equal responses', async () => {
    const { token } = await signUp(rig)
    const body = finished({ wrong: [1] })
    const answers = await Promise.all(Array.from({ length: 10 }, () => save(token, body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
    expect(await list(token)).toHaveLength(1)
  })

  it('marks a repeated question by the drill that it came from', async () => {
    const { token } = await signUp(rig)
    const back = sums[30]
    const answers = [
      ...finished().answers.slice(0, 4),
      { answer: back?.key, tookMs: 2_000, from: { seed: 7, place: 30 } },
    ]
    // The first four belong to another seed, so they are wrong here.
    const { body } = await save(token, finished({ seed: 8, answers }))
    expect([body.correct, body.wrong]).toEqual([1, 4])
  })

  const answer = (tookMs: number) => ({ answer: '1', tookMs })
  it.each<[string, string | undefined, Record<string, unknown>]>([
    ['a preset that there is not', 'unknown_sums', { preset: 'marathon' }],
    ['a version that is gone', 'unknown_sums', { version: 99 }],
    ['more answers than sums', 'unknown_sums', { answers: Array(81).fill(answer(1_000)) }],
    [
      'a sum from nowhere',
      'unknown_sums',
      { answers: [{ ...answer(900), from: { seed: 7, place: 80 } }] },
    ],
    ['more time than the drill has', 'bad_times', { tookMs: 483_000 }],
    ['answers longer than the drill', 'bad_times', { tookMs: 10_000 }],
    // The server checks the times first, because making questions is expensive.
    ['both', 'bad_times', { tookMs: 10_000, version: 99 }],
    ['answers quicker than they are read', 'bad_times', { answers: Array(80).fill(answer(20)) }],
    ['no answer', undefined, { answers: [] }],
    ['a score of its own', undefined, { score: 80 }],
    ['a penalty of its own', undefined, { penalty: -1 }],
    ['a seed beyond the dice', undefined, { seed: 2_147_483_648 }],
  ])('rejects %s with 400 and stores nothing', async (_, code, changes) => {
    const { token, userId } = await signUp(rig)
    const refused = await save(token, finished(changes))
    expect(refused.status).toBe(400)
    if (code) expect(refused.body.code).toBe(code)
    expect(await list(token)).toEqual([])
    const { rowCount } = await rig.db.$client.query(
      'select from practice_days where user_id = $1',
      [userId],
    )
    expect(rowCount).toBe(0)
  })

  it('clamps a start in the future, so it earns no extra day', async () => {
    const { token, userId } = await signUp(rig)
    await makeOlder(rig, userId)
    await save(token, finished({ startedAt: '2026-03-09T10:00:00Z' }))
    expect((await list(token))[0]?.startedAt).toBe('2026-03-02T09:52:00.000Z')
  })

  it('rejects the 501st drill of a day with 429 and the time to retry', async () => {
    const { token } = await signUp(limited)
    await save(token, finished(), limited)
    await limited.db.$client.query(`update rate_limits set points = 500 where key like 'drills:%'`)
    const refused = await save(token, finished(), limited)
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many'])
    expect(refused.body.message).toContain('You have reached the daily limit for drills.')
  })
})

describe('saved drills', () => {
  it('are listed newest first and opened with their answers', async () => {
    const { token, userId } = await signUp(rig)
    await makeOlder(rig, userId)
    const older = finished({ startedAt: '2026-03-01T09:00:00Z' })
    const newer = finished({ wrong: [0], preset: 'sprint', tookMs: 120_000 })
    await save(token, newer)
    await save(token, older)
    expect((await list(token)).map(({ id, preset }) => [id, preset])).toEqual([
      [newer.id, 'sprint'],
      [older.id, '80-in-8'],
    ])
    const { body } = await rig.call('GET', `/api/practice/drills/${older.id}`, { token })
    const drill = getDrill.response.parse(body)
    expect(drill.answers).toEqual(older.answers)
    expect([drill.version, drill.seed, drill.score]).toEqual([GENERATOR_VERSION, 7, 10])
  })

  it('answer 404 to other people', async () => {
    const [one, other] = [await signUp(rig), await signUp(rig)]
    const body = finished()
    await save(one.token, body)
    const opened = await rig.call('GET', `/api/practice/drills/${body.id}`, { token: other.token })
    expect([opened.status, opened.body.code]).toEqual([404, 'not_found'])
    expect(await list(other.token)).toEqual([])
  })
})
