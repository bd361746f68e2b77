import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { listen } from '../../app/server/listener.ts'
import { readIncidents } from '../../societies/incidents/server/read-incidents.ts'
import { read } from '../../societies/kit/server/action.ts'
import { OF_SIMULATION } from '../../societies/live/server/view.ts'
import { Watch } from '../../societies/live/server/watch.ts'
import { additionOf, crowd, listOf, organizing } from '../rig/acts-rig.ts'
import { makeAssessment, makeCandidate } from '../rig/assessment-rig.ts'
import { organizerOf, typeAt } from '../rig/organizer-rig.ts'
import { xlsxOf } from '../rig/questions/question-files-rig.ts'
import { signUp, standstillOf, useRig } from '../rig/rig.ts'
import { makeMember, makeSociety } from '../rig/society-rig.ts'

// What one member, society or stranger can take from all others: queue slots, the event loop, rows, mails.
// tests/hostile/crowd/beside-everything.test.ts does this next to a crowd.
const rig = useRig({ rateLimits: true })
const db = () => rig.db.$client

async function owner(societyId: string) {
  const account = await signUp(rig, `owner-${randomUUID().slice(0, 8)}@example.com`)
  await makeMember(rig, societyId, account.userId, 'owner')
  return account
}

describe('reports of incidents', () => {
  const reportOf = (more = {}) => ({
    ...{ id: randomUUID(), candidate: null, listed: null, room: null, note: 'Nothing at all.' },
    ...{ happenedAt: rig.clock.now.toISOString(), ...more },
  })
  async function place() {
    const { society, code } = await organizing(rig)
    const { token } = await owner(society.id)
    const base = `/api/societies/${society.id}/assessments/${code}/incidents`
    const incidents = (method: string, of = '', body?: unknown) =>
      rig.call(method, base + of, { token, ...(body ? { body } : {}) })
    return { code, incidents }
  }

  it('are limited to 60 a day per member and 500 per test', async () => {
    const { code, incidents } = await place()
    expect((await incidents('POST', '/reports', reportOf())).status).toBe(200)
    await db().query(`update rate_limits set points = 60 where key like 'incidentReports:%'`)
    expect((await incidents('POST', '/reports', reportOf())).status).toBe(429)
    await db().query(`delete from rate_limits where key like 'incidentReports:%'`)
    await writeReports(code, 499)
    const full = await incidents('POST', '/reports', reportOf())
    expect(full).toMatchObject({ status: 409, body: { code: 'many_reports' } })
  })

  it('on all candidates are listed once, however many there are, and delay no other call', async () => {
    const { code, incidents } = await place()
    await db().query(
      `insert into candidates (id, assessment, username, password_hash, created_at)
       select gen_random_uuid(), $1, 'person-' || n, '\\x00', $2 from generate_series(1, 120) n`,
      [code, rig.clock.now],
    )
    await makeCandidate(rig, code, 'reported')
    await writeReports(code, 5_000)
    const { answer: found, longest } = await standstillOf(() => incidents('GET'))
    expect(found.body.notes).toHaveLength(5_000)
    expect(found.body.candidates).toEqual([])
    // Proportional to the candidates it took seven seconds. This is the limit for a busy machine.
    expect(longest).toBeLessThan(1_500)
    expect(await readIncidents(db(), code)).toEqual([])
  })

  const writeReports = (code: string, count: number) =>
    db().query(
      `insert into incident_reports (id, assessment, happened_at, note, reported_by, reported_at)
       select gen_random_uuid(), $1, $2, 'Nothing at all.', 'helper', $2 from generate_series(1, $3::int)`,
      [code, rig.clock.now, count],
    )
})

describe('forty drafts on Live', () => {
  it('of one society leave slots for another, and are evicted before they fill the memory', async () => {
    const [greedy, other] = [await makeSociety(rig), await makeSociety(rig)]
    const slow = {
      $client: { connect: async () => wait(20).then(() => db().connect()) },
    } as unknown as typeof rig.db
    const watch = new Watch({ db: slow, now: () => rig.clock.now })
    const look = async (societyId: string) => {
      const { code } = await makeAssessment(rig, { societyId })
      return () => watch.answer({ code, societyId, demo: false }, OF_SIMULATION, null)
    }
    const looks = await Promise.all(Array.from({ length: 40 }, () => look(greedy.id)))
    const theirs = await look(other.id)
    let done = 0
    const flood = looks.map(async (one) => {
      const answer = await one()
      done += 1
      return answer
    })
    await theirs()
    expect(done).toBeLessThan(10)
    const first = await Promise.all(flood)
    const again = await Promise.all(looks.map((one) => one()))
    expect(again.filter((answer, n) => answer === first[n]).length).toBeLessThanOrEqual(5)
  })
})

describe("the queue of members' reads", () => {
  /** Holds all slots until released. */
  function holdAll() {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const places = Array.from({ length: 3 }, () =>
      read({ ...organizerOf(rig), userId: randomUUID() }, () => held),
    )
    return async () => {
      release()
      await Promise.all(places)
    }
  }

  it('does not affect strangers and guests, who are answered while it is full', async () => {
    const { token } = await signUp(rig)
    const letGo = holdAll()
    const strangers = await Promise.all(
      Array.from({ length: 200 }, () => rig.call('GET', `/api/fairness/${randomUUID()}`)),
    )
    expect(new Set(strangers.map(({ status }) => status))).toEqual(new Set([404]))
    expect((await rig.call('GET', '/api/societies', { token })).status).toBe(200)
    await letGo()
  })

  it('runs nothing for callers who hung up', async () => {
    const { society, code } = await organizing(rig)
    const { token } = await owner(society.id)
    const { server, port } = await listen({
      ...{ fetch: rig.app.fetch, port: 0, host: '127.0.0.1', requestSeconds: 20 },
    })
    const letGo = holdAll()
    const path = `/api/societies/${society.id}/assessments/${code}/candidates`
    const headers = { Authorization: `Bearer ${token}` }
    const calls = Array.from({ length: 25 }, () => {
      const call = request({ port, host: '127.0.0.1', path, headers, agent: false })
      call.on('error', () => {})
      call.end()
      return call
    })
    await wait(500)
    for (const call of calls) call.destroy()
    await wait(100)
    let connections = 0
    const count = () => (connections += 1)
    db().on('acquire', count)
    await letGo()
    await wait(300)
    db().off('acquire', count)
    expect(connections).toBeLessThan(3)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('a slow request body', () => {
  it.each([
    ['/auth/v1/token?grant_type=refresh_token', '{"refresh_token":"none"}'],
    ['/api/invitations/read', '{"token":"none"}'],
  ])('holds no slot of its network: %s', async (path, body) => {
    const { server, port } = await listen({
      ...{ fetch: rig.app.fetch, port: 0, host: '127.0.0.1', requestSeconds: 20 },
    })
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }
    const open = () =>
      request({ ...{ port, host: '127.0.0.1', method: 'POST', path, headers, agent: false } })
    const slow = Array.from({ length: 3 }, () => {
      const call = open().on('error', () => {})
      call.write(body.slice(0, 1))
      return call
    })
    await wait(300)
    const answered = new Promise((resolve) => {
      open()
        .on('response', ({ statusCode }) => resolve(statusCode))
        .end(body)
    })
    expect(await Promise.race([answered, wait(5_000, 'waits')])).toBe(400)
    for (const call of slow) call.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
})

describe('one member', () => {
  it('has four running calls and thirty waiting; more are refused', async () => {
    const { call } = await organizing(rig)
    const answers = await Promise.all(Array.from({ length: 60 }, () => call('GET')))
    const refused = answers.filter(({ body }) => body.code === 'too_many_calls')
    expect(refused.length).toBeGreaterThan(15)
    expect(refused.length).toBeLessThanOrEqual(26)
  })

  it('has one file read at a time, including a list of candidates', async () => {
    const { call } = await organizing(rig)
    const file = Buffer.from(xlsxOf([['Ana Silva', 'ana@x.pt']])).toString('base64')
    const answers = await Promise.all([1, 2].map(() => call('POST', '/read-sheet', { file })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429])
  })
})

describe('a society that anyone founded', () => {
  it('sends 200 passwords a day until the operator vouches for it, however many tests were taken', async () => {
    const { call, society } = await organizing(rig)
    await db().query(`update societies set via = 'console' where id = $1`, [society.id])
    const adding = () => call('POST', '', additionOf(crowd(201), { mail: true }))
    const sat = await makeAssessment(rig, { societyId: society.id })
    for (let n = 0; n < 10; n += 1) await submitted(sat.code)
    expect(await adding()).toMatchObject({ status: 429, body: { code: 'too_many' } })
    await typeAt(rig, 'societies', 'vouch', society.name)
    expect((await adding()).body).toMatchObject({ mailed: 201 })
  })

  it('sends one address at most ten passwords a day, for however many candidates', async () => {
    const sending = async () => {
      const { call } = await organizing(rig)
      await call('POST', '', additionOf([{ name: 'Ana Silva', email: 'Ana@x.pt' }]))
      const candidates = (await listOf(call)).map(({ id }) => id)
      return async () => {
        const { body } = await call('POST', '/send', { candidates })
        await db().query(`update credential_mails set state = 'sent'`)
        return body
      }
    }
    const [here, elsewhere] = [await sending(), await sending()]
    for (let n = 0; n < 9; n += 1) expect(await here()).toMatchObject({ queued: 1, left: 0 })
    expect(await elsewhere()).toMatchObject({ queued: 1, left: 0 })
    expect(await elsewhere()).toMatchObject({ queued: 0, left: 1 })
    expect(await here()).toMatchObject({ queued: 0, left: 1 })
  })

  async function submitted(code: string) {
    const { id } = await makeCandidate(rig, code)
    await db().query(
      `insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, submitted_at,
         submit_reason, closed_by_submit, window_id, is_demo)
       values (gen_random_uuid(), $1, $2, array(select i.id from assessment_items i where i.assessment = $1), $3,
         $3::timestamptz + interval '20 minutes', $3,
         'candidate', true, 'w', false)`,
      [code, id, rig.clock.now],
    )
  }

  it('has no links and addresses in the names that its mails show', async () => {
    const { society, call } = await organizing(rig)
    const { token } = await owner(society.id)
    for (const name of ['Your bank. See https://evil.example', 'EVIL.COM', 'a@b']) {
      const body = { code: 'LINKS', society: society.name, session: name, season: null }
      const test = await rig.call('POST', `/api/societies/${society.id}/assessments`, {
        token,
        body,
      })
      expect(test).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('link or an address') },
      })
      const founded = await rig.call('POST', '/api/societies', { token, body: { name } })
      expect(founded.status).toBe(400)
      const added = await call('POST', '', additionOf([{ name, email: 'ana@x.pt' }]))
      expect(added).toMatchObject({ status: 409, body: { code: 'lines_wrong' } })
    }
  })
})

describe('the connections of practice', () => {
  /** Holds a lock that forty calls wait for while another user practices. */
  async function answeredBeside(lock: string, values: unknown[], flood: () => Promise<unknown>) {
    const { token } = await signUp(rig)
    const holder = await connect()
    await holder.query('begin')
    await holder.query(lock, values)
    const calls = Array.from({ length: 40 }, flood)
    await wait(200)
    const look = rig.call('GET', '/api/daily/week?timeZone=UTC', { token })
    const answer = await Promise.race([look, wait(3_000)])
    await holder.query('rollback')
    await holder.end()
    await Promise.all([...calls, look])
    return answer
  }
  async function connect() {
    const client = new pg.Client(rig.databaseUrl)
    await client.connect()
    return client
  }

  it('are not used up by forty calls of one person about the account, or by refreshes of one session', async () => {
    const { token, userId } = await signUp(rig)
    const lock = 'select from users where id = $1 for update'
    const change = () =>
      rig.call('PUT', '/auth/v1/user', { token, body: { data: { degree: 'x' } } })
    expect(await answeredBeside(lock, [userId], change)).toMatchObject({ status: 200 })
    // A query parameter that only sign-ins have doesn't select another queue.
    const posing = () =>
      rig.call('PUT', '/auth/v1/user?grant_type=password', {
        token,
        body: { data: { degree: 'x' } },
      })
    expect(await answeredBeside(lock, [userId], posing)).toMatchObject({ status: 200 })
    const { body } = await rig.call('POST', '/auth/v1/signup', { body: {} })
    const renew = () =>
      rig.call('POST', '/auth/v1/token?grant_type=refresh_token', {
        body: { refresh_token: body.refresh_token },
      })
    const session = 'select from sessions where user_id = $1 for update'
    expect(await answeredBeside(session, [body.user.id], renew)).toMatchObject({ status: 200 })
  })

  it('are not used up by forty strangers of one address, refused or not', async () => {
    const table = 'lock table society_invitations in access exclusive mode'
    const read = () =>
      rig.call('POST', '/api/invitations/read', { body: { token: 'a'.repeat(43) } })
    expect(await answeredBeside(table, [], read)).toMatchObject({ status: 200 })
    const limits = 'lock table rate_limits in share mode'
    for (const call of [
      () => rig.call('POST', '/auth/v1/signup', { body: {} }),
      () =>
        rig.call('POST', '/auth/v1/token?grant_type=password', {
          body: { email: `nobody-${randomUUID()}@example.com`, password: 'wrong password' },
        }),
    ]) {
      expect(await answeredBeside(limits, [], call)).toMatchObject({ status: 200 })
    }
  })
})

describe('a call that a script makes large', () => {
  it('with nine thousand keys of metadata is refused', async () => {
    const { token } = await signUp(rig)
    const data = Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`k${n}`, 1]))
    expect((await rig.call('PUT', '/auth/v1/user', { token, body: { data } })).status).toBe(400)
  })

  it('gets a cached description of the API', async () => {
    const first = await rig.app.request('/api/openapi.json')
    const written = vi.spyOn(JSON, 'stringify')
    const again = await rig.app.request('/api/openapi.json')
    expect(written).not.toHaveBeenCalled()
    written.mockRestore()
    expect(again.headers.get('content-type')).toBe('application/json')
    expect(await again.text()).toBe(await first.text())
  })
})
