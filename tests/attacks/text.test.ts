import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { guardStream, withOutput } from '../../platform/command/files.ts'
import { showControls } from '../../platform/server/control-characters.ts'
import { writeCsv } from '../../platform/server/csv/csv.ts'
import { PROJECT_DIR } from '../../platform/server/project-folder.ts'
import { ITEM_COLUMNS } from '../../societies/questions/server/authoring/assessment-file.ts'
import { loadAssessment } from '../../societies/questions/server/authoring/load-assessment.ts'
import { ADMIN_FILE } from '../../tools/build-server.mjs'
import {
  PASSWORD as CANDIDATE_PASSWORD,
  DAY,
  makeAssessment,
  makeCandidate,
  startedSeat,
  takeSeat,
} from '../rig/assessment-rig.ts'
import { HOSTILE_TEXTS } from '../rig/attack-rig.ts'
import { authCall, getUser, PASSWORD, signIn, watchLog } from '../rig/auth-rig.ts'
import { fillBank } from '../rig/bank-fixture.ts'
import { organizerOf, resultsIn } from '../rig/organizer-rig.ts'
import { signUp, useRig } from '../rig/rig.ts'

const rig = useRig()
watchLog(rig)
beforeAll(() => fillBank(rig))

const tables = async () => {
  const { rows } = await rig.db.$client.query(
    "select count(*)::int as n from information_schema.tables where table_schema = 'public'",
  )
  return rows[0].n
}

describe('SQL and HTML are returned unchanged:', () => {
  it('in every metadata field, by sign-up, by change, in the token and in the export', async () => {
    const before = await tables()
    const data = Object.fromEntries(HOSTILE_TEXTS.map((text, n) => [`${n} ${text}`, text]))
    for (const text of HOSTILE_TEXTS) {
      const given = { ...data, degree: text, university: text }
      const email = `text-${randomUUID().slice(0, 8)}@example.com`
      const { body } = await rig.call('POST', '/auth/v1/signup', {
        body: { data: given },
      })
      expect(body.user.user_metadata).toEqual(given)
      const { token } = await signUp(rig, email, `${text.slice(0, 100)} as a password`)
      await authCall(rig, 'PUT', '/user', { data: given }, { token })
      expect((await getUser(rig, token)).body.user_metadata).toMatchObject(given)
      const held = await rig.call('POST', '/api/profile/export', {
        token,
        body: { password: `${text.slice(0, 100)} as a password` },
      })
      expect(held.body.users[0].metadata).toEqual(given)
      expect((await signIn(rig, email, `${text.slice(0, 100)} as a password`)).status).toBe(200)
    }
    expect(await tables()).toBe(before)
  })

  it('in problem reports that editors read', async () => {
    const { token, userId } = await signUp(rig)
    for (const details of HOSTILE_TEXTS) {
      const body = { id: randomUUID(), reason: 'other', details }
      expect((await rig.call('POST', '/api/questions/2001/reports', { token, body })).status).toBe(
        200,
      )
    }
    const { rows } = await rig.db.$client.query(
      'select details from question_reports where user_id = $1',
      [userId],
    )
    expect(rows.map(({ details }) => details).sort()).toEqual([...HOSTILE_TEXTS].sort())
  })

  it('in search input: addresses, names, cells, scopes', async () => {
    const before = await tables()
    const { token } = await signUp(rig, 'looked@example.com')
    const { code } = await makeAssessment(rig)
    for (const text of HOSTILE_TEXTS) {
      expect((await signIn(rig, text)).body.code).toBe('invalid_credentials')
      const query = new URLSearchParams({ category: text, difficulty: text })
      for (const path of ['questions', 'results']) {
        const { status, body } = await rig.call('GET', `/api/${path}?${query}`, { token })
        expect([status, body]).toEqual([200, []])
      }
      const verified = await rig.call('POST', `/api/assessments/${code}/verify`, {
        token,
        body: { username: text, password: text },
      })
      expect(verified.body.code).toBe('invalid_credentials')
    }
    expect((await signIn(rig, 'looked@example.com', PASSWORD)).status).toBe(200)
    expect(await tables()).toBe(before)
  })

  it("in candidates' names, from the list to the result, and each can sign in", async () => {
    const { code } = await makeAssessment(rig)
    const { token } = await signUp(rig)
    for (const name of HOSTILE_TEXTS) {
      const { username } = await makeCandidate(rig, code, name)
      const body = { username, password: CANDIDATE_PASSWORD }
      expect(
        (await rig.call('POST', `/api/assessments/${code}/verify`, { token, body })).status,
      ).toBe(200)
    }
    await closeFor(code)
    const results = await resultsIn(rig, code)
    expect(new Set(results.map(({ username }) => username))).toEqual(new Set(HOSTILE_TEXTS))
  })

  it("in a society's own test, from its files to the candidate's screen", async () => {
    const code = `H${randomUUID().slice(0, 8).toUpperCase()}`
    const quoted = HOSTILE_TEXTS.map((text) => JSON.stringify(text))
    const yaml = `
code: ${code}
society: ${quoted[4]}
session: ${quoted[0]}
durationSeconds: 900
shuffle: false
navigator: false
timeZone: Europe/Lisbon
rules: { timing: [${quoted}], allowed: [${quoted}], forbidden: [${quoted}], contact: ${quoted[5]} }
`
    const itemsCsv = writeCsv(
      ITEM_COLUMNS,
      HOSTILE_TEXTS.map((text, n) => [n + 1, text, 'a', text, 'c', 'd', 'B']),
    )
    await loadAssessment(organizerOf(rig), { yaml, itemsCsv })
    const { username } = await makeCandidate(rig, code)
    const seat = await takeSeat(rig, code, username)
    const { body } = await seat.start()
    expect(body.questions.map(({ question }: { question: string }) => question)).toEqual(
      HOSTILE_TEXTS,
    )
    expect(body.questions.map(({ options }: { options: { B: string } }) => options.B)).toEqual(
      HOSTILE_TEXTS,
    )
    const list = await rig.call('GET', '/api/assessments', { token: seat.token })
    const listed = list.body.find((one: { code: string }) => one.code === code)
    expect(listed).toMatchObject({ society: HOSTILE_TEXTS[4], session: HOSTILE_TEXTS[0] })
    expect(listed.rules).toMatchObject({ timing: HOSTILE_TEXTS, contact: HOSTILE_TEXTS[5] })
  })

  it('in what a page reports about itself', async () => {
    const { seat } = await startedSeat(rig)
    const keys = HOSTILE_TEXTS.map((text) => text.slice(0, 40))
    for (const [n, key] of keys.entries()) {
      await seat.report({ id: n + 1, kind: 'ready', at: n, detail: { key } })
    }
    const { rows } = await rig.db.$client.query(
      "select detail from attempt_events where user_id = $1 and kind = 'ready' order by id",
      [seat.userId],
    )
    // Keys are printable ASCII. Anything else is rejected.
    const printable = keys.filter((key) => /^[\x20-\x7e]+$/.test(key))
    expect(printable.length).toBeGreaterThan(5)
    expect(rows.map(({ detail }) => detail.key)).toEqual(printable)
  })
})

describe('text that PostgreSQL cannot store is refused with a 4xx, not a 5xx:', () => {
  it.each(['a\0b', '\ud800', '\udc00\ud800'])('%j in a text', async (text) => {
    const { seat } = await startedSeat(rig)
    const { token } = seat
    const encoded = encodeURIComponent('a\0b')
    const answers = [
      await rig.call('POST', '/api/questions/2001/reports', {
        token,
        body: { id: randomUUID(), reason: 'other', details: text },
      }),
      await rig.call('POST', `/api/assessments/${seat.code}/verify`, {
        token,
        body: { username: text, password: text },
      }),
      await seat.report({ id: 1, kind: 'ready', at: 0, detail: { key: text } }),
      await rig.call('GET', `/api/results?category=${encoded}&difficulty=${encoded}`, { token }),
    ]
    for (const { status, body } of answers)
      expect([status, body.code]).toEqual([400, 'bad_request'])
    for (const data of [{ degree: text }, { [text]: 1 }]) {
      const answer = await authCall(rig, 'PUT', '/user', { data }, { token })
      expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    }
  })
})

/** Simulates that all candidates on the roster took the test and submitted. */
async function closeFor(code: string): Promise<void> {
  await rig.db.$client.query(
    `insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, submitted_at,
       submit_reason, window_id, is_demo)
     select gen_random_uuid(), $1, c.id,
       array(select i.id from assessment_items i where i.assessment = $1), $2,
       $2::timestamptz + interval '20 min', $2::timestamptz + interval '9 min', 'candidate', 'w', false
     from candidates c where c.assessment = $1`,
    [code, DAY],
  )
}

/** Sequences that a terminal interprets: title, clear screen, color, overwritten line, reversed text. */
const OBEYED =
  'a\u001b]0;owned\u0007b\u001b[2Jc\u009b31md\u0085e\r\bf\u007fg\u202eh\u2066i\nno  new report'
const SHOWN =
  'a\\x1b]0;owned\\x07b\\x1b[2Jc\\x9b31md\\x85e\\x0d\\x08f\\x7fg\\u202eh\\u2066i\n   no  new report'
/** Of these, only line breaks and tabs may appear in a command's output. */
const CONTROLS = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

describe("on an organizer's terminal", () => {
  /** Runs `npm run admin -- …` in its own process. */
  const admin = (...args: string[]) =>
    promisify(execFile)(process.execPath, [ADMIN_FILE, ...args], {
      cwd: PROJECT_DIR,
      env: {
        ...process.env,
        DATABASE_URL: rig.databaseUrl,
        SECRET_KEY: Buffer.alloc(32).toString('base64'),
      },
    })
  afterEach(() => vi.restoreAllMocks())

  it('a report and an error only show their control characters', {
    tags: ['full'],
  }, async () => {
    const { token } = await signUp(rig)
    const body = { id: randomUUID(), reason: 'other', details: OBEYED }
    await rig.call('POST', '/api/questions/2001/reports', { token, body })
    const reports = await admin('questions', 'reports')
    expect(reports.stdout).toContain(`  “${SHOWN}”\n`)
    const refused = await admin('questions', 'resolve', OBEYED).catch((error) => error)
    expect(refused.stderr).toContain('There is no report')
    expect(refused.stderr).toContain('\\x1b]0;owned')
    for (const { stdout, stderr } of [reports, refused]) {
      expect(stdout + stderr).not.toMatch(CONTROLS)
    }
  })

  it('an export shows control characters too, and is unchanged in a file or a pipe', async () => {
    const { stdout } = process
    const written: unknown[] = []
    vi.spyOn(stdout, 'write').mockImplementation((chunk) => written.push(chunk) > 0)
    const terminal = { isTTY: stdout.isTTY, write: stdout.write }
    guardStream(stdout)
    try {
      for (const isTTY of [true, false]) {
        stdout.isTTY = isTTY
        await withOutput(undefined, (write) => write(OBEYED))
      }
    } finally {
      Object.assign(stdout, terminal)
    }
    expect(written.map(String)).toEqual([showControls(OBEYED), OBEYED])
    expect(showControls(OBEYED)).not.toMatch(CONTROLS)
  })

  it('every control character except line break and tab is shown, and other text is unchanged', () => {
    const all = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code))
    const changed = all.filter((character) => showControls(character) !== character)
    const range = (from: number, to: number) => all.slice(from, to + 1)
    expect(changed).toEqual([
      ...range(0, 8),
      ...range(11, 31),
      ...range(127, 159),
      ...range(0x202a, 0x202e),
      ...range(0x2066, 0x2069),
    ])
    expect(changed.map(showControls).join('')).toMatch(/^(\\x[0-9a-f]{2}|\\u[0-9a-f]{4})+$/)
    expect(showControls('Zoë 漢字 🙂 =1+1 \\x1b')).toBe('Zoë 漢字 🙂 =1+1 \\x1b')
  })
})
