import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import {
  DAY,
  freshPulse,
  makeAssessment,
  makeCandidate,
  moveClock,
  PASSWORD,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import { actionsOf, auditOf, codeOf, rightAnswers } from '../../../tests/rig/organizer-rig.ts'
import { yamlOf } from '../../../tests/rig/questions/questions-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeMember, makeSociety, proveAgain, useSociety } from '../../../tests/rig/society-rig.ts'
import { sized } from '../../../tests/setup/size.ts'
import { emptyDeleted, purgeDeleted } from '../../log/server/season.ts'
import { loadAssessment } from '../../questions/server/authoring/load-assessment.ts'

// Tests an assessment's life through the browser's calls on a real database (product 7.8).
// Long because it covers everything from the first draft to the deletion.
const rig = useRig({}, DAY)
const { here, member, path: at } = useSociety(rig)
type Account = Awaited<ReturnType<typeof member>>

const fresh = () => `L${randomUUID().slice(0, 8).toUpperCase()}`
const of = (code: string, path = '') => at(`/assessments/${code}${path}`)
const call = (method: string, path: string, body?: unknown, as: { token: string } = here.owner) =>
  rig.call(method, path, { token: as.token, ...(body === undefined ? {} : { body }) })
const make = (code: string, more = {}) =>
  call('POST', at('/assessments'), { code, society: 'Club', session: null, season: null, ...more })
const { sql } = rig
const rowOf = async (code: string) => (await sql`select * from assessments where code = ${code}`)[0]
const minutes = (count: number) => new Date(DAY.getTime() + count * 60_000)
const publish = (code: string, version: number) =>
  call('POST', of(code, '/publication'), { version })
const takeBack = (code: string, version: number) =>
  call('POST', of(code, '/publication/take-back'), { version })
const listed = async (as = here.owner) =>
  (await call('GET', at('/checklists'), undefined, as)).body.assessments as {
    code: string
    checklist: string[]
    next: object
  }[]

/** Makes a published test with four questions in the society. */
const published = (more: Parameters<typeof makeAssessment>[1] = {}) =>
  makeAssessment(rig, { societyId: here.id, ...more })

/** Makes a draft in the society. */
async function draft(more: Parameters<typeof makeAssessment>[1] = {}) {
  const { code } = await published(more)
  await sql`update assessments set is_draft = true where code = ${code}`
  return code
}

/** Signs in a candidate. */
async function seated(code: string, account?: Account) {
  const { username } = await makeCandidate(rig, code)
  return takeSeat(rig, code, username, account)
}

describe('a new assessment', () => {
  it("is an empty draft with its society's zone and contact", async () => {
    await sql`update societies set time_zone = 'Europe/Berlin', contact = 'ask@club'
      where id = ${here.id}`
    const code = fresh()
    const made = await make(code, { season: 'Autumn 2026' })
    expect(made).toMatchObject({ status: 201, body: { code, wanted: code } })
    expect(await rowOf(code)).toMatchObject({
      ...{ society_id: here.id, is_draft: true, season: 'Autumn 2026' },
      ...{ time_zone: 'Europe/Berlin', rules: { contact: 'ask@club' } },
    })
    expect(await auditOf(rig, code)).toMatchObject([{ action: 'create' }])
  })

  it('refuses a used code of its society, and adds a number to one of another society', async () => {
    const code = fresh()
    const twice = await Promise.all([make(code), make(code)])
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await make(code)).toMatchObject({ status: 409, body: { code: 'code_taken' } })
    const { code: theirs } = await makeAssessment(rig)
    expect((await make(theirs)).body).toEqual({ code: `${theirs}_2`, wanted: theirs })
    expect(await make(`${theirs}_2`)).toMatchObject({ status: 409 })
    expect((await make(theirs)).body.code).toBe(`${theirs}_3`)
    expect((await rowOf(theirs)).is_draft).toBe(false)
  })

  it('from a file is a draft, and every mistake in the file is reported', async () => {
    const code = fresh()
    const send = (yaml: string) =>
      call('POST', at('/assessment-files'), { yaml, code: null, season: null })
    expect(await send(yamlOf(code))).toMatchObject({ status: 201, body: { code } })
    expect(await rowOf(code)).toMatchObject({ is_draft: true, society_id: here.id })
    expect(await send(yamlOf(code))).toMatchObject({ body: { code: 'code_taken' } })
    const wrong = yamlOf(fresh()).replace('answer: A', 'answer: E').replace('900', '0')
    const { body } = await send(wrong)
    expect(body.code).toBe('file_problems')
    expect(body.problems).toHaveLength(2)
  })

  it('copied from another has its questions, rules and settings, but no candidates or window', async () => {
    const { code, items } = await published({ opensAt: DAY, closesAt: minutes(30) })
    await makeCandidate(rig, code)
    const copy = fresh()
    const body = { code: copy, session: 'Evening', season: 'Autumn 2027' }
    expect((await call('POST', of(code, '/copy'), body)).status).toBe(201)
    expect(await rowOf(copy)).toMatchObject({
      ...{ is_draft: true, opens_at: null, closes_at: null, duration_seconds: 1200 },
      ...{ session: 'Evening', season: 'Autumn 2027' },
    })
    const rows = await sql`
      select one.question_id = other.question_id as same from assessment_items one
       join assessment_items other on other.assessment = ${copy} and other.position = one.position
       where one.assessment = ${code}`
    expect(rows).toEqual(items.map(() => ({ same: true })))
    expect((await sql`select from candidates where assessment = ${copy}`).length).toBe(0)
  })

  it('cannot be copied from another society or by a candidate of it, nor created for one test only', async () => {
    const { code: theirs } = await makeAssessment(rig)
    const body = { code: fresh(), session: null, season: null }
    expect(await call('POST', of(theirs, '/copy'), body)).toMatchObject({ status: 404 })
    const { code } = await published()
    const [sits, author] = [await member('author'), await member('author', { assessment: code })]
    await seated(code, sits)
    expect(await call('POST', of(code, '/copy'), body, sits)).toMatchObject({ status: 403 })
    const made = { ...body, society: 'Club' }
    const refused = await call('POST', at('/assessments'), made, author)
    expect(refused).toMatchObject({ status: 403, body: { code: 'role_is_scoped' } })
    expect((await call('GET', at('/checklists'), undefined, author)).body.mayCreate).toBe(false)
  })
})

describe('a draft', () => {
  it('is not listed, and says only to holders of valid credentials that it is not open', async () => {
    const code = await draft()
    const { username } = await makeCandidate(rig, code)
    const { token } = await signUp(rig)
    const verify = (password: string, where = code) =>
      rig.call('POST', `/api/assessments/${where}/verify`, { token, body: { username, password } })
    expect((await rig.call('GET', '/api/assessments', { token })).body).not.toContainEqual(
      expect.objectContaining({ code }),
    )
    expect(await verify(PASSWORD)).toMatchObject({ status: 403, body: { code: 'not_published' } })
    const wrong = await verify('abcd-efgh-jkmnq')
    expect(wrong.status).toBe(401)
    expect((await verify(PASSWORD, 'NO_SUCH')).body).toEqual(wrong.body)
    const tokens =
      'select from candidate_tokens k join candidates c on c.id = k.candidate_id where c.assessment = $1'
    expect((await sql(tokens, code)).length).toBe(0)
  })

  it('after unpublishing cannot be started by candidates who are already signed in', async () => {
    const { code } = await published()
    const seat = await seated(code)
    expect((await takeBack(code, 1)).status).toBe(200)
    expect(await seat.start()).toMatchObject({ status: 403, body: { code: 'not_published' } })
    expect((await publish(code, 2)).status).toBe(200)
    expect((await seat.start()).status).toBe(200)
    expect(await takeBack(code, 3)).toMatchObject({ status: 409, body: { code: 'has_attempts' } })
  })

  it('is never started at the moment of unpublishing', async () => {
    for (let round = 0; round < sized(10, 4); round += 1) {
      const { code } = await published()
      const seat = await seated(code)
      await Promise.all([takeBack(code, 1), seat.start()])
      const started =
        'select from attempts t join assessments a on a.code = t.assessment where a.code = $1 and a.is_draft'
      expect((await sql(started, code)).length).toBe(0)
    }
  })

  it.each([
    ['without questions', { itemCount: 0 }, ['no_questions']],
    ['with an end that has passed', { closesAt: new Date(DAY.getTime() - 1) }, ['window_past']],
    ['without a window', {}, []],
    ['with an end to come', { closesAt: minutes(1) }, []],
  ])('is published if nothing is missing, in the version shown: %s', async (_, options, errors) => {
    const code = await draft(options)
    const { body } = await call('GET', of(code, '/publication'))
    expect(body.errors.map(({ kind }: { kind: string }) => kind)).toEqual(errors)
    expect((await publish(code, 2)).body.code).toBe('stale')
    expect((await publish(code, 1)).status).toBe(errors.length > 0 ? 409 : 200)
    expect((await rowOf(code)).is_draft).toBe(errors.length > 0)
  })

  it.each([
    ['an empty text', `question = ' '`],
    ['an option twice except for the period', `answer_b = upper(answer_a) || '.'`],
    [
      'the same question twice',
      `question = (select upper(question) from assessment_items where assessment = $1 and position = 3)`,
    ],
  ])('with %s cannot be published', async (_, change) => {
    const code = await draft()
    await sql(`update assessment_items set ${change} where assessment = $1 and position = 2`, code)
    const { body } = await publish(code, 1)
    expect(body.code).toBe('not_publishable')
    expect(body.message).toMatch(/Questions? .*2.* (has an error|have errors)\./)
  })
})

describe('the settings of a test', () => {
  const change = (
    code: string,
    version: number,
    some: object,
    as = here.owner,
    path = '/settings',
  ) => call('PUT', of(code, path), { version, change: some }, as)

  it("store times by the zone's clock and return them as typed", async () => {
    const code = await draft()
    const typed = { opens: '2026-07-01 09:00', closes: '2026-07-01 09:30', timeZone: 'Asia/Tokyo' }
    const { body } = await change(code, 1, typed)
    expect(body.settings).toMatchObject(typed)
    expect((await rowOf(code)).opens_at).toEqual(new Date('2026-07-01T00:00:00Z'))
    // A change of the zone keeps nine o'clock at nine o'clock.
    expect((await change(code, 2, { timeZone: 'Europe/Lisbon' })).body.version).toBe(3)
    expect((await rowOf(code)).opens_at).toEqual(new Date('2026-07-01T08:00:00Z'))
  })

  it.each([
    ['an hour that is skipped', { opens: '2026-03-29 01:30' }, 'bad_time'],
    ['no zone', { timeZone: 'EST' }, 'zone_unknown'],
    [
      'an end before the opening',
      { opens: '2026-05-01 10:00', closes: '2026-05-01 09:00' },
      'closes_before_opens',
    ],
  ])('with %s are refused', async (_, some, expected) => {
    const code = await draft()
    const answer = await change(code, 1, some)
    expect([answer.status, answer.body.code]).toEqual([400, expected])
    expect((await rowOf(code)).version).toBe(1)
  })

  it('in an old version are refused with who changed them and when', async () => {
    const code = await draft()
    const second = await member('owner')
    await change(code, 1, { contact: 'theirs' }, second)
    const { status, body } = await change(code, 1, { contact: 'mine' })
    expect([status, body.code]).toEqual([409, 'stale'])
    const by = second.email.split('@')[0]
    expect(body).toMatchObject({ by, at: rig.clock.now.toISOString() })
    expect((await call('GET', of(code, '/settings'))).body.settings.contact).toBe('theirs')
    expect((await change(code, 2, { contact: 'mine' })).status).toBe(200)
  })

  it('after the first start can change window, season and contact only, by an owner', async () => {
    await freshPulse(rig)
    const { code } = await published()
    const seat = await seated(code)
    await seat.start()
    await seated(code)
    const { body: read } = await call('GET', of(code, '/settings'))
    expect(read).toMatchObject({ startedCount: 1, waitingCount: 1 })
    const author = await member('author')
    const closes = { closes: '2026-03-02 08:59' }
    expect((await change(code, 1, closes)).body.code).toBe('has_attempts')
    expect((await change(code, 1, closes, author, '/settings/after-start')).status).toBe(404)
    expect((await change(code, 1, closes, here.owner, '/settings/after-start')).status).toBe(200)
    const longer = { durationSeconds: 60 }
    const refused = await change(code, 2, longer, here.owner, '/settings/after-start')
    expect(refused.body.code).toBe('settled_by_starts')
    // A candidate who is taking the test keeps the full time.
    expect((await seat.status()).body).toMatchObject({ status: 'in_progress' })
  })
})

describe('deleting a test', () => {
  const remove = (code: string, as = here.owner) =>
    call('POST', of(code, '/deletion'), undefined, as)
  const restore = (code: string, as = here.owner) =>
    call('POST', at('/deleted/restore'), { code }, as)
  const deleted = async () => (await call('GET', at('/deleted'))).body as { code: string }[]
  const isListed = async (code: string) => {
    const isIn = (list: { code: string }[]) => list.some((one) => one.code === code)
    const inBoth = isIn(await listed())
    expect(isIn((await call('GET', at('/assessments'))).body)).toBe(inBoth)
    return inBoth
  }

  it('hides it everywhere until another owner restores it unchanged', async () => {
    const { code } = await published({ closesAt: minutes(-1) })
    await makeCandidate(rig, code)
    const before = await rowOf(code)
    expect((await remove(code)).body).toEqual({ done: true })
    expect((await remove(code)).status).toBe(404)
    expect(await isListed(code)).toBe(false)
    for (const path of ['', '/overview', '/settings', '/questions', '/candidates', '/results']) {
      expect([path, (await call('GET', of(code, path))).status]).toEqual([path, 404])
    }
    const deletedBy = here.owner.email?.split('@')[0]
    const until = '2026-03-09T09:00:00.000Z'
    expect(await deleted()).toMatchObject([{ code, candidateCount: 1, deletedBy, until }])
    await emptyDeleted(rig.db)
    expect((await restore(code, await member('owner'))).body).toEqual({ done: true })
    expect([await isListed(code), await deleted()]).toEqual([true, []])
    expect(await rowOf(code)).toEqual({ ...before, version: 3, content_hash: null })
    const { body } = await call('GET', of(code, '/candidates'))
    expect(body.candidates).toHaveLength(1)
    expect((await restore(code)).body.code).toBe('not_restorable')
    expect(await actionsOf(rig, code)).toEqual(['delete', 'restore'])
  })

  it('is permanent after seven days, and a draft then frees its code', async () => {
    const { code } = await published({ closesAt: minutes(-1) })
    await call('PUT', of(code, '/settings'), { version: 1, change: { contact: 'Ana' } })
    const free = await draft()
    for (const one of [code, free]) expect((await remove(one)).status).toBe(200)
    const { entries } = (await call('GET', at('/log'))).body
    expect(JSON.stringify(entries)).not.toContain('Ana')
    rig.clock.now = minutes(7 * 24 * 60 - 1)
    await purgeDeleted(rig.dependencies)
    rig.clock.now = minutes(7 * 24 * 60)
    expect((await rowOf(free)).deleted_at).not.toBeNull()
    await purgeDeleted(rig.dependencies)
    await emptyDeleted(rig.db)
    expect(await rowOf(free)).toBeUndefined()
    expect((await rowOf(code)).deleted_at).not.toBeNull()
    const log = await auditOf(rig, code)
    expect(log.map(({ action }) => action)).toEqual(['settings', 'delete', 'purge'])
    expect(log[0]?.detail).toEqual({})
  })

  it('needs an owner, and re-authentication in the last five minutes', async () => {
    const code = await draft()
    expect((await remove(code, await member('author'))).status).toBe(404)
    await moveClock(rig, minutes(6))
    expect((await remove(code)).body.code).toBe('fresh_proof_required')
    await proveAgain(rig)
    expect((await remove(code)).status).toBe(200)
    expect((await restore(code, await member('author'))).status).toBe(404)
    // Another society can't restore it either.
    const other = await makeSociety(rig)
    await makeMember(rig, other.id, here.owner.userId, 'owner')
    const there = await call('POST', `/api/societies/${other.id}/deleted/restore`, { code })
    expect(there.body.code).toBe('not_restorable')
    // A second owner restores it too, after being added to its list as a candidate.
    const listed = await member('owner')
    await makeCandidate(rig, code, listed.email)
    expect((await restore(code, listed)).status).toBe(200)
  })

  it('is refused while candidates are taking the test, and hides the test and its records until it is restored', async () => {
    await freshPulse(rig)
    const { code, items } = await published({ closesAt: minutes(5) })
    const seat = await seated(code)
    await seat.start()
    expect((await remove(code)).body.code).toBe('still_inside')
    const { reference } = (await seat.submit(rightAnswers(items))).body
    const record = async () =>
      (await rig.call('GET', `/api/attempts/${reference}/record`, { token: seat.token })).status
    expect(await record()).toBe(200)
    const waiting = await seated(code)
    expect((await remove(code)).status).toBe(200)
    expect((await waiting.start()).status).not.toBe(200)
    expect(await record()).toBe(404)
    expect((await restore(code)).status).toBe(200)
    expect(await record()).toBe(200)
  })
})

describe('the checklist of a test', () => {
  it('is the same in the list and on the overview, and its next step links to the first gap', async () => {
    await member('owner')
    const code = await draft({ itemCount: 0 })
    const shown = (await listed()).find((one) => one.code === code)
    const { body } = await call('GET', of(code, '/overview'))
    const states = body.rows.slice(0, 6).map(({ state }: { state: string }) => state)
    expect(states).toEqual(['todo', 'todo', 'todo', 'todo', 'ready', 'todo'])
    expect(shown?.checklist).toEqual(states)
    expect(shown?.next).toEqual({
      look: null,
      text: 'It has no questions yet.',
      link: { page: 'questions/import', label: 'Import questions' },
    })
    expect(body.headline).toBe('One of six is ready. It has no questions yet.')
  })

  it('is amber for gaps that candidates can see, and green for finished steps', async () => {
    await member('owner')
    const { code } = await published({ opensAt: minutes(60), closesAt: minutes(90) })
    await makeCandidate(rig, code, undefined, { passwordMadeAt: DAY, extraSeconds: 600 })
    await makeCandidate(rig, code)
    const { body } = await call('GET', of(code, '/overview'))
    expect(
      body.rows.map(({ row, state, word }: Record<string, string>) => [row, state, word]),
    ).toEqual([
      ['questions', 'ready', 'Ready'],
      ['keys', 'attention', 'Not yet'],
      ['window', 'ready', 'Set'],
      ['candidates', 'attention', '1 of 2'],
      ['helpers', 'ready', 'Ready'],
      ['rehearsal', 'attention', 'Not yet'],
      ['accommodations', 'ready', '1 candidate'],
      ['retention', 'ready', 'Set'],
    ])
    expect(body.day).toMatchObject({ extraSeconds: 600, candidateCount: 2, extraCount: 1 })
    expect(body.duty.length).toBeGreaterThan(1)
  })

  it('is hidden from members who only help, who see their day and a contact', async () => {
    await sql`update societies set contact = 'Ana, 2.01' where id = ${here.id}`
    const [helper, both] = [await member('invigilator'), await member('invigilator')]
    await makeMember(rig, here.id, both.userId, 'reviewer')
    await sql`update memberships set room = '2.11' where user_id = ${helper.userId}`
    const { code } = await published({ opensAt: minutes(60), closesAt: minutes(90) })
    const overview = async (as: Account) =>
      (await call('GET', of(code, '/overview'), undefined, as)).body
    expect(await overview(helper)).toMatchObject({
      ...{ rows: [], next: null, changes: [], isHelper: true, contact: 'Ana, 2.01' },
      headline: expect.stringMatching(/^You are needed on /),
      sentence: expect.stringContaining('You look after room 2.11.'),
    })
    for (const other of [here.owner, both]) {
      const { isHelper, rows } = await overview(other)
      expect([isHelper, rows.length]).toEqual([false, 8])
    }
  })

  it('of a whole society takes as many queries as for one test', async () => {
    const count = async () => {
      const spy = vi.spyOn(pg.Client.prototype, 'query')
      await call('GET', at('/checklists'))
      const queries = spy.mock.calls.length
      spy.mockRestore()
      return queries
    }
    await draft()
    // The session's first call records its time.
    await listed()
    const before = await count()
    for (let index = 0; index < 5; index += 1) await draft()
    expect(await count()).toBe(before)
    expect(before).toBeGreaterThan(3)
  })

  it('is empty for a member who is a candidate', async () => {
    const author = await member('author')
    const code = await draft()
    await makeCandidate(rig, code, author.email)
    expect((await listed(author)).find((one) => one.code === code)).toMatchObject({
      checklist: null,
      next: {
        text: 'You’re a candidate in this test or one with the same questions, so you have no role here.',
        link: null,
      },
    })
  })
})

it('a test loaded from a file replaces another society’s test only if that society is named', async () => {
  const { code } = await published({ society: 'Read Name' })
  const organizer = { db: rig.db, now: DAY, actor: 'tester' }
  const load = (more = {}) => loadAssessment(organizer, { yaml: yamlOf(code), ...more })
  await expect(load()).rejects.toThrow(/doesn't belong to Club/)
  const other = await makeSociety(rig)
  await expect(load({ society: other.name })).rejects.toThrow(/doesn't belong to/)
  expect(await load({ society: here.name })).toMatchObject({ isNew: false, itemCount: 1 })
  expect(await load({ society: here.name, isDraft: false })).toMatchObject({ isDraft: false })
  const refused = await codeOf(() => load({ society: here.name, isDraft: true }))
  expect(refused.code).toBe('already_published')
  const draftCode = fresh()
  const first = await loadAssessment(organizer, { yaml: yamlOf(draftCode), isDraft: true })
  expect(first.isDraft).toBe(true)
  // Loading again without a publish setting leaves it a draft.
  const again = yamlOf(draftCode).replace('Own?', 'Else?')
  expect((await loadAssessment(organizer, { yaml: again })).isDraft).toBe(true)
})
