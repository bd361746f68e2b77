import { randomUUID } from 'node:crypto'
import { decodeJwt, type JWTPayload } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { readHeld } from '../../accounts/server/personal-data.ts'
import { PERSONAL_DATA } from '../../app/server/app.ts'
import { dailyBrainteasers, dailyResults } from '../../daily/server/tables.ts'
import { questionReports, testResults } from '../../practice/server/tables.ts'
import {
  endsSession,
  exampleOf,
  fillPath,
  listRoutes,
  OPEN_ROUTES,
  type Route,
  readDescription,
  sampleRoutes,
  seatedPerson,
} from '../rig/attack-rig.ts'
import { authCall, NEW_SHAPE, PASSWORD, signClaims, watchLog } from '../rig/auth-rig.ts'
import { fillBank } from '../rig/bank-fixture.ts'
import { signUp, useRig } from '../rig/rig.ts'
import { makeInvitation, makeMember, makeSociety } from '../rig/society-rig.ts'
import { sized } from '../setup/size.ts'

// accounts/server/sessions/bearer.test.ts has forged tokens of every kind, on one route. Here every route gets a call
// without a token and one with a forged token, and two routes of each guard class get each kind; all of them with
// npm run test:full.
const rig = useRig({ metricsToken: 'a-token-for-metrics' })
watchLog(rig)
beforeAll(() => fillBank(rig))

const ROUTES = listRoutes()
const CLOSED = ROUTES.filter(({ name }) => !OPEN_ROUTES.includes(name))

const call = (route: Pick<Route, 'method' | 'path'>, token?: string) =>
  rig.call(route.method, fillPath(route.path, randomUUID()), {
    token,
    headers: NEW_SHAPE,
    ...(['GET', 'HEAD'].includes(route.method) ? {} : { body: {} }),
  })

describe('the routes', () => {
  it('are all covered by this test, and only the intended ones are open', async () => {
    const names = ROUTES.map(({ name }) => name)
    expect(OPEN_ROUTES.filter((name) => !names.includes(name))).toEqual([])
    const described = [...(await readDescription(rig)).keys()]
    const served = names.filter((name) => / \/api\//.test(name) && !name.endsWith('openapi.json'))
    expect(described.sort()).toEqual(served.sort())
    expect(CLOSED.length).toBeGreaterThan(20)
  })

  it('refuse all other methods', async () => {
    const { token } = await signUp(rig)
    const known = new Set(ROUTES.map(({ name }) => name))
    const served = ROUTES.filter((route) => /^\/(api|auth)\//.test(route.path))
    for (const { path } of served.filter((_, n) => sized(true, n % 8 === 0))) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE']) {
        if (known.has(`${method} ${path}`)) continue
        const { status, body } = await call({ method, path }, token)
        expect([method, path, status, body.code]).toEqual([method, path, 404, 'not_found'])
      }
    }
  })
})

/** Callers without a valid session. Each is created once, from the claims of a user who had one. */
const INTRUDERS: [title: string, code: string, make: () => Promise<string | undefined>][] = [
  ['a call without a token', 'no_authorization', async () => undefined],
  [
    'an expired token',
    'bad_jwt',
    () => altered({ exp: Math.floor(rig.clock.now.getTime() / 1000) - 60 }),
  ],
  ['a token with alg none', 'bad_jwt', async () => unsigned(decodeJwt((await signUp(rig)).token))],
  [
    'a token signed with another key',
    'bad_jwt',
    async () => {
      const { privateKey } = (await crypto.subtle.generateKey(
        { name: 'ECDSA', namedCurve: 'P-256' },
        true,
        ['sign', 'verify'],
      )) as CryptoKeyPair
      return signClaims(rig, decodeJwt((await signUp(rig)).token), { key: privateKey })
    },
  ],
  [
    'a token from another issuer',
    'bad_jwt',
    () => altered({ iss: 'https://evil.example/auth/v1' }),
  ],
  [
    'a signed-out session',
    'session_not_found',
    async () => {
      const { token } = await signUp(rig, `left-${randomUUID()}@example.com`)
      await authCall(rig, 'POST', '/logout?scope=local', undefined, { token })
      return token
    },
  ],
  [
    'a deleted account',
    'session_not_found',
    async () => {
      const { token } = await signUp(rig, `gone-${randomUUID()}@example.com`)
      const body = { password: PASSWORD }
      expect((await rig.call('DELETE', '/api/profile', { token, body })).status).toBe(200)
      return token
    },
  ],
  ['a refresh token', 'bad_jwt', async () => (await signUp(rig)).refreshToken],
]

const altered = async (changes: JWTPayload) =>
  signClaims(rig, { ...decodeJwt((await signUp(rig)).token), ...changes })

function unsigned(claims: JWTPayload): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`
}

async function expectRefusal(route: Route, code: string, token: string | undefined) {
  const { status, body } = await call(route, token)
  // The client library's protocol uses 403 where the API uses 401 (product 2.9.4).
  const isForbidden = route.path.startsWith('/auth/v1/') && code !== 'no_authorization'
  expect([route.name, status, body.code]).toEqual([route.name, isForbidden ? 403 : 401, code])
  expect(Object.keys(body).sort()).toEqual(['code', 'message'])
}

const SAMPLE = sampleRoutes(CLOSED)

it('the sample has each guard class of the API, and all closed calls of /auth/v1', () => {
  const classes = (routes: readonly Route[]) => new Set(routes.map(({ guardClass }) => guardClass))
  expect(classes(SAMPLE)).toEqual(classes(CLOSED))
  expect(classes(SAMPLE).size).toBeGreaterThan(10)
  expect(SAMPLE.length).toBeLessThan(60)
})

const EVERYWHERE = ['a call without a token', 'a token signed with another key']

it.each(INTRUDERS)('%s is refused with %s', async (title, code, make) => {
  const token = await make()
  const routes = sized(CLOSED, EVERYWHERE.includes(title) ? CLOSED : SAMPLE)
  for (const route of routes) await expectRefusal(route, code, token)
})

it('a guest session is accepted by all of them', async () => {
  const refusals = ['no_authorization', 'bad_jwt', 'session_not_found']
  for (const route of sized(CLOSED, SAMPLE)) {
    const { body } = await call(route, (await signUp(rig)).token)
    expect([route.name, refusals.includes(body?.code)]).toEqual([route.name, false])
  }
})

describe("another person's data", () => {
  /** A text that occurs in all of the victim's data and nowhere else. */
  const MARK = 'victim-7f3a'
  const FINISHED = new Date('2026-03-01T03:04:05.678Z')
  const BEST_STREAK = 739_173
  /** The cell that the victim practiced. Calls for a cell ask for this one. */
  const CELL = { category: 'Financial Accounting & Analysis', difficulty: 'Intern' } as const
  const PRACTICE_DAY = '2026-02-17'
  const texts: string[] = []
  const secrets: string[] = [MARK, FINISHED.toISOString(), String(BEST_STREAK), PRACTICE_DAY]
  let headers: Record<string, string>
  let victimId: string
  /** the parameters of a call about a society */
  let societyPath: Record<string, string>

  beforeAll(async () => {
    const seat = await seatedPerson(rig, `${MARK}@example.com`)
    const { token, userId, code } = seat
    victimId = userId
    const [resultId, reportId] = [randomUUID(), randomUUID()]
    await authCall(rig, 'PUT', '/user', { data: { degree: MARK } }, { token })
    await rig.db.insert(testResults).values({
      id: resultId,
      userId,
      ...CELL,
      testNumber: 1,
      score: 3,
      totalQuestions: 10,
      questionsData: [{ question: { id: 2001 }, userAnswer: MARK, isCorrect: false }] as never,
      completedAt: FINISHED,
      streakAnswered: {
        currentStreak: 1,
        streakHighscore: BEST_STREAK,
        lastCompletedDate: '2026-03-01',
      },
    })
    const answers = { a: 'a', b: 'b', c: 'c', d: 'd', correct: 'A' } as const
    const date = '2026-03-02'
    await rig.db
      .insert(dailyBrainteasers)
      .values({ ...answers, date, statement: 'Which?', createdAt: FINISHED })
    await rig.db.insert(dailyResults).values({
      userId,
      date,
      selectedOption: 'A',
      // Not a letter, so that it can be recognized wherever it appears.
      correctOption: MARK as 'A',
      wasCorrect: true,
      timeTakenSeconds: 5,
      answeredAt: FINISHED,
    })
    await rig.db.insert(questionReports).values({
      id: reportId,
      questionId: 2001,
      userId,
      reason: 'other',
      details: MARK,
      createdAt: FINISHED,
    })
    await rig.call('POST', '/api/streak', {
      token,
      body: { id: randomUUID(), timeZone: 'Europe/Lisbon' },
    })
    await rig.db.$client.query('update practice_days set day = $2 where user_id = $1', [
      userId,
      PRACTICE_DAY,
    ])
    const { rows } = await rig.db.$client.query('select id from attempts where user_id = $1', [
      userId,
    ])
    const society = await makeSociety(rig, `Society ${MARK}`)
    const membershipId = await makeMember(rig, society.id, userId, 'owner')
    await makeMember(rig, society.id, (await signUp(rig, `2${MARK}@example.com`)).userId, 'owner')
    const invitationId = await makeInvitation(rig, society.id, `3${MARK}@example.com`, ['author'])
    await rig.db.$client.query(
      'update society_invitations set user_id = $2, accepted_at = created_at where id = $1',
      [invitationId, userId],
    )
    societyPath = { society: society.id, member: membershipId, invitation: invitationId }
    texts.push(resultId, code, reportId, userId, '2001', society.id)
    secrets.push(userId, rows[0].id.slice(0, 8), 'Stem 1 of')
    headers = { 'X-Candidate-Token': seat.candidateToken, 'X-Window-Id': seat.windowId }
  })

  const held = async () => {
    const tables: Record<string, object[]> = {}
    for (const [table, source] of Object.entries(PERSONAL_DATA)) {
      const rows: object[] = []
      for await (const batch of readHeld(rig.db, source, victimId, rig.clock.now))
        rows.push(...batch)
      tables[table] = rows
    }
    return tables
  }

  it('exist for this test', async () => {
    const tables = await held()
    for (const table of [
      ...['users', 'test_results', 'question_reports', 'attempts', 'practice_days'],
      ...['daily_results', 'memberships', 'society_invitations'],
    ]) {
      expect(tables[table], table).toHaveLength(1)
    }
  })

  async function robBy(route: Route, token: string) {
    const { query = {}, body = null } = (await readDescription(rig)).get(route.name) ?? {}
    const parameters = new URLSearchParams(
      Object.entries(query).map(([name, schema]) => [
        name,
        CELL[name as keyof typeof CELL] ?? String(exampleOf(schema, name, texts)),
      ]),
    )
    // The guard rejects every society except the thief's own, so the society's id is enough.
    const isOfSociety = route.path.includes(':society')
    const ids = isOfSociety ? [societyPath.society as string] : texts
    for (const id of route.path.includes(':') ? ids : ['']) {
      const path = route.path.replace(/:(society|member|invitation)\b/g, (part) =>
        isOfSociety ? (societyPath[part.slice(1)] as string) : part,
      )
      const { body: answer } = await rig.call(route.method, `${fillPath(path, id)}?${parameters}`, {
        token,
        headers: { ...NEW_SHAPE, ...headers },
        ...(route.method === 'GET' ? {} : { body: body ? exampleOf(body, '', texts) : {} }),
      })
      const told = JSON.stringify(answer ?? '')
      // A refusal may contain the requested id, but no other secret.
      for (const secret of secrets)
        if (secret !== id) expect(told, route.name).not.toContain(secret)
    }
  }

  const thief = async () =>
    (await signUp(rig, `thief-${randomUUID().slice(0, 8)}@example.com`)).token

  it('are neither returned nor changed by any call', async () => {
    const before = await held()
    const token = await thief()
    for (const route of CLOSED) await robBy(route, endsSession(route) ? await thief() : token)
    expect(await held()).toEqual(before)
  })

  it.each(CLOSED)(
    'are neither returned nor changed by $name',
    { tags: ['full'] },
    async (route) => {
      const before = await held()
      await robBy(route, await thief())
      expect(await held()).toEqual(before)
    },
  )
})
