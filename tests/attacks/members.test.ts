import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { createSocietyMails } from '../../societies/access/server/mails.ts'
import { makeUsername } from '../../societies/candidates/candidate-lines.ts'
import { read } from '../../societies/kit/server/action.ts'
import { viewerOf } from '../../societies/live/server/view.ts'
import { treeOf, withoutNames } from '../../societies/results/server/fairness.ts'
import { additionOf } from '../rig/acts-rig.ts'
import { DAY, makeAssessment, makeCandidate, takeSeat } from '../rig/assessment-rig.ts'
import { closedSession } from '../rig/fairness-rig.ts'
import { organizerOf } from '../rig/organizer-rig.ts'
import { yamlOf } from '../rig/questions/questions-rig.ts'
import { standstillOf, useRig } from '../rig/rig.ts'
import { makeInvitation, useSociety } from '../rig/society-rig.ts'

// What the founder of a society, or a member of another one, may try: stop the server for everyone, write to strangers,
// or exceed the role.
const rig = useRig({ rateLimits: true })
const { here, call, member } = useSociety(rig)

beforeEach(() => {
  rig.clock.now = DAY
})

const of = (code: string, rest = '') => `/assessments/${code}${rest}`
const createFrom = (yaml: string) =>
  call('POST', '/assessment-files', { yaml, code: null, season: null })
const newTest = (code: string) =>
  call('POST', '/assessments', { code, society: 'Club', session: null, season: null })

describe('an action that changes nothing', () => {
  it('writes no line in the log, for each kind of change', async () => {
    const { code } = await makeAssessment(rig, {
      ...{ societyId: here.id, itemCount: 2, closesAt: new Date(DAY.getTime() + 86_400_000) },
    })
    const candidate = await makeCandidate(rig, code, 'ana')
    const { membership } = await member('author')
    const { body: read } = await call('GET', of(code, '/questions'))
    const order = read.items.map(({ questionId }: { questionId: string }) => questionId)
    const was = { role: 'author', assessment: null, room: null }
    const give = { to: { candidates: null, room: null }, kind: 'give', seconds: 60, reopens: false }
    const one = () => call('GET', of(code, `/candidates`)).then(({ body }) => body.candidates[0])
    const { name, email, room, note, extraSeconds, exemptKinds, version } = await one()
    const same = { name, email, room, note, extraSeconds, exemptKinds, starts: null, version }
    const idle: [string, string, object][] = [
      ['PUT', of(code, '/letter'), { version: 0, paragraph: ' ' }],
      ['POST', of(code, '/candidates/change'), { candidates: [candidate.id], room: null }],
      ['PUT', of(code, `/candidates/by-id/${candidate.id}`), same],
      ['POST', of(code, '/candidates/stop'), {}],
      ['PUT', of(code, '/keep-until'), { keepUntil: null }],
      ['POST', of(code, '/questions/order'), { order, listVersion: read.listVersion }],
      ['POST', of(code, '/time'), { ...give, reason: 'x', requestId: randomUUID() }],
      ['PUT', `/members/${membership}`, { was, ...was }],
    ]
    const answers = []
    for (const [method, path, body] of idle) {
      answers.push([path.replace(/.*\//, ''), (await call(method, path, body)).status])
    }
    expect(answers.filter(([, status]) => status !== 200)).toEqual([])
    const { rows } = await rig.db.$client.query(
      "select action, detail from admin_actions where society_id = $1 and action <> 'read-keys'",
      [here.id],
    )
    expect(rows).toEqual([])
  })
})

describe('a file of a test', () => {
  it('with many keys delays no other call', async () => {
    let yaml = ''
    for (let key = 0; yaml.length < 78_000; key += 1) yaml += `${key.toString(36)}:\n`
    const { answer, longest } = await standstillOf(() => createFrom(yaml))
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(longest).toBeLessThan(400)
  })

  it.each([
    ['a link in its name', (text: string) => text.replace('Club', '"https://evil.example"')],
    ['a link of other dots', (text: string) => text.replace('Club', 'evil。com')],
    ['a name of a page', (text: string) => text.replace('Club', 'x'.repeat(81))],
    [
      'a rule of a page',
      (text: string) => text.replace('timing: []', `timing: [${'x'.repeat(301)}]`),
    ],
  ])('is refused with %s', async (_, written) => {
    const refused = await createFrom(written(yamlOf('PAGE')))
    expect(refused).toMatchObject({ status: 400, body: { code: 'file_problems' } })
  })
})

describe('the tests of one society', () => {
  it('are limited to forty a day per member', async () => {
    const made = []
    for (let n = 0; n < 41; n += 1) made.push((await newTest(`FORTY${n}`)).status)
    expect(made).toEqual([...Array(40).fill(201), 429])
  })

  it('are read without blocking the node, however many questions they have', async () => {
    await newTest('FULL')
    await rig.sql`insert into assessments select (jsonb_populate_record(a, jsonb_build_object('code', 'FULL_' || n))).*
      from assessments a, generate_series(1, 39) n where code = 'FULL'`
    await rig.sql`insert into assessment_items (assessment, position, question, answer_a, answer_b, answer_c, answer_d,
        correct_option, question_id, version, is_sample)
      select code, n, n || repeat(' what', 900), 'a', 'b', 'c', 'd', 'A', gen_random_uuid(), 1, false
      from assessments, generate_series(1, 300) n where code like 'FULL%'`
    const { answer, longest } = await standstillOf(() => call('GET', '/checklists'))
    expect(answer.body.assessments).toHaveLength(40)
    expect(longest).toBeLessThan(1_000)
  })

  it('have at most five thousand candidates', async () => {
    const { code } = await makeAssessment(rig, { societyId: here.id })
    await rig.sql`insert into candidates (id, assessment, username, password_hash, created_at)
      select gen_random_uuid(), ${code}, 'person-' || n, '\\x00', ${DAY} from generate_series(1, 4999) n`
    const add = (...names: string[]) =>
      call('POST', of(code, '/candidates'), additionOf(names.map((name) => ({ name }))))
    expect(await add('Ana', 'Rui')).toMatchObject({
      status: 409,
      body: { code: 'many_candidates' },
    })
    expect((await add('Ana')).status).toBe(201)
  })

  it('have at most 500,000 candidates times questions', async () => {
    await newTest('PRODUCT')
    const fill = (count: number) =>
      rig.sql`insert into assessment_items (assessment, position, question, answer_a, answer_b, answer_c, answer_d,
          correct_option, question_id, version, is_sample)
        select 'PRODUCT', n + ${count}::int, 'q' || n, 'a', 'b', 'c', 'd', 'A', gen_random_uuid(), 1, false
        from generate_series(1, ${count}::int) n`
    await fill(100)
    await rig.sql`insert into candidates (id, assessment, username, password_hash, created_at)
      select gen_random_uuid(), 'PRODUCT', 'person-' || n, '\\x00', ${DAY} from generate_series(1, 4999) n`
    const add = (name: string) => call('POST', of('PRODUCT', '/candidates'), additionOf([{ name }]))
    expect((await add('Ana')).status).toBe(201)
    const options = { A: 'w', B: 'x', C: 'y', D: 'z' }
    const content = { question: 'One more?', options, answer: 'A', explanation: null, topic: null }
    const asked = { content: { ...content, compute: null, exhibit: null }, after: null }
    const refused = await call('POST', of('PRODUCT', '/questions'), asked)
    expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_questions' } })
    await fill(200)
    expect((await add('Rui')).body).toMatchObject({
      code: 'many_candidates',
      message: 'A test with 300 questions has 1666 candidates at most, so no candidate was added.',
    })
  })

  it('have a log that is read without blocking the node, and says how many candidates an action affected', async () => {
    const { code } = await makeAssessment(rig, { societyId: here.id })
    await rig.sql`insert into admin_actions (at, actor, via, action, society_id, assessment, detail)
      select ${DAY}, 'ana', 'console', 'message', ${here.id}, ${code}, jsonb_build_object('text', 'Hi',
        'usernames', (select jsonb_agg(n || repeat('é', 190)) from generate_series(1, 1999) n))
      from generate_series(1, 100)`
    for (const [method, path] of [
      ['GET', '/log'],
      ['GET', of(code, '/live')],
      ['POST', '/log/csv'],
    ] as const) {
      const { answer, longest } = await standstillOf(() =>
        call(method, path, method === 'POST' ? {} : undefined),
      )
      expect(JSON.stringify(answer.body)).toContain('wrote to 1999 candidates')
      expect(longest).toBeLessThan(400)
    }
  })

  it('have at most ten million characters of changes a day', async () => {
    const { code } = await makeAssessment(rig, { societyId: here.id })
    const write = () => call('PUT', of(code, '/letter'), { version: 0, paragraph: 'x'.repeat(900) })
    expect((await write()).status).toBe(200)
    await rig.sql`update rate_limits set points = 9999000 where key like 'organizerCalls:%'`
    expect(await write()).toMatchObject({ status: 429, body: { code: 'too_many' } })
    expect((await call('GET', of(code, '/letter'))).status).toBe(200)
  })

  it('give no access to those of another society', async () => {
    const other = await makeAssessment(rig)
    const client = await rig.db.$client.connect()
    await client.query('begin')
    await client.query('select from assessments where code = $1 for key share', [other.code])
    const restoring = call('POST', '/deleted/restore', { code: other.code })
    const first = await Promise.race([restoring, wait(2_000, 'it waits for candidates')])
    await client.query('rollback')
    client.release()
    await restoring
    expect(first).toMatchObject({ status: 409, body: { code: 'not_restorable' } })
  })

  it('and its members are read next to reads that name no candidate', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const places = [1, 2].map(() => read(organizerOf(rig), () => held))
    for (const path of ['/members', '/rooms', '/invitations']) {
      const answer = await Promise.race([call('GET', path), wait(2_000, 'it waits')])
      expect(answer).toMatchObject({ status: 200 })
    }
    release()
    await Promise.all(places)
  })
})

describe('an invitation', () => {
  it('shows no text of a founder as a room', async () => {
    const invite = (room: string) =>
      call('POST', '/invitations', {
        ...{ emails: ['stranger@example.com'], roles: ['invigilator'], assessment: null, room },
      })
    expect((await invite('2.11\nYou won')).status).toBe(400)
    expect((await invite('gpj.\u202eexe')).status).toBe(400)
    const mails = createSocietyMails(rig.dependencies).society_invitation
    const letter = async (room: string) => {
      const { body } = await invite(room)
      return JSON.stringify(
        await mails.write({ about: body[0].id } as Parameters<typeof mails.write>[0]),
      )
    }
    expect(await letter('Win at https://evil.example')).not.toContain('evil')
    expect(await letter('2.11')).toContain('room 2.11')
  })
})

describe('a role', () => {
  it('is refused for a test whose list contains the invited address, whatever it is now', async () => {
    const { code } = await makeAssessment(rig, { societyId: here.id })
    const author = await member('author')
    const invitation = await makeInvitation(rig, here.id, author.email, ['author'])
    await rig.sql`update society_invitations set user_id = ${author.userId}, accepted_at = ${DAY}
      where id = ${invitation}`
    await rig.sql`update users set email = 'another@example.com' where id = ${author.userId}`
    const questions = () => call('GET', of(code, '/questions'), undefined, author.token)
    expect((await questions()).status).toBe(200)
    await makeCandidate(rig, code, 'candidate', { email: author.email })
    expect(await questions()).toMatchObject({ status: 403, body: { code: 'is_candidate' } })
  })

  it('by an invigilator lets in no candidate whom an owner shut out', async () => {
    const { code } = await makeAssessment(rig, { societyId: here.id })
    const { id } = await makeCandidate(rig, code, 'out', { revokedAt: DAY })
    const { token } = await member('invigilator')
    const print = (as?: string) =>
      call('POST', of(code, '/candidates/slips'), { candidates: [id] }, as)
    expect(await print(token)).toMatchObject({ status: 403, body: { code: 'shut_out' } })
    const { body } = await print()
    expect(body.slips).toHaveLength(1)
    expect((await print(token)).status).toBe(200)
  })

  it('by an invigilator gives no more minutes because an owner removed some', async () => {
    const { code } = await makeAssessment(rig, { societyId: here.id })
    const { id, username } = await makeCandidate(rig, code)
    await (await takeSeat(rig, code, username)).start()
    await rig.sql`insert into attempt_events (candidate_id, attempt_id, kind, detail, received_at)
      select candidate_id, id, 'extended', '{"seconds": -600}', started_at from attempts where candidate_id = ${id}`
    const { token } = await member('invigilator')
    const body = { seconds: 900, requestId: randomUUID(), reason: 'A friend.' }
    const given = await call('POST', of(code, `/candidates/by-id/${id}/minutes`), body, token)
    expect(given).toMatchObject({ status: 403, body: { code: 'most_given' } })
  })
})

it('numbers two thousand people with the same name without trying each number for each of them', () => {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  let tries = 0
  const isTaken = (username: string) => {
    tries += 1
    return taken.has(username)
  }
  for (let n = 0; n < 2_000; n += 1)
    taken.add(makeUsername({ name: 'A', email: '' }, isTaken, next))
  expect([taken.size, taken.has('a2000')]).toEqual([2_000, true])
  expect(tries).toBeLessThan(4_001)
})

it('a name that continues with a period hides no shorter one in a public reason', () => {
  expect(withoutNames('Asked by Ana.', treeOf(['ana', 'ana. b']))).toBeNull()
})

it('names are those of the room whose names a role may see, on Live too', () => {
  const viewer = viewerOf({
    extent: 'all',
    roles: [
      { role: 'reviewer', room: null, assessment: null },
      { role: 'invigilator', room: 'A', assessment: 'TEST' },
    ],
  })
  expect(viewer).toMatchObject({ room: null, hasNames: true, namesIn: 'A' })
})

it('the public report mentions a cut score that was moved or set after names were known', async () => {
  const hour = (n: number) => new Date(DAY.getTime() + (n - 24) * 3_600_000)
  const { code } = await closedSession(rig, {
    ...{ societyId: here.id, season: 'Spring', people: 16, opensAt: hour(0) },
  })
  const told = async () => (await call('GET', of(code, '/fairness'))).body.content.cutScore
  const { sql } = rig
  await sql`insert into result_lines (assessment, points, version, changed_by, changed_at, fixed_at, fixed_by)
    values (${code}, 6, 1, 'ana', ${hour(2)}, ${hour(2)}, 'ana')`
  await sql`update result_lines set names_shown_at = ${hour(3)} where assessment = ${code}`
  expect(await told()).toMatchObject({ lockedAt: hour(2).toISOString(), isBeforeNames: true })
  await sql`update result_lines set changed_at = ${hour(4)} where assessment = ${code}`
  expect(await told()).toMatchObject({ lockedAt: hour(4).toISOString(), isBeforeNames: false })
  await sql`update result_lines set changed_at = ${hour(2)} where assessment = ${code}`
  await sql`insert into admin_actions (at, actor, action, assessment, society_id, detail)
    values (${hour(1)}, 'ana', 'export-results', ${code}, ${here.id}, '{}')`
  expect(await told()).toMatchObject({ isBeforeNames: false })
})
