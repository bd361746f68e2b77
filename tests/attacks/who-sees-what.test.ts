// Long because every role's view of the same data is checked through every call.
import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createGuard } from '../../accounts/server/sessions/guard.ts'
import { Api } from '../../platform/server/api.ts'
import { createTurns } from '../../platform/server/turns.ts'
import { BANK_VERSION } from '../../practice/server/bank.ts'
import { createOrganizerGuard } from '../../societies/access/server/guard.ts'
import { serveMembers } from '../../societies/access/server/serve-members.ts'
import { inSociety, inTest, organizerMay } from '../../societies/kit/contract.ts'
import { DAY, freshPulse, makeAssessment, makeCandidate, takeSeat } from '../rig/assessment-rig.ts'
import { exampleOf, fillPath, listRoutes, readDescription } from '../rig/attack-rig.ts'
import { watchLog } from '../rig/auth-rig.ts'
import { signUp, useRig } from '../rig/rig.ts'
import { makeMember, makeSociety } from '../rig/society-rig.ts'

// Checks the responses and not what routes promise: makes every organizer call and searches the response for what its
// reader must not learn. This catches a new call that forgets room, proof or conflict without its own test.
const rig = useRig()
watchLog(rig)

const HOUR_MS = 3_600_000
/** A text in everything that only others may read. */
const MARK = 'zebra'
const KEYS = 'DBDCAACB'
const ROUTES = listRoutes()
  .filter(({ path }) => path.startsWith('/api/societies/:society') && !path.endsWith('/leave'))
  // Reads come first, while nothing is changed.
  .sort((one, other) => Number(one.method !== 'GET') - Number(other.method !== 'GET'))

type Row = Record<string, unknown>
interface Answer {
  name: string
  status: number
  text: string
  body: unknown
}
let society: string
/** a running test with two rooms, each with an active candidate */
let code: string
/** a closed test with all candidates' results */
let over: string
/** an active candidate of the other invigilator's room */
let theirs: Row
let owner: { token: string; userId: string }
const sql = async (text: string, ...values: unknown[]) =>
  (await rig.db.$client.query<Row>(text, values)).rows

beforeAll(async () => {
  rig.clock.now = DAY
  await freshPulse(rig)
  society = (await makeSociety(rig)).id
  code = await makeTest()
  over = await makeOver()
  theirs =
    (await sql(`select * from candidates where assessment = $1 and room = 'B'`, code))[0] ?? {}
  await sql(
    `insert into candidate_messages (assessment, candidate_id, text, sent_by, sent_at)
     values ($1, $2, $3, 'ana', $4)`,
    ...[code, theirs.id, `${MARK} message`, DAY],
  )
  await sql(
    `insert into incident_reports (id, assessment, candidate_id, happened_at, note, reported_by, reported_at)
     values ($1, $2, $3, $5, $4, 'ana', $5)`,
    ...[randomUUID(), code, theirs.id, `${MARK} report`, DAY],
  )
})

/** A test with a marked candidate in room B and one in room A, both started. */
async function makeTest() {
  const made = await makeAssessment(rig, { societyId: society, itemCount: KEYS.length })
  await sql(
    `update assessment_items set correct_option = substr($2, position, 1),
       explanation = $3 || ' explanation ' || position where assessment = $1`,
    ...[made.code, KEYS, MARK],
  )
  for (const room of ['A', 'B']) {
    const mark = room === 'B' ? MARK : 'horse'
    const unique = `${mark}-${made.code.toLowerCase()}`
    const candidate = await makeCandidate(rig, made.code, unique, {
      ...{ room, name: `${mark} name`, email: `${unique}@example.com`, note: `${mark} note` },
    })
    const seat = await takeSeat(rig, made.code, candidate.username)
    await seat.start()
    const answers = made.items.map(({ id }) => ({ questionId: id, choice: 'A', revision: 1 }))
    const done = code ? await seat.submit(answers) : await seat.save(answers)
    expect(done.status).toBe(200)
  }
  return made.code
}

/** A test that no candidate can start any more. */
async function makeOver() {
  const test = await makeTest()
  const closedAt = new Date(DAY.getTime() - HOUR_MS)
  await sql('update assessments set closes_at = $2 where code = $1', test, closedAt)
  return test
}

async function member(...roles: Parameters<typeof makeMember>[3][]) {
  const account = await signUp(rig, `m${randomUUID().slice(0, 8)}@example.com`)
  for (const role of roles) {
    const room = role === 'invigilator' ? { room: 'A' } : {}
    await makeMember(rig, society, account.userId, role, room)
  }
  return account
}

beforeEach(async () => {
  owner = await member('owner')
})

/** The parameters of calls: people of the other room, by every kind of id. */
function named(key: string, value: unknown, id: unknown): unknown {
  if (['candidate', 'listed'].includes(key)) return id
  if (key === 'candidates' && value !== true) return [id]
  if (['requestId', 'id'].includes(key)) return randomUUID()
  if (key === 'exemptKinds') return []
  if (['extra', 'username', 'exempt'].includes(key)) return ''
  if (Array.isArray(value)) return value.map((one) => named('', one, id))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, named(name, one, id)]),
  )
}

// A code first, because a name must not be an address.
const TEXTS = ['NEW_CODE', 'someone@example.com', DAY.toISOString(), '2026-03-02 10:00', 'B', 'a:1']

/** Makes every call about a test, or about the society as a whole. */
async function callAll(
  { token }: { token: string },
  {
    test = code,
    id = theirs.id,
    routes = ROUTES,
    before = () => Promise.resolve() as Promise<unknown>,
  },
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const { name, method, path } of routes) {
    await before()
    const { body, query = {}, needed = [] } = (await readDescription(rig)).get(name) ?? {}
    const search = needed.map((one) => `${one}=${exampleOf(query[one] ?? {}, one, TEXTS)}`).join()
    const placed = path.replace(':society', society).replace(':code', test).replace(':item', '1')
    const answer = await rig.call(method, `${fillPath(placed, String(id))}?${search}`, {
      token,
      ...(body ? { body: named('', exampleOf(body, '', TEXTS), id) as object } : {}),
    })
    const text = JSON.stringify(answer.body)
    answers.push({ name, status: answer.status, text, body: answer.body })
  }
  return answers
}

/** All ids that stand for a candidate in anonymous views. */
async function coveredIds(test: string): Promise<unknown[]> {
  const path = `/api/societies/${society}/assessments/${test}/incidents`
  const { body } = await rig.call('GET', path, { token: owner.token })
  return body.candidates.filter(({ room }: Row) => room === 'B').map(({ id }: Row) => id)
}

const saying = (answers: readonly Answer[], what: RegExp) =>
  answers.filter(({ text }) => what.test(text)).map(({ name }) => name)

describe('an invigilator of one room', () => {
  it('reads nothing about another room by any call, and changes nothing there', async () => {
    const helper = await member('invigilator')
    const rowsOf = () =>
      sql(
        `select c.*, t.deadline_at, t.submitted_at, t.incident_seconds,
           (select count(*) from candidate_messages m where m.candidate_id = c.id or m.room = 'B') as messages,
           (select count(*) from incident_reports r where r.candidate_id = c.id or r.room = 'B') as reports,
           (select count(*) from credential_mails m where m.candidate_id = c.id) as mails
         from candidates c join attempts t on t.candidate_id = c.id where c.id = $1`,
        theirs.id,
      )
    const before = await rowsOf()
    const ids = [theirs.id, ...(await coveredIds(code))]
    const answers = (await Promise.all(ids.map((id) => callAll(helper, { id })))).flat()
    expect(saying(answers, new RegExp(MARK, 'i'))).toEqual([])
    expect(await rowsOf()).toEqual(before)
    const done = answers.filter(({ status }) => status < 300)
    expect(new Set(done.map(({ name }) => name)).size).toBeGreaterThan(10)
  })
})

describe('a session whose proof is an hour old', () => {
  const grow = () =>
    sql(
      'update sessions set proven_at = $2, organiser_at = $3, keys_at = null where user_id = $1',
      ...[owner.userId, new Date(DAY.getTime() - HOUR_MS), DAY],
    )
  const CHECK = { version: 1, choice: 'A', comment: '' }

  it.each([
    ['of a test that is under way', () => code, false],
    ['of a test that is over', () => over, false],
    ['even among their own answers with the keys hidden', () => code, true],
  ])('gets no key %s', async (_, testOf, isChecking) => {
    const test = testOf()
    if (isChecking) {
      const items = await sql(
        `select question_id as id from assessment_items where assessment = $1`,
        test,
      )
      for (const { id } of items) {
        const path = `/api/societies/${society}/assessments/${test}/questions/${id}/check`
        const checked = await rig.call('PUT', path, { token: owner.token, body: CHECK })
        expect(checked.status).toBe(200)
      }
    }
    const ids = await coveredIds(test)
    const answers = [
      ...(await callAll(owner, { test, before: grow })),
      ...(await callAll(owner, { test, id: ids[0], before: grow })),
    ]
    expect(answers.filter(tellsKeys).map(({ name }) => name)).toEqual([])
    const done = answers.filter(({ status }) => status < 300)
    expect(new Set(done.map(({ name }) => name)).size).toBeGreaterThan(25)
  })

  it('creates no password, and changes no address', async () => {
    const test = await makeTest()
    const [one] = await sql(`select id from candidates where assessment = $1 and room = 'B'`, test)
    const rowsOf = () =>
      sql(
        `select c.id, c.email, c.password_hash, c.password_made_at,
           (select count(*) from credential_mails m where m.candidate_id = c.id) as mails
         from candidates c where c.assessment = $1 order by c.id`,
        test,
      )
    const before = await rowsOf()
    await callAll(owner, { test, id: one?.id, before: grow })
    expect(await rowsOf()).toEqual(before)
  })
})

/** Whether a response contains keys: their marked explanations, a question's field, or a list of all keys. */
function tellsKeys({ text, body }: Pick<Answer, 'text' | 'body'>): boolean {
  const isField = /"(key|keys|answer|correct\w*)":\s*\[?"[A-D]"|"isKey":true/.test(text)
  return isField || text.includes(`${MARK} explanation`) || hasSequence(body)
}

/** Whether any field of a list's entries contains the keys in sequence, whatever its name. */
function hasSequence(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const entries: unknown[] = Array.isArray(value) ? value : Object.values(value)
  const fields = new Map<string, string>()
  for (const entry of entries) {
    const pairs: [string, unknown][] =
      typeof entry === 'object' && entry !== null ? Object.entries(entry) : [['', entry]]
    for (const [name, one] of pairs) {
      const letter = [one].flat()[0]
      if (/^[A-D]$/.test(String(letter))) fields.set(name, `${fields.get(name) ?? ''}${letter}`)
    }
  }
  return [...fields.values()].includes(KEYS) || entries.some(hasSequence)
}

describe('covered names', () => {
  let over: string
  beforeAll(async () => {
    over = await makeOver()
  })

  it('share no id with scores and incidents: a listed candidate has another one there', async () => {
    const reads = ROUTES.filter(({ method }) => method === 'GET')
    const ids = await sql('select id, username from candidates where assessment = $1', over)
    const answers = await callAll(owner, {
      test: over,
      id: (await coveredIds(over))[0],
      routes: reads,
    })
    const withIds = answers.filter(({ text }) => ids.some(({ id }) => text.includes(String(id))))
    // Responses with the list's id also have the username, so no anonymous response has that id.
    expect(withIds.map(({ name }) => name)).toEqual(
      withIds.filter(({ text }) => text.includes(String(ids[0]?.username))).map(({ name }) => name),
    )
    const results = answers.find(({ name }) => name.endsWith('/results'))?.body as Row
    expect(JSON.stringify(results.forms)).toContain(String((await coveredIds(over))[0]))
  })

  it('share no event or time: what stays next to a name is rounded to the minute', async () => {
    const test = await makeOver()
    const [one] = await sql(
      `select c.id, a.id as attempt from candidates c join attempts a on a.candidate_id = c.id
       where c.assessment = $1 and c.room = 'B'`,
      test,
    )
    await sql(`select setval('attempt_events_id_seq', 7000000)`)
    await sql(
      `update attempts set started_at = $2::timestamptz - interval '1033.217 s', submitted_at = $2::timestamptz
         - interval '127.419 s', submit_reason = 'violations' where id = $1`,
      ...[one?.attempt, DAY],
    )
    await sql(
      `insert into attempt_events (candidate_id, attempt_id, kind, at_ms, is_violation, received_at)
       select $1, $2, 'copy', 61003 * n, true, $3::timestamptz - interval '500.123 s' from generate_series(1, 3) n`,
      ...[one?.id, one?.attempt, DAY],
    )
    const ask = async (method: string, path: string, body?: object) => {
      const place = `/api/societies/${society}/${path.replace('TEST', `assessments/${test}`)}`
      const answer = await rig.call(method, place, {
        token: owner.token,
        ...(body ? { body } : {}),
      })
      expect(answer.status).toBe(200)
      return JSON.stringify(answer.body)
    }
    const taken = { requestId: randomUUID(), events: [7000001], reason: 'noise' }
    await ask('POST', 'TEST/strikes/take-back', taken)
    const [id] = await coveredIds(test)
    const to = { candidates: null, room: null }
    const named = [await ask('GET', 'TEST/live'), await ask('POST', 'TEST/strikes/read', { to })]
    const [incidents, file, results, log] = [
      await ask('GET', 'TEST/incidents'),
      await ask('GET', `TEST/incidents/by-candidate/${id}`),
      await ask('GET', 'TEST/results'),
      await ask('GET', 'log'),
    ]
    const covers = factsOf([incidents, file, results, log].join())
    expect(covers.length).toBeGreaterThan(5)
    expect(factsOf(named.join()).filter((fact) => covers.includes(fact))).toEqual([])
    expect(covers.filter((fact) => fact.length === 7)).toEqual([])
    const names = (text: string) => text.match(/"name":"[\da-f-]{36}"/g) ?? []
    expect(names(incidents).length).toBeGreaterThan(1)
    expect(names(log)).toEqual([])
  })

  it('are logged when a list with names leads to a page without', async () => {
    const path = `/api/societies/${society}/assessments/${over}/incidents/of/`
    const [one] = await sql(`select * from candidates where assessment = $1 and room = 'B'`, over)
    const found = await rig.call('GET', `${path}${one?.id}`, { token: owner.token })
    expect([found.body.id]).toEqual(await coveredIds(over))
    const noted = await sql(
      `select action, detail from admin_actions where user_id = $1 order by id desc limit 1`,
      owner.userId,
    )
    expect(noted).toEqual([{ action: 'show-name', detail: { username: one?.username } }])
    const reviewer = await member('reviewer')
    expect((await rig.call('GET', `${path}${one?.id}`, { token: reviewer.token })).body).toEqual(
      found.body,
    )
    expect(await sql('select from admin_actions where user_id = $1', reviewer.userId)).toEqual([])
  })
})

/** A response's times to the millisecond and event ids. Whole minutes aren't unique to a person. */
function factsOf(text: string): string[] {
  const times = [...text.matchAll(/"(\d{4}-\d\d-\d\dT[\d:.]+Z)"|\b(1\d{12})\b/g)]
  const instants = times.map(([, iso, ms]) => (iso ? Date.parse(iso) : Number(ms)))
  return [
    ...instants.filter((ms) => ms % 60_000 !== 0).map(String),
    ...(text.match(/\b70000\d\d\b/g) ?? []),
  ]
}

describe('a reviewer', () => {
  it('gets no name by any call except the logged views', async () => {
    for (const kind of ['copy', 'late_answer']) {
      await sql(
        `insert into attempt_events (candidate_id, attempt_id, kind, at_ms, detail, is_violation, received_at)
         select candidate_id, id, $2, 1000, '{"choice": "B", "revision": 9}'::jsonb || jsonb_build_object('questionId',
           paper[1]), $2 = 'copy', $3 from attempts where assessment = $1`,
        ...[over, kind, DAY],
      )
    }
    const ids = [theirs.id, ...(await coveredIds(over))]
    const all = ids.map(async (id) => callAll(await member('reviewer'), { test: over, id }))
    const told = saying((await Promise.all(all)).flat(), /zebra name|zebra-/)
    const looks = ['incidents/by-candidate/:candidate/name', 'results/names/:candidate']
    expect([...new Set(told)].map((name) => name.split('/:code/')[1]).sort()).toEqual(looks)
  })
})

describe('a member who takes a test', () => {
  it('reads nothing about it in what concerns the whole society', async () => {
    const test = await makeTest()
    const other = await makeTest()
    await sql(
      `insert into admin_actions (at, actor, action, society_id, assessment, detail)
       values ($1, 'ana', 'set-line', $2, $3, '{"reason": "giraffe"}')`,
      ...[DAY, society, test],
    )
    await sql(
      `update assessment_items set question = 'giraffe ' || position, question_id = gen_random_uuid()
       where assessment = $1`,
      test,
    )
    await sql(
      `update candidates set name = 'giraffe', email = u.email from users u
       where u.id = $1 and assessment = $2 and room = 'A'`,
      ...[owner.userId, test],
    )
    const answers = await callAll(owner, { test: other })
    expect(saying(answers, /giraffe/)).toEqual([])
    expect(saying(await callAll(await member('owner'), { test: other }), /giraffe/)).not.toEqual([])
  })
})

describe('a member who takes one of two tests with the same questions', () => {
  it('has no role in the other until their own is over', async () => {
    const [mine, other, third] = [await makeTest(), await makeTest(), await makeTest()]
    const share = (field: string, test: string) =>
      sql(
        `update assessment_items i set ${field} = m.${field} from assessment_items m
         where m.assessment = $1 and m.position = 3 and i.assessment = $2 and i.position = 5`,
        ...[mine, test],
      )
    await share('question_id', other)
    // The same text is the same question, whatever file it came from and however it is spelled.
    await share('question', third)
    await sql(
      `update assessment_items set question = '  ' || replace(upper(question), ' ', E'\\n ')
       where assessment = $1 and position = 5`,
      third,
    )
    await sql(
      `update candidates set email = u.email from users u
       where u.id = $1 and assessment = $2 and room = 'A'`,
      ...[owner.userId, mine],
    )
    const reads = ROUTES.filter(({ method, path }) => method === 'GET' && path.includes(':code'))
    const readAll = async (test: string) => {
      const answers = await callAll(owner, { test, routes: reads })
      return answers.filter(({ status }) => status < 300)
    }
    for (const test of [other, third]) {
      expect((await readAll(test)).map(({ name }) => name)).toEqual([])
      // The bank, as another test sees it, doesn't contain the question either.
      expect(saying(await readAll(code), new RegExp(test))).toEqual([])
    }
    await sql('update assessments set closes_at = $2 where code = $1', mine, DAY)
    expect((await readAll(other)).length).toBeGreaterThan(10)
  })
})

describe('a new call that forgets', () => {
  const response = z.unknown()
  const all = ['reset_password'] as const
  const forgetful = {
    room: inTest('GET /forgets-room', organizerMay('manage_candidates', all, 'none'), '', {
      response,
    }),
    proof: inTest('GET /forgets-proof', organizerMay('read_keys'), '', { response }),
    conflict: inSociety('GET /forgets-conflict', organizerMay('see_assessments', [], 'none'), '', {
      response,
    }),
  }

  it('to say how it limits rooms does not compile', () => {
    // @ts-expect-error an invigilator may watch
    organizerMay('watch_live', ['own_room'])
    // @ts-expect-error
    organizerMay('manage_candidates')
    organizerMay('see_scores')
  })

  it('the room, the proof or the conflict is found by its response', async () => {
    const guard = createGuard(rig.dependencies, BANK_VERSION)
    const turns = createTurns({ rateLimits: false })
    const organizers = createOrganizerGuard(rig.dependencies, BANK_VERSION)
    const api = new Api(guard, organizers, {
      user: turns,
      organizer: turns,
      stranger: () => turns({ id: '' }),
      network: () => turns({ id: '' }),
    })
    const serve = serveMembers(api, rig.dependencies)
    serve(forgetful.room, ({ organizer }) =>
      sql('select name from candidates where assessment = $1', organizer.code),
    )
    serve(forgetful.proof, ({ organizer }) =>
      sql(
        'select correct_option as it from assessment_items where assessment = $1 order by position',
        organizer.code,
      ),
    )
    serve(forgetful.conflict, ({ organizer }) =>
      sql('select detail from admin_actions where society_id = $1', organizer.societyId),
    )
    const ask = async ({ path }: { path: string }, { token }: { token: string }) => {
      const place = path.replace(':society', society).replace(':code', code)
      const headers = { Authorization: `Bearer ${token}` }
      const text = await (await api.hono.request(place, { headers })).text()
      return { name: path, status: 200, text, body: JSON.parse(text) as unknown }
    }
    await sql(
      `insert into admin_actions (at, actor, action, society_id, assessment, detail)
       values ($1, 'ana', 'set-line', $2, $3, '{"reason": "giraffe"}')`,
      ...[DAY, society, over],
    )
    const helper = await member('invigilator')
    expect(saying([await ask(forgetful.room, helper)], new RegExp(MARK))).toHaveLength(1)
    expect(tellsKeys(await ask(forgetful.proof, owner))).toBe(true)
    expect(saying([await ask(forgetful.conflict, owner)], /giraffe/)).toHaveLength(1)
  })
})
