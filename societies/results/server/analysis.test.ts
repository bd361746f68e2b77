import { randomUUID } from 'node:crypto'
/** @module-tag full */
import { describe, expect, it } from 'vitest'
import {
  crowd,
  CROWD_KEY as KEY,
  makeSatTest,
  memberOfTest,
  sit,
} from '../../../tests/rig/analysis-rig.ts'
import { DAY } from '../../../tests/rig/assessment-rig.ts'
import {
  actionsOf,
  auditOf,
  organizerOf,
  takeRulingBack,
} from '../../../tests/rig/organizer-rig.ts'
import { decide } from '../../../tests/rig/results-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { readAnswerTable } from '../../incidents/server/answer-table.ts'
import { readIncidents } from '../../incidents/server/read-incidents.ts'
import { read } from '../../kit/server/action.ts'
import type { AnalyzedQuestion } from '../contract-analysis.ts'
import { readLookedTimes } from './read-analysis.ts'
import { regradeItem } from './regrade.ts'
import { crossingBy, findSuspiciousKeys, formScores } from './scores.ts'

// Item analysis (product 7.18.1 to 7.18.5, 7.18.12 to 7.18.14).
const rig = useRig({}, DAY)

const suspicious = (code: string) =>
  read(rig, async (client) => findSuspiciousKeys(client, code, await readAnswerTable(client, code)))

async function analysisOf(people: number) {
  const test = await makeSatTest(rig, KEY, crowd(people))
  const owner = await memberOfTest(rig, test, 'owner')
  const { status, body } = await owner.get('/analysis')
  expect(status).toBe(200)
  return { test, owner, body, last: body.questions.at(-1) as AnalyzedQuestion }
}

describe('the item analysis', () => {
  it('with 12 candidates shows counts, and for a voided question only the choices', async () => {
    const { test, owner, body, last } = await analysisOf(12)
    expect(body).toMatchObject({ people: 12, reliability: null, pace: null, outOfTime: null })
    expect(last).toMatchObject({
      ...{ of: 12, interval: null, discrimination: null, topCount: null, flags: [] },
    })
    expect(last.rows.map(({ count }) => count).reduce((sum, count) => sum + count)).toBe(12)
    expect(
      last.rows.every(({ r, restMean, top }) => r === null && restMean === null && top === null),
    ).toBe(true)
    const ruling = { kind: 'void', option: null } as const
    await regradeItem({ ...organizerOf(rig), code: test.code }, 10, ruling, 'misprint')
    const { body: after } = await owner.get('/analysis')
    expect(after.questionCount).toBe(9)
    expect(after.questions[9]).toMatchObject({ isVoid: true, rulings: 1, right: 0, of: 12 })
    expect(after.questions[9].rows[1].count).toBeGreaterThan(0)
    expect((await analysisOf(0)).body).toMatchObject({ people: 0, reliability: null })
  })

  it('with 22 candidates adds shares with their intervals', async () => {
    const { test, body, last } = await analysisOf(22)
    expect(body.reliability).toBeNull()
    expect(last).toMatchObject({ discrimination: null, flags: [] })
    expect(last.interval).not.toBeNull()
    expect(await suspicious(test.code)).toEqual([])
  })

  it('with 66 candidates shows everything, finds the wrong key, and counts who would cross the cut score', async () => {
    const { test, body, last } = await analysisOf(66)
    expect(body.reliability).toMatchObject({ alpha: expect.any(Number), error: expect.any(Number) })
    expect(last.discrimination).toMatchObject({ r: expect.any(Number) })
    expect(last.flags[0]).toEqual({ kind: 'key-suspicious', option: 1 })
    expect(last.rows[1]?.top).toBe(last.topCount)
    expect(await suspicious(test.code)).toEqual([10])
    const forms = await read(rig, async (client) =>
      formScores(await readAnswerTable(client, test.code)),
    )
    const across = Array.from({ length: 11 }, (_, line) => crossingBy(forms, 10, line))
    expect(new Set(across).size).toBeGreaterThan(2)
  })

  it('shows each of two forms separately', async () => {
    const test = await makeSatTest(rig, KEY, crowd(16))
    const { ids, attempts, code } = test
    await rig.sql`update assessment_items set form = case when position = 9 then 'A' else 'B' end
       where assessment = ${code} and position > 8`
    for (const [index, id] of attempts.entries()) {
      const paper = [...ids.slice(0, 8), ids[index % 4 === 0 ? 9 : 8]]
      await rig.sql`update attempts set form = ${index % 4 === 0 ? 'B' : 'A'}, paper = ${paper}
        where id = ${id}`
    }
    const owner = await memberOfTest(rig, test, 'owner')
    const [a, b] = [(await owner.get('/analysis')).body, (await owner.get('/analysis?form=B')).body]
    expect([a.form, a.people, a.questionCount]).toEqual(['A', 12, 9])
    expect([b.form, b.people, b.questionCount]).toEqual(['B', 4, 9])
    expect(b.questions.map(({ item }: AnalyzedQuestion) => item)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 10,
    ])
    // Each candidate's points come from their own nine questions.
    const { body } = await owner.get('/analysis/10')
    expect(body.people).toBe(16)
    const full = body.rulings.at(-1)
    expect(full).toMatchObject({ kind: 'full_marks', down: 0 })
    expect(full.up).toBeLessThanOrEqual(4)
  })
})

describe('access to the item analysis', () => {
  it('gives an author questions without candidates', async () => {
    const { test } = await analysisOf(66)
    const author = await memberOfTest(rig, test, 'author')
    const { status, body } = await author.get('/analysis')
    expect([status, body.ruling]).toEqual([200, 'propose'])
    const text = JSON.stringify(body)
    for (const secret of ['c1"', 'username', ...test.attempts.slice(0, 3)]) {
      expect(text).not.toContain(secret)
    }
    expect((await author.post('/analysis/10/keep', { reason: 'It is right.' })).status).toBe(404)
    expect((await (await memberOfTest(rig, test, 'invigilator')).get('/analysis')).status).toBe(404)
  })

  it("gives a reviewer access once all have finished, and logs other members' look at keys", async () => {
    const test = await makeSatTest(rig, KEY, crowd(3))
    const reviewer = await memberOfTest(rig, test, 'reviewer')
    expect((await reviewer.get('/analysis')).body).toMatchObject({ people: 3, ruling: 'propose' })
    expect(await auditOf(rig, test.code)).toEqual([])
    await sit(rig, test.code, test.ids, 'late', KEY, { isOpen: true })
    expect((await reviewer.get('/analysis')).body.code).toBe('not_closed')
    expect((await reviewer.get('/analysis/1')).body.code).toBe('not_closed')
    // Otherwise one refusal out of four proposals would reveal the key.
    for (const option of ['A', 'B', 'C', 'D']) {
      const guess = { ruling: { kind: 'replace', option }, reason: 'A guess.', version: 0 }
      const body = { ...guess, requestId: randomUUID() }
      expect((await reviewer.post('/analysis/1/proposals', body)).body.code).toBe('not_closed')
    }
    const owner = await memberOfTest(rig, test, 'owner')
    expect((await owner.get('/analysis')).body).toMatchObject({ people: 3, openCount: 1 })
    expect(await actionsOf(rig, test.code)).toEqual(['read-keys'])
  })
})

it('a suspicious key is settled when an owner confirms it or rules on it, and reopens when that is undone', async () => {
  const { test, owner } = await analysisOf(66)
  const { code } = test
  const kept = await owner.post('/analysis/10/keep', { reason: 'Worked out again: A.' })
  expect(kept.status).toBe(200)
  expect(await suspicious(code)).toEqual([])
  const [shown] = (await owner.get('/analysis')).body.questions.slice(-1)
  expect(shown.kept).toMatchObject({ reason: 'Worked out again: A.' })
  expect((await owner.post('/analysis/10/keep', { reason: 'again' })).body.code).toBe(
    'already_kept',
  )
  expect((await owner.post('/analysis/10/doubt')).status).toBe(200)
  expect(await suspicious(code)).toEqual([10])
  expect(await actionsOf(rig, code)).toEqual(['keep-key', 'doubt-key'])
  const ruling = { kind: 'replace', option: 'B' } as const
  await regradeItem({ ...organizerOf(rig), code }, 10, ruling, 'wrong key')
  expect(await suspicious(code)).toEqual([])
  await takeRulingBack(organizerOf(rig), code, 10)
  expect(await suspicious(code)).toEqual([10])
})

it('the viewing time of a question is the largest total over all windows and never longer than the attempt', async () => {
  const test = await makeSatTest(rig, 'AAA', ['AAA', 'AAA'])
  const [attempt, other] = test.attempts as [string, string]
  const [first, second] = test.ids as [number, number]
  const at = (minutes: number) => new Date(DAY.getTime() - (120 - minutes) * 60_000)
  const open = (windowId: string, minutes: number) =>
    rig.sql`insert into attempt_windows (attempt_id, window_id, opened_at)
      values (${attempt}, ${windowId}, ${at(minutes)})`
  const tell = (
    kind: string,
    windowId: string | null,
    minutes: number,
    dwell: [number, number][],
  ) =>
    rig.sql`insert into attempt_events (candidate_id, attempt_id, kind, window_id, dwell, received_at)
       select candidate_id, id, ${kind}, ${windowId}, ${JSON.stringify(dwell)}, ${at(minutes)}
       from attempts where id = ${attempt}`
  await open('w1', 0)
  await open('w2', 10)
  await tell('saved', 'w1', 1, [[first, 4_000]])
  // One report is sent twice, and an older one arrives late.
  await tell('saved', 'w1', 2, [[first, 9_000]])
  await tell('saved', 'w1', 2, [[first, 9_000]])
  await tell('saved', 'w1', 3, [[first, 5_000]])
  await tell('saved', 'w2', 12, [[first, 1_000]])
  await tell('submitted', null, 20, [
    [first, 2_500],
    [second, 86_400_000],
  ])
  const items = test.ids.map((id) => ({ id }))
  const times = await read(rig, (client) => readLookedTimes(client, test.code, items))
  expect(times.get(attempt)).toEqual([11_500, 20 * 60_000, 0])
  expect(times.has(other)).toBe(false)
  // Figures leave out candidates under review.
  for (const one of await read(rig, (client) => readIncidents(client, test.code))) {
    const asking = one.incidents.filter(({ asks }) => asks)
    for (const { name } of asking) await decide(rig, one.candidateId, name, 'cleared')
  }
  const owner = await memberOfTest(rig, test, 'owner')
  const { body } = await owner.get('/analysis')
  expect(body.timed).toBe(1)
  expect(body.questions[0]).toMatchObject({ medianMs: 11_500, timed: 1 })
  expect(body.questions[2]).toMatchObject({ medianMs: null, timed: 0 })
})
