import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DAY, makeAssessment, makeCandidate, takeSeat } from '../../../tests/rig/assessment-rig.ts'
import { watchLog } from '../../../tests/rig/auth-rig.ts'
import { actionsOf, auditOf } from '../../../tests/rig/organizer-rig.ts'
import { makeContent, sitThrough, useDesk } from '../../../tests/rig/questions/questions-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { callerOf, makeSociety } from '../../../tests/rig/society-rig.ts'
import type { QuestionContent } from '../question-content.ts'
import { readSampleStems } from './authoring/load-assessment.ts'

const rig = useRig()
watchLog(rig)

const at = useDesk(rig)
const { call, list, save, idsOf } = at
type Account = (typeof at.desk)['owner']

const stems = async () =>
  (await list()).items.map(({ question }: QuestionContent) => question.slice(0, 6))

describe('the questions of a test', () => {
  it('are listed with their keys, which is logged once an hour', async () => {
    const found = await list()
    expect(found).toMatchObject({ lockedBy: null, isSample: false })
    expect(found.items).toHaveLength(4)
    expect(found.items[1]).toMatchObject({
      question: `Stem 2 of ${at.desk.code}?`,
      options: { A: 'alpha 2', B: 'beta 2', C: 'gamma 2', D: 'delta 2' },
      ...{ answer: 'B', version: 1, lastTime: null, sharedWith: [], checks: [] },
    })
    await list()
    // The member keeps reading, because an idle organizer session ends after half an hour.
    for (const ms of [1_200_000, 2_400_000, 3_600_001]) {
      rig.clock.now = new Date(DAY.getTime() + ms)
      await list()
    }
    expect(await actionsOf(rig, at.desk.code)).toEqual(['read-keys', 'read-keys'])
  })

  it('are readable for a reviewer once the test has closed', async () => {
    const reviewer = await at.desk.member('reviewer', 'reviewer')
    expect(await list(reviewer)).toMatchObject({ code: 'not_closed' })
    const past = await makeAssessment(rig, {
      societyId: at.desk.society.id,
      closesAt: new Date(DAY.getTime() - 1),
    })
    expect((await list(reviewer, past.code)).items).toHaveLength(4)
    const { status } = await call('POST', '', { content: makeContent(), after: null }, reviewer)
    expect(status).toBe(404)
  })

  it('come with their results in the society’s other tests, and where they are shared', async () => {
    const earlier = await makeAssessment(rig, { societyId: at.desk.society.id, session: 'Morning' })
    const [first] = (await list(at.desk.owner, earlier.code)).items
    await call('POST', '/take', { questions: [first.questionId] })
    expect((await list()).items[4]).toMatchObject({ sharedWith: ['Morning'], lastTime: null })
    for (const isRight of [true, true, false]) await sitThrough(rig, earlier.code, isRight)
    const lastTime = { code: earlier.code, name: 'Morning', right: 2, of: 3 }
    expect((await list()).items[4]).toMatchObject({ question: first.question, lastTime })
    const narrow = await at.desk.member('narrow', 'author', { assessment: at.desk.code })
    expect((await list(narrow)).items[4]).toMatchObject({ sharedWith: [], lastTime: null })
  })
})

describe('writing questions', () => {
  it('adds after another one or at the end and stores the author', async () => {
    const [, second] = (await list()).items
    const last = await call('POST', '', { content: makeContent(), after: null })
    expect(last).toMatchObject({ status: 201, body: { version: 1 } })
    const body = { content: makeContent({ question: 'In between?' }), after: second.questionId }
    const added = await call('POST', '', body)
    expect(await stems()).toEqual(['Stem 1', 'Stem 2', 'In bet', 'Stem 3', 'Stem 4', 'What d'])
    const { questionId } = (await list()).items[2]
    expect(questionId).toBe(added.body.questionId)
    const { body: versions } = await call('GET', `/${questionId}/versions`)
    expect(versions).toMatchObject([{ version: 1, changedByName: expect.stringMatching(/^ana-/) }])
  })

  it('saves a new version and keeps the previous one', async () => {
    const [first] = (await list()).items
    const next = makeContent({
      ...{ topic: 'Bonds', compute: '1 + 1', explanation: 'Because.\nTwo lines.' },
      exhibit: { kind: 'table', rows: [['Year'], ['2025']] },
    })
    const saved = await save(first.questionId, next)
    expect(saved.body).toEqual({ questionId: first.questionId, version: 2 })
    expect((await list()).items[0]).toMatchObject({ ...next, version: 2 })
    const { body: versions } = await call('GET', `/${first.questionId}/versions`)
    expect(versions).toMatchObject([
      { version: 2, content: next, changedAt: DAY.toISOString() },
      { version: 1, content: { question: first.question }, changedByName: null, changedAt: null },
    ])
    expect((await auditOf(rig, at.desk.code)).at(-1)).toMatchObject({
      action: 'save-question',
      detail: { version: 2, fields: expect.arrayContaining(['question', 'A', 'topic', 'exhibit']) },
    })
  })

  it('names the other editor on a conflict, never the member, and accepts one of two simultaneous saves', async () => {
    const carla = await at.desk.member('carla', 'author')
    const [first = ''] = await idsOf()
    await save(first, { topic: 'Hers' }, 1, carla)
    const stale = await save(first, { topic: 'Mine' })
    expect(stale).toMatchObject({
      status: 409,
      body: { code: 'stale', by: expect.stringMatching(/^carla-/), at: DAY.toISOString() },
    })
    const removed = await call('POST', `/${first}/remove`, { version: 1 })
    expect(removed).toMatchObject({ status: 409, body: { code: 'stale' } })
    expect((await list()).items[0]).toMatchObject({ topic: 'Hers', version: 2 })
    const own = await save(first, { topic: 'There' }, 1, carla)
    expect(own.body.message).toMatch(/^You changed this on another page just now\./)
    const versions = async (by?: Account) =>
      (await call('GET', `/${first}/versions`, undefined, by)).body
    expect((await versions(carla))[0].changedByYou).toBe(true)
    expect((await versions())[0].changedByYou).toBe(false)
    const answers = await Promise.all(['one', 'two'].map((topic) => save(first, { topic }, 2)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('removes a question and restores it unchanged in its place', async () => {
    const [, second = ''] = await idsOf()
    const path = `/${second}`
    await save(second)
    expect((await call('POST', `${path}/remove`, { version: 2 })).status).toBe(200)
    expect(await stems()).toEqual(['Stem 1', 'Stem 3', 'Stem 4'])
    const restored = await call('POST', `${path}/restore`, { position: 2 })
    expect(restored.body).toEqual({ listVersion: (await list()).listVersion })
    expect(await stems()).toEqual(['Stem 1', 'What d', 'Stem 3', 'Stem 4'])
    expect((await list()).items[1]).toMatchObject({ ...makeContent(), version: 2 })
    expect((await call('POST', `${path}/restore`, { position: 2 })).body.code).toBe(
      'question_is_there',
    )
    expect((await call('POST', `/${randomUUID()}/restore`, { position: 1 })).status).toBe(404)
  })

  it('reorders all at once, but not from an outdated order', async () => {
    const { listVersion } = await list()
    const order = (await idsOf()).reverse()
    const done = await call('POST', '/order', { order, listVersion })
    expect(done.status).toBe(200)
    expect(await stems()).toEqual(['Stem 4', 'Stem 3', 'Stem 2', 'Stem 1'])
    const again = await call('POST', '/order', { order, listVersion })
    expect(again).toMatchObject({ status: 409, body: { code: 'stale' } })
    const { listVersion: now } = await list()
    expect(now).toBe(done.body.listVersion)
    for (const wrong of [order.slice(1), [...order.slice(1), order[1]], [randomUUID(), ...order]]) {
      const refused = await call('POST', '/order', { order: wrong, listVersion: now })
      expect(refused.body.code).toBe('other_questions')
    }
  })

  it('ends once a candidate has started; a rehearsal does not count', async () => {
    const demo = await makeCandidate(rig, at.desk.code, 'demo', { isDemo: true })
    await (await takeSeat(rig, at.desk.code, demo.username)).start()
    expect((await call('POST', '', { content: makeContent(), after: null })).status).toBe(201)
    const rows = await rig.sql`select from attempts where assessment = ${at.desk.code}`
    expect(rows).toHaveLength(0)
    const { username } = await makeCandidate(rig, at.desk.code)
    await (await takeSeat(rig, at.desk.code, username)).start()
    const { items, listVersion, lockedBy } = await list()
    expect(lockedBy).toBe('started')
    const { questionId } = items[0]
    const order = await idsOf()
    for (const [method, path, body] of [
      ['POST', '', { content: makeContent(), after: null }],
      ['PUT', `/${questionId}/content`, { content: makeContent(), version: 1 }],
      ['POST', `/${questionId}/remove`, { version: 1 }],
      ['POST', `/${questionId}/restore`, { position: 1 }],
      ['POST', '/order', { order, listVersion }],
      ['POST', '/take', { questions: [questionId] }],
    ] as const) {
      const refused = await call(method, path, body)
      expect([method, path, refused.body.code]).toEqual([method, path, 'has_attempts'])
    }
  })

  it('allows errors in a draft only, and never samples or invisible characters', async () => {
    const add = (question: string) =>
      call('POST', '', { content: makeContent({ question }), after: null })
    expect((await add('')).body.code).toBe('has_errors')
    const [sample = ''] = await readSampleStems()
    expect((await add(sample)).body.code).toBe('is_sample_question')
    const hidden = await add('What does a bond\u202e pay?')
    expect(hidden).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    expect(hidden.body.message).toMatch(/cannot be shown/)
    await rig.sql`update assessments set is_draft = true where code = ${at.desk.code}`
    expect((await add('')).status).toBe(201)
  })

  it('in another society answers 404', async () => {
    const theirs = await makeSociety(rig)
    const stranger = await callerOf(rig, theirs.id, 'owner')
    expect((await call('GET', '', undefined, stranger)).status).toBe(404)
    const [first = ''] = await idsOf()
    const mine = await makeAssessment(rig, { societyId: theirs.id })
    const path = `/assessments/${mine.code}/questions`
    const body = { content: makeContent(), version: 1 }
    const put = await stranger('PUT', `${path}/${first}/content`, body)
    expect(put).toMatchObject({ status: 404, body: { code: 'no_such_question' } })
    const taken = await stranger('POST', `${path}/take`, { questions: [first] })
    expect(taken.body).toEqual({ added: 0 })
  })
})

describe('an answer with the key hidden', () => {
  const check = (by: Account, index: number, choice: string | null, more: object = {}) =>
    list(at.desk.owner).then(({ items }) =>
      call(
        'PUT',
        `/${items[index].questionId}/check`,
        { version: items[index].version, choice, comment: '', ...more },
        by,
      ),
    )
  const checksOf = async (index: number, by = at.desk.owner) => (await list(by)).items[index].checks
  const overviewRow = async (by: Account) => {
    const path = `/api/societies/${at.desk.society.id}/assessments/${at.desk.code}/overview`
    const { body } = await rig.call('GET', path, { token: by.token })
    return body.rows.find(({ row }: { row: string }) => row === 'keys')
  }

  it('can be agreed with, disputed and withdrawn, and is logged once an hour', async () => {
    const carla = await at.desk.member('carla', 'author')
    expect((await check(carla, 0, 'A')).body).toEqual({ done: true })
    expect((await check(carla, 1, 'C', { comment: ' The key moved. ' })).status).toBe(200)
    const name = expect.stringMatching(/^carla-/)
    expect(await checksOf(0)).toEqual([{ name, isYou: false, choice: 'A', comment: '' }])
    const dispute = { choice: 'C', comment: 'The key moved.' }
    expect(await checksOf(1)).toEqual([{ name, isYou: false, ...dispute }])
    expect(await checksOf(1, carla)).toMatchObject([{ isYou: true, ...dispute }])
    await check(carla, 1, 'B')
    expect(await checksOf(1)).toMatchObject([{ choice: 'B', comment: '' }])
    await check(carla, 1, null)
    expect(await checksOf(1)).toEqual([])
    const noted = (await auditOf(rig, at.desk.code)).filter(({ action }) => action === 'check-keys')
    expect(noted).toHaveLength(1)
  })

  it('belongs to the answered version, and is visible to members who can read keys', async () => {
    await check(at.desk.owner, 0, 'A')
    const [first = ''] = await idsOf()
    await save(first)
    expect(await checksOf(0)).toEqual([])
    const old = { version: 1, choice: 'A', comment: '' }
    const stale = await call('PUT', `/${first}/check`, old)
    expect(stale).toMatchObject({ status: 409, body: { code: 'stale' } })
    for (const role of ['reviewer', 'invigilator'] as const) {
      expect((await check(await at.desk.member(role, role), 0, 'A')).status).toBe(404)
    }
    expect((await call('PUT', `/${randomUUID()}/check`, old)).status).toBe(404)
  })

  it('is one row of the overview, with comments for members who can read keys', async () => {
    const reviewer = await at.desk.member('reviewer', 'reviewer')
    expect(await overviewRow(at.desk.owner)).toMatchObject({
      ...{ state: 'attention', word: 'Not yet', finding: 'No key has a second answer yet.' },
    })
    for (const [index, choice] of ['A', 'B', 'C'].entries())
      await check(at.desk.owner, index, choice)
    expect(await overviewRow(at.desk.owner)).toMatchObject({
      ...{ state: 'attention', word: '3 of 4', finding: 'Question 4 has no second answer.' },
    })
    await check(at.desk.owner, 1, 'C', { comment: 'The key moved' })
    const found = await overviewRow(at.desk.owner)
    expect(found).toMatchObject({
      ...{ state: 'attention', word: '1 disputed', finding: 'The key of question 2 is disputed.' },
      rest: expect.stringMatching(/^ana-\w+ disputes it: The key moved\. Question 4 has no/),
      link: { page: 'questions', label: 'Open question 2' },
    })
    expect(found.link.question).toBe((await list()).items[1].questionId)
    const { rest } = await overviewRow(reviewer)
    expect(rest).toMatch(/^Someone who didn’t see the key chose another option\. Question 4 has no/)
    await check(at.desk.owner, 1, 'B')
    await check(at.desk.owner, 3, 'D')
    expect(await overviewRow(reviewer)).toMatchObject({
      ...{ state: 'ready', word: 'Ready', finding: 'All 4 keys have a second answer.' },
    })
  })
})

describe('the society’s question bank', () => {
  it('has the latest version of each question from the tests that the member can see', async () => {
    const spring = await makeAssessment(rig, { societyId: at.desk.society.id, itemCount: 2 })
    const summer = await makeAssessment(rig, { societyId: at.desk.society.id, itemCount: 0 })
    const [first = '', second = ''] = await idsOf(spring.code)
    await call('POST', '/take', { questions: [first] }, at.desk.owner, summer.code)
    await save(first, { topic: 'Bonds' }, 1, at.desk.owner, summer.code)
    const { body: bank } = await call('GET', '/bank')
    expect(bank).toHaveLength(2)
    const of = new Map(
      bank.map((one: { questionId: string; code: string }) => [one.questionId, one.code]),
    )
    expect(of).toEqual(
      new Map([
        [first, summer.code],
        [second, spring.code],
      ]),
    )
    expect(JSON.stringify(bank)).not.toContain('A coupon')

    const narrow = await at.desk.member('narrow', 'author', { assessment: at.desk.code })
    expect((await call('GET', '/bank', undefined, narrow)).body).toEqual([])
    const sits = await at.desk.member('sits', 'owner')
    const candidate = await makeCandidate(rig, spring.code)
    await takeSeat(rig, spring.code, candidate.username, sits)
    const codes = async () => {
      const { body } = await call('GET', '/bank', undefined, sits)
      return body.map((one: { code: string }) => one.code)
    }
    // The summer test has a question from spring, so it is hidden too until spring is over.
    expect(await codes()).toEqual([])
    await rig.sql`update assessments set closes_at = ${rig.clock.now} where code = ${spring.code}`
    expect(await codes()).toEqual([summer.code])
  })

  it('adds a copy of each chosen question once', async () => {
    const spring = await makeAssessment(rig, { societyId: at.desk.society.id, itemCount: 3 })
    const ids = await idsOf(spring.code)
    const taken = await call('POST', '/take', { questions: [ids[2], ids[0], ids[2], randomUUID()] })
    expect(taken.body).toEqual({ added: 2 })
    expect((await call('POST', '/take', { questions: [ids[2]] })).body).toEqual({ added: 0 })
    expect((await idsOf()).slice(4)).toEqual([ids[2], ids[0]])
    // The question is removed after a change and added again from the other test. This test's versions continue.
    const [first = ''] = ids
    const path = `/${first}`
    await save(first)
    await call('POST', `${path}/remove`, { version: 2 })
    await call('POST', '/take', { questions: [ids[0]] })
    const saved = await save(first, { topic: 'New' })
    expect(saved.body.version).toBe(3)
    expect((await call('GET', `${path}/versions`)).body[0].content.topic).toBe('New')
  })
})
