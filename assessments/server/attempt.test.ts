import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  answerRowsOf,
  attemptRowOf,
  DAY,
  freshPulse,
  makeAssessment,
  makeCandidate,
  moveClock,
  resultRowOf,
  startedSeat,
  takeSeat,
} from '../../tests/rig/assessment-rig.ts'
import { signUp, useRig } from '../../tests/rig/rig.ts'
import { sweepOnce } from './sweep.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const answerRows = (candidateId: string) => answerRowsOf(rig, candidateId)
const attemptRow = (candidateId: string) => attemptRowOf(rig, candidateId)
const resultRow = (code: string) => resultRowOf(rig, code)

describe('saving answers', () => {
  it('keeps the newest revision when saves arrive late or twice', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    const [item] = items.map(({ id }) => id)
    const questionId = item ?? 0
    const save = (choice: string, revision: number) => seat.save([{ questionId, choice, revision }])
    expect((await save('A', 1)).body).toEqual({ saved: [{ questionId, revision: 1 }] })
    expect((await save('C', 3)).body).toEqual({ saved: [{ questionId, revision: 3 }] })
    expect((await save('B', 2)).body).toEqual({ saved: [{ questionId, revision: 3 }] })
    expect((await save('D', 3)).body).toEqual({ saved: [{ questionId, revision: 3 }] })
    expect(await answerRows(candidate.id)).toEqual([
      { item_id: questionId, choice: 'C', revision: 3 },
    ])
  })

  it('accepts several answers at once and keeps the newest of a repeated one', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    const [first, second] = items.map(({ id }) => id) as [number, number]
    const { body } = await seat.save([
      { questionId: first, choice: 'B', revision: 2 },
      { questionId: first, choice: 'A', revision: 1 },
      { questionId: second, choice: 'D', revision: 1 },
    ])
    expect(body.saved).toHaveLength(2)
    expect(await answerRows(candidate.id)).toEqual([
      { item_id: first, choice: 'B', revision: 2 },
      { item_id: second, choice: 'D', revision: 1 },
    ])
  })

  it.each([
    ['an unknown item', { questionId: 99_999_999, choice: 'A', revision: 1 }, 'unknown_item'],
    [
      'a number too large for the column',
      { questionId: 2_147_483_648, choice: 'A', revision: 1 },
      'bad_request',
    ],
    ['option E', { choice: 'E', revision: 1 }, 'bad_choice'],
    ['a choice that is not a letter', { choice: 'AB', revision: 1 }, 'bad_choice'],
    ['revision 0', { choice: 'A', revision: 0 }, 'bad_request'],
    ['an extra field', { choice: 'A', revision: 1, isCorrect: true }, 'bad_request'],
  ])('rejects %s and stores nothing from the call', async (_, bad, code) => {
    const { seat, items, candidate } = await startedSeat(rig)
    const [first, second] = items.map(({ id }) => id) as [number, number]
    const answer = await seat.save([
      { questionId: first, choice: 'A', revision: 1 },
      { questionId: second, ...bad },
    ])
    expect([answer.status, answer.body.code]).toEqual([400, code])
    expect(await answerRows(candidate.id)).toEqual([])
  })

  it('rejects an item of another assessment', async () => {
    const other = await makeAssessment(rig)
    const { seat } = await startedSeat(rig)
    const answer = await seat.save([
      { questionId: other.items[0]?.id ?? 0, choice: 'A', revision: 1 },
    ])
    expect([answer.status, answer.body.code]).toEqual([400, 'unknown_item'])
  })

  it('is rejected before the start', async () => {
    const { code, items } = await makeAssessment(rig)
    const { username } = await makeCandidate(rig, code)
    const seat = await takeSeat(rig, code, username)
    const answer = await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }])
    expect([answer.status, answer.body.code]).toEqual([409, 'not_started'])
  })
})

describe('an attempt open in two windows', () => {
  it('belongs to the newest, and the older one gets an error on save and submit', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    const questionId = items[0]?.id ?? 0
    const second = await takeSeat(rig, seat.code, seat.username)
    await second.start()
    await second.save([{ questionId, choice: 'B', revision: 1 }])
    for (const answer of [
      await seat.save([{ questionId, choice: 'A', revision: 9 }]),
      await seat.submit(items.map(({ id }) => ({ questionId: id, choice: 'A', revision: 9 }))),
      await seat.report({ id: 1, kind: 'copy', at: 1 }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'taken_over'])
    }
    expect(await answerRows(candidate.id)).toEqual([
      { item_id: questionId, choice: 'B', revision: 1 },
    ])
    const { rows } = await rig.db.execute(
      sql`select kind, user_id from attempt_events where candidate_id = ${candidate.id} and kind in ('started', 'taken_over') order by id`,
    )
    expect(rows).toEqual([
      { kind: 'started', user_id: seat.userId },
      { kind: 'taken_over', user_id: second.userId },
    ])
  })
})

describe('responses to a candidate', () => {
  it('do not depend on the keys and contain no key or explanation', async () => {
    const traffic = async (shift: number) => {
      const { seat, items } = await startedSeat(rig, { code: `SAME${shift}` })
      await rig.db.execute(sql`
        update assessment_items set correct_option = translate(correct_option, 'ABCD', ${['ABCD', 'BCDA'][shift]})
        where assessment = ${seat.code}`)
      const answers = items.map(({ id }) => ({ questionId: id, choice: 'A', revision: 1 }))
      const parts = [
        await seat.start(),
        await seat.save(answers.slice(0, 2)),
        await seat.report({ id: 1, kind: 'ready', at: 0 }),
        await seat.status(),
        await seat.submit(answers),
        await seat.status(),
      ]
      let text = JSON.stringify(parts.map(({ status, body }) => [status, body]))
      // The ids and the code differ between runs.
      items.forEach(({ id }, index) => {
        text = text.replaceAll(`:${id},`, `:${index},`)
      })
      const { reference } = parts[0]?.body ?? {}
      return text.replaceAll(String(reference), 'REF').replaceAll(seat.code, 'CODE')
    }
    const [one, other] = [await traffic(0), await traffic(1)]
    expect(one).toBe(other)
    expect(one).not.toMatch(/correct|key|score|explanation|isRight|accepted/i)
  })
})

describe('the list of open assessments', () => {
  it('contains what a candidate needs and no key', async () => {
    const { code } = await makeAssessment(rig, { society: 'Listed', session: 'Morning' })
    const { token } = await signUp(rig)
    const { body } = await rig.call('GET', '/api/assessments', { token })
    expect(body.find((one: { code: string }) => one.code === code)).toEqual({
      code,
      society: 'Listed',
      label: 'Listed - Morning',
      session: 'Morning',
      durationSeconds: 1200,
      questionCount: 4,
      navigator: false,
      rules: { timing: [], allowed: [], forbidden: [], contact: null },
      opensAt: null,
      closesAt: null,
      closesInMs: null,
      isRunning: false,
      isReleased: false,
      timeZone: 'Europe/Lisbon',
    })
  })
})

describe('a closing assessment', () => {
  it("reports by the server's clock how long it can be started, and which users have a running test", async () => {
    const { seat, code, items } = await startedSeat(rig, {
      closesAt: new Date(DAY.getTime() + 60_000),
    })
    const other = await signUp(rig)
    const listedFor = async (token: string) => {
      const { body } = await rig.call('GET', '/api/assessments', { token })
      const { closesInMs, isRunning } = body.find((one: { code: string }) => one.code === code)
      return { closesInMs, isRunning }
    }
    expect(await listedFor(other.token)).toEqual({ closesInMs: 60_000, isRunning: false })
    await moveClock(rig, 61_000)
    expect(await listedFor(other.token)).toEqual({ closesInMs: -1_000, isRunning: false })
    expect(await listedFor(seat.token)).toEqual({ closesInMs: -1_000, isRunning: true })
    await seat.submit(items.map(({ id }) => ({ questionId: id, choice: 'A', revision: 1 })))
    expect((await listedFor(seat.token)).isRunning).toBe(false)
  })
})

describe("a candidate's status", () => {
  it("shows the candidate's own time limit, also before the start", async () => {
    const { code } = await makeAssessment(rig)
    const { username } = await makeCandidate(rig, code, 'with time', { extraSeconds: 600 })
    const seat = await takeSeat(rig, code, username)
    expect((await seat.status()).body).toMatchObject({ status: 'not_started', extraSeconds: 600 })
    const others = await startedSeat(rig)
    expect((await others.seat.status()).body.extraSeconds).toBe(0)
  })

  it('lists the recorded events and their times after the third strike, without voided ones', async () => {
    const { seat, candidate } = await startedSeat(rig)
    await moveClock(rig, 60_000)
    await seat.report({ id: 1, kind: 'ready', at: 0 }, { id: 2, kind: 'paste', at: 5_000 })
    await rig.db.execute(sql`
      update attempt_events set voided_at = ${DAY} where candidate_id = ${candidate.id} and number = 2`)
    await seat.report({ id: 3, kind: 'copy', at: 10_000 })
    await seat.report({ id: 4, kind: 'shortcut', at: 20_000, detail: { key: 'Ctrl+P' } })
    expect((await seat.status()).body.strikes).toBeUndefined()
    await seat.report({ id: 5, kind: 'page_hidden', at: 30_000 })
    const { body } = await seat.status()
    expect(body.reason).toBe('violations')
    expect(body.strikes).toEqual([
      { kind: 'copy', at: new Date(DAY.getTime() + 10_000).toISOString() },
      { kind: 'shortcut', key: 'Ctrl+P', at: new Date(DAY.getTime() + 20_000).toISOString() },
      { kind: 'page_hidden', at: new Date(DAY.getTime() + 30_000).toISOString() },
    ])
  })
})

describe("deleting the candidate's account", () => {
  it('during the test keeps the attempt, and verifying again resumes it', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }])
    await rig.db.execute(sql`delete from users where id = ${seat.userId}`)
    const resumed = await (await takeSeat(rig, seat.code, seat.username)).start()
    expect(resumed.body.answers).toHaveLength(1)
    expect(await attemptRow(candidate.id)).toBeDefined()
  })

  it('after the test keeps the result, and verifying again returns submitted', async () => {
    const { seat, items } = await startedSeat(rig)
    await seat.submit(
      items.map(({ id, correctOption }) => ({
        questionId: id,
        choice: correctOption,
        revision: 1,
      })),
    )
    await rig.db.execute(sql`delete from users where id = ${seat.userId}`)
    expect(await resultRow(seat.code)).toMatchObject({ correct: 4 })
    const back = await takeSeat(rig, seat.code, seat.username)
    expect((await back.start()).body.status).toBe('submitted')
  })
})

describe('the views of results (product 6.11.1)', () => {
  beforeAll(async () => {
    for (const code of ['PCF', 'ESFS_MORNING', 'ESFS_AFTERNOON']) {
      await makeAssessment(rig, { code, itemCount: 4 })
    }
  })

  it.each(['PCF', 'ESFS_MORNING', 'ESFS_AFTERNOON'])(
    '%s_results has its five columns',
    async (code) => {
      rig.clock.now = DAY
      await freshPulse(rig)
      const { username } = await makeCandidate(rig, code, `of-${code}`)
      const demo = await makeCandidate(rig, code, `demo-${code}`, { isDemo: true })
      for (const name of [username, demo.username]) {
        const seat = await takeSeat(rig, code, name)
        const { body } = await seat.start()
        await seat.save([{ questionId: body.questions[0].id, choice: 'A', revision: 1 }])
        await seat.report({ id: 1, kind: 'paste', at: 10 })
      }
      await moveClock(rig, 1_211_000)
      await sweepOnce(rig.dependencies)
      const { rows } = await rig.db.$client.query(`select * from "${code}_results"`)
      expect(rows).toEqual([
        { user: username, correct: '1', incorrect: '3', time: '20:00', cheated: true },
      ])
    },
  )
})

describe('an invalid assessment code', () => {
  it.each(['nothing', 'PCF%27', 'a'.repeat(50)])('is rejected: %s', async (code) => {
    const { token } = await signUp(rig)
    const { status } = await rig.call('POST', `/api/assessments/${code}/verify`, {
      token,
      body: { username: randomUUID(), password: 'x' },
    })
    expect([400, 401]).toContain(status)
  })
})
