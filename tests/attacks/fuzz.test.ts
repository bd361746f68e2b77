import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Described,
  endsSession,
  HOSTILE_TEXTS,
  LEAK,
  listRoutes,
  type Route,
  readDescription,
  type Schema,
  sampleRoutes,
  seatedPerson,
} from '../rig/attack-rig.ts'
import { MINUTE, NEW_SHAPE, passTime, watchLog } from '../rig/auth-rig.ts'
import { fillBank } from '../rig/bank-fixture.ts'
import { signUp, useRig } from '../rig/rig.ts'
import { sized } from '../setup/size.ts'

// Calls every route, signed in, with almost valid bodies, queries, parameters and headers. No response may be a 5xx or
// reveal internals. The seed is fixed, so failures can be repeated.
const rig = useRig({ metricsToken: 'a-token-for-metrics' })
// An unexpected error is logged as one, even if its response looks harmless.
watchLog(rig)

let described: Map<string, Described>
beforeAll(async () => {
  await fillBank(rig)
  described = await readDescription(rig)
})

const SEED = 20_260_302
const RUNS = sized(20, 2)

const unstorable = fc.constantFrom('\0', 'a\0b', '\ud800', 'x\udc00y', '\u{10ffff}')
const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  { weight: 2, arbitrary: unstorable },
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('', ' ', '0', '-1', '1e999', 'null', 'a'.repeat(2_001), '🙂'.repeat(300)),
)
const anyValue = fc.oneof(
  anyText,
  fc.constantFrom(null, true, -1, 0, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, [], {}, [[[]]]),
  fc.anything({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value) ?? 'null')),
)

/** Mostly values that a schema accepts, up to its limits, and sometimes anything else. */
function nearly(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 20, arbitrary: valid(schema, name) },
    { weight: 1, arbitrary: anyValue },
  )
}

function valid(schema: Schema, name: string): fc.Arbitrary<unknown> {
  // 1 stands for a question of the caller's paper, so that choices reach the database.
  if (name === 'questionId') return fc.constantFrom(1, 1, 1, 2)
  if (name === 'choice') return fc.constantFrom('A', 'D', 'A', 'D', 'E')
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valid(one, name)))
  switch (schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([key, field]) => [key, nearly(field, key)]),
        ),
        { requiredKeys: schema.required ?? [] },
      )
    case 'array':
      return fc.array(nearly(schema.items ?? {}, name), {
        minLength: schema.minItems ?? 0,
        maxLength: 4,
      })
    case 'integer':
      return fc.oneof(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({
          min: schema.minimum ?? Number.MIN_SAFE_INTEGER,
          max: schema.maximum ?? Number.MAX_SAFE_INTEGER,
        }),
        fc.constant(schema.maximum ?? 2 ** 31),
      )
    case 'number':
      return fc.oneof(
        fc.double({ min: schema.minimum, max: schema.maximum, noNaN: true }),
        // Most random doubles are close to zero, so this adds large fractional milliseconds.
        fc.constant((schema.maximum ?? 1e9) - 0.5),
      )
    case 'boolean':
      return fc.boolean()
    default:
      return validText(schema, name)
  }
}

function validText({ format, pattern }: Schema, name: string): fc.Arbitrary<string> {
  if (name === 'timeZone') {
    return fc.constantFrom('Europe/Lisbon', 'Etc/GMT-14', 'utc', 'europe/lisbon', '+14:00')
  }
  if (name === 'category') return fc.constantFrom('Financial Accounting & Analysis', '\0', '%')
  if (name === 'difficulty') return fc.constantFrom('Intern', '\0', "'")
  if (format === 'uuid') return fc.uuid()
  if (format === 'date')
    return fc.constantFrom('2026-03-02', '2026-02-23', '0000-01-01', '9999-12-31')
  if (format === 'date-time') {
    return fc.constantFrom('2026-03-02T09:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z')
  }
  if (pattern) return fc.stringMatching(new RegExp(pattern))
  return anyText
}

/** Mostly what a call accepts. Otherwise the first wrong field would stop it too early. */
const mostly = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 15, arbitrary: usual }, { weight: 1, arbitrary: anyValue })

/** Fields of the calls under /auth/v1. Each call gets some, even if it doesn't use them. */
const authBody = fc.record(
  {
    email: mostly(fc.oneof(fc.emailAddress(), fc.constant('fuzz@example.com'), anyText)),
    phone: mostly(fc.constant('')),
    password: mostly(fc.oneof(fc.constant('correct horse battery'), anyText)),
    current_password: mostly(fc.oneof(fc.constant('correct horse battery'), anyText)),
    data: mostly(fc.dictionary(anyText, anyValue, { maxKeys: 3 })),
    type: mostly(fc.oneof(fc.constant('recovery'), anyText)),
    token: mostly(anyText),
    token_hash: mostly(anyText),
    refresh_token: mostly(fc.oneof(fc.stringMatching(/^[A-Za-z0-9_-]{51}$/), anyText)),
    code_challenge: mostly(fc.constant(null)),
    code_challenge_method: mostly(fc.constant(null)),
    app_metadata: anyValue,
    nonce: mostly(anyText),
    gotrue_meta_security: anyValue,
  },
  { requiredKeys: [] },
)
const authQuery = fc.record(
  {
    grant_type: fc.oneof(fc.constantFrom('password', 'refresh_token', 'pkce'), anyText),
    scope: anyText,
    type: fc.oneof(fc.constant('recovery'), anyText),
    token: fc.oneof(anyText, fc.constant(`${'a'.repeat(199)}🙂`)),
    redirect_to: anyText,
  },
  { requiredKeys: [] },
)

/** The only bytes that HTTP allows in a header. */
const headerText = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((n) => String.fromCharCode(n)) })
  .map((text) => text.replace(/[\x7f-\x9f]/g, '?').trim())
const anyHeaders: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    'User-Agent': headerText,
    'X-Forwarded-For': headerText,
    'Accept-Encoding': headerText,
    'Content-Type': headerText,
    'X-Window-Id': headerText,
    'X-Candidate-Token': headerText,
    'If-None-Match': headerText,
    Range: fc.constant('bytes=0-'),
    Origin: headerText,
  },
  { requiredKeys: [] },
)

interface Attack {
  parameter: string
  query: Record<string, unknown>
  extraQuery: [string, string][]
  body: unknown
  headers: Record<string, string>
}

function attackOn({ path }: Route, call: Described | undefined, known: string[]) {
  const isAuth = path.startsWith('/auth/v1/')
  const query = call
    ? fc.record(
        Object.fromEntries(
          Object.entries(call.query).map(([name, field]) => [name, nearly(field, name)]),
        ),
        { requiredKeys: [] },
      )
    : authQuery
  const body = call?.body ? nearly(call.body) : isAuth ? authBody : anyValue
  return fc.record({
    parameter: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, anyText),
    query: query as fc.Arbitrary<Record<string, unknown>>,
    extraQuery: fc.oneof(
      { weight: 6, arbitrary: fc.constant<[string, string][]>([]) },
      fc.array(fc.tuple(anyText, anyText), { maxLength: 3 }),
    ),
    body: fc.oneof({ weight: 9, arbitrary: body }, anyValue),
    headers: fc.oneof(
      { weight: 3, arbitrary: fc.constant<Record<string, string>>({}) },
      anyHeaders,
    ),
  })
}

/** Percent-encodes a text. Unpaired surrogates become the bytes that a sloppy client would send. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\u{fffd}')).replaceAll(
    '%EF%BF%BD',
    '%ED%A0%80',
  )
}

function checkAnswer(
  { status, headers, body }: Awaited<ReturnType<typeof rig.call>>,
  sent: string,
): void {
  expect(status, sent).toBeLessThan(500)
  if (status < 400) return
  expect(headers.get('content-type'), sent).toMatch(/^application\/json/)
  // The only response that the protocol gives in OAuth's format (product 2.9.3).
  if (body.error === 'invalid_request') return
  expect([typeof body.code, typeof body.message], sent).toEqual(['string', 'string'])
  expect(body.message, sent).not.toMatch(LEAK)
  expect(JSON.stringify(body), sent).not.toContain(process.cwd())
}

describe('random input never causes a 5xx and no response reveals internals:', () => {
  // For almost valid input, the contract usually creates the response, and all routes share that code.
  let last: Awaited<ReturnType<typeof seatedPerson>> | undefined
  it.each(listRoutes().filter((_, n) => sized(true, n % 4 === 0)))('$name', async (route) => {
    // Some calls end the test or the session.
    const isOver = (await last?.status())?.body.status !== 'in_progress'
    const seat = isOver || !last ? await seatedPerson(rig) : last
    last = seat
    const call = described.get(route.name)
    const known = route.path.includes('/assessments/')
      ? [seat.code]
      : ['2001', '00000000-0000-4000-8000-000000000000']
    await fc.assert(
      fc.asyncProperty(attackOn(route, call, known), async (attack: Attack) => {
        const query = [
          ...Object.entries(attack.query).map(([name, value]) => [name, String(value)]),
          ...attack.extraQuery,
        ].map(([name, value]) => `${encode(name as string)}=${encode(value as string)}`)
        const path = route.path.replace(/:\w+/g, encode(attack.parameter))
        const body = JSON.stringify(attack.body, (key, value) =>
          key === 'questionId' && value === 1 ? seat.items[0] : value,
        )
        const answer = await rig.call(route.method, `${path}?${query.join('&')}`, {
          token: seat.token,
          headers: {
            ...NEW_SHAPE,
            'X-Candidate-Token': seat.candidateToken,
            'X-Window-Id': seat.windowId,
            ...attack.headers,
          },
          ...(route.method === 'GET' ? {} : { body: body ?? '' }),
        })
        checkAnswer(answer, `${route.method} ${path}?${query.join('&')} ${body}`)
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })

  it('also after the deadline', async () => {
    const seat = await seatedPerson(rig)
    const before = rig.clock.now
    passTime(rig, 21 * MINUTE)
    for (const name of ['answers', 'events', 'submit']) {
      const route = listRoutes().find(
        ({ path, method }) => path.endsWith(`/attempt/${name}`) && method !== 'GET',
      ) as Route
      const call = described.get(route.name)
      await fc.assert(
        fc.asyncProperty(nearly(call?.body as Schema), async (body) => {
          const text = JSON.stringify(body, (key, value) =>
            key === 'questionId' && value === 1 ? seat.items[0] : value,
          )
          checkAnswer(await seat.call(route.method, `/${name}`, text), text)
        }),
        { seed: SEED, numRuns: 5 * RUNS },
      )
    }
    rig.clock.now = before
  })
})

describe('a body that is not JSON, or excessive JSON,', () => {
  const BODIES: [string, string | Uint8Array<ArrayBuffer>][] = [
    ['nothing', ''],
    ['half an object', '{"id":'],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0xc0, 0x22])],
    ['40,000 arrays in each other', '['.repeat(40_000) + ']'.repeat(40_000)],
    ['15,000 objects in each other', `${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`],
    ['depth in a field', `{"details":${'['.repeat(40_000)}${']'.repeat(40_000)},"a":"\\u0000"}`],
    ['depth in metadata', `{"data":{"a":${'['.repeat(40_000)}"\\u0000"${']'.repeat(40_000)}}}`],
    ['a number beyond numbers', `{"testNumber":${'9'.repeat(90_000)}}`],
    ['20,000 keys', `{${Array.from({ length: 9_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
    ['a prototype', '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}'],
    // Some call accepts this form, so it would reach the database.
    ['NUL in a text', '{"username":"a\\u0000","password":"x"}'],
    ['NUL in a key', '{"data":{"\\u0000":1}}'],
    ['half of a surrogate pair', '{"data":{"degree":"\\ud800"}}'],
  ]
  // The server reads bodies the same way for all routes of a guard class. Routes that end the session come last.
  const WRITING = listRoutes()
    .filter(({ method }) => method !== 'GET')
    .sort((a, b) => Number(endsSession(a)) - Number(endsSession(b)))
  const SAMPLE = sampleRoutes(WRITING)
  const TRIED = WRITING.filter((route) =>
    sized(true, SAMPLE.includes(route) || route.path.endsWith('/verify')),
  )

  it.each(BODIES.filter((_, n) => sized(true, n % 2 === 0)))(
    'is refused, or ignored by calls without a body: %s',
    async (_, body) => {
      const { token } = await signUp(rig)
      for (const { method, path } of TRIED) {
        const response = await rig.app.request(`${path.replace(/:\w+/g, 'PCF')}`, {
          method,
          headers: { ...NEW_SHAPE, Authorization: `Bearer ${token}` },
          body,
        })
        const type = response.headers.get('content-type') ?? ''
        const text = await response.text()
        checkAnswer(
          {
            status: response.status,
            headers: response.headers,
            body: type.includes('json') ? JSON.parse(text) : text,
          },
          `${method} ${path}`,
        )
      }
      expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false)
    },
  )
})

it('5,000 query parameters, a very long one, a repeated one and broken ones are refused or ignored', {
  tags: ['full'],
}, async () => {
  const { token } = await signUp(rig)
  const many = Array.from({ length: 5_000 }, (_, n) => `p${n}=${n}`).join('&')
  for (const query of [
    many,
    `category=${'a'.repeat(200_000)}`,
    'a=1&a=2',
    '%=%&%zz=%',
    '__proto__=1',
  ]) {
    for (const { name, path } of listRoutes().filter(({ method }) => method === 'GET')) {
      const answer = await rig.call('GET', `${path.replace(/:\w+/g, '1')}?${query}`, {
        token,
        headers: NEW_SHAPE,
      })
      checkAnswer(answer, `${name} ${query.slice(0, 50)}`)
    }
  }
})
