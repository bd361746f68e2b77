import { randomBytes, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { browserOf } from '../../assessments/rehearsal.ts'
import {
  DAY,
  freshPulse,
  makeAssessment,
  makeCandidate,
  moveClock,
  takeSeat,
} from '../rig/assessment-rig.ts'
import { watchLog } from '../rig/auth-rig.ts'
import { deviceChecksOf, rehearse, tokenOfLink, WELL } from '../rig/rehearsal-rig.ts'
import { signUp, useRig } from '../rig/rig.ts'

// What an attacker can't do to a rehearsal, with or without its link.
const rig = useRig({ rateLimits: true })
watchLog(rig)
beforeEach(async () => {
  rig.clock.now = DAY
  await freshPulse(rig)
  await rig.db.$client.query('delete from rate_limits')
  await rig.db.$client.query('delete from device_checks')
})

const open = (token: string, body: object) => rig.call('POST', '/api/rehearsals', { token, body })

describe('a rehearsal link', () => {
  it('cannot be guessed and never reveals who is on a list', async () => {
    const closesAt = new Date(DAY.getTime() + 3_600_000)
    const { code } = await makeAssessment(rig, { closesAt })
    const [listed, revoked] = [
      await makeCandidate(rig, code),
      await makeCandidate(rig, code, undefined, { revokedAt: DAY }),
    ]
    const real = tokenOfLink(rig, listed.id)
    const draft = await makeAssessment(rig)
    await rig.db.$client.query('update assessments set is_draft = true where code = $1', [
      draft.code,
    ])
    const flipped = Buffer.from(real, 'base64url')
    flipped[31] = (flipped[31] as number) ^ 1
    const { token } = await signUp(rig)
    const bodies = [
      { token: randomBytes(32).toString('base64url') },
      { token: flipped.toString('base64url') },
      // The id of one candidate with the proof of another.
      {
        token: Buffer.concat([
          Buffer.from(revoked.id.replaceAll('-', ''), 'hex'),
          Buffer.from(real, 'base64url').subarray(16),
        ]).toString('base64url'),
      },
      // The same bytes with different padding bits at the end.
      { token: `${real.slice(0, -1)}${real.endsWith('B') ? 'A' : 'B'}` },
      { token: tokenOfLink(rig, revoked.id) },
      { token: tokenOfLink(rig, randomUUID()) },
      { assessment: 'NO_SUCH_TEST' },
      { assessment: draft.code },
      {},
    ]
    const answers = []
    for (const body of bodies) answers.push(await open(token, body))
    expect(
      new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size,
    ).toBe(1)
    expect(answers[0]).toMatchObject({ status: 404, body: { code: 'no_rehearsal' } })
    expect((await open(token, { token: real })).status).toBe(200)
  })

  it('does not work after the test has closed', async () => {
    const closesAt = new Date(DAY.getTime() + 3_600_000)
    const { code } = await makeAssessment(rig, { closesAt })
    const candidate = await makeCandidate(rig, code)
    const { token } = await signUp(rig)
    rig.clock.now = closesAt
    for (const link of [{ token: tokenOfLink(rig, candidate.id) }, { assessment: code }]) {
      expect((await open(token, link)).body.code).toBe('no_rehearsal')
    }
  })

  it('is not a credential for the test, and neither are the tokens it returns', async () => {
    const { code } = await makeAssessment(rig)
    const candidate = await makeCandidate(rig, code)
    const one = await rehearse(rig, { token: tokenOfLink(rig, candidate.id) })
    const { username, password } = one.opened
    for (const body of [
      { username, password },
      { username: candidate.username, password },
      { username: candidate.username, password: tokenOfLink(rig, candidate.id) },
    ]) {
      const answer = await rig.call('POST', `/api/assessments/${code}/verify`, {
        token: one.token,
        body,
      })
      expect(answer.body.code).toBe('invalid_credentials')
    }
    const started = await one.call('POST', `/api/assessments/${code}/attempt`, { windowId: 'w' })
    expect(started.body.code).toBe('bad_candidate_token')
  })

  it('opened 20 times a day by one guest leaves one rehearsal', async () => {
    const { code } = await makeAssessment(rig)
    const { token, userId } = await signUp(rig)
    const statuses: number[] = []
    for (let n = 0; n < 25; n += 1) statuses.push((await open(token, { assessment: code })).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    const refused = await open(token, { assessment: code })
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many' } })
    expect(refused.body.message).toMatch(/^You have rehearsed many times today\. You can do more/)
    const { rows } = await rig.db.$client.query(
      'select count(*)::int as count from rehearsals where user_id = $1',
      [userId],
    )
    expect(rows[0].count).toBe(1)
  })

  it('leaves one rehearsal also after simultaneous calls', async () => {
    const { code } = await makeAssessment(rig)
    const { token, userId } = await signUp(rig)
    await Promise.all(Array.from({ length: 9 }, () => open(token, { assessment: code })))
    const { rows } = await rig.db.$client.query(
      'select count(*)::int as count from rehearsals where user_id = $1',
      [userId],
    )
    expect(rows[0].count).toBe(1)
  })
})

it('ten thousand strangers with the link that everyone has leave rehearsals for candidates', async () => {
  const { code } = await makeAssessment(rig)
  const candidate = await makeCandidate(rig, code)
  const { token, userId } = await signUp(rig)
  expect((await open(token, { assessment: code })).status).toBe(200)
  await rig.sql(
    `with many as (
       insert into candidates (id, assessment, username, password_hash, is_demo, created_at)
       select gen_random_uuid(), c.assessment, 'stranger-' || n, '\\x00', true, c.created_at
       from rehearsals r join candidates c on c.id = r.candidate_id, generate_series(1, 10000) n
       where r.user_id = $1 returning id, created_at
     )
     insert into rehearsals (candidate_id, user_id, opened_at) select id, $1, created_at from many`,
    userId,
  )
  const { token: listed } = await signUp(rig)
  const refused = await open(listed, { assessment: code })
  expect(refused.body.code).toBe('too_many_rehearsals')
  expect((await open(listed, { token: tokenOfLink(rig, candidate.id) })).status).toBe(200)
})

describe('a device check', () => {
  it('reads a header of fifteen thousand digits as fast as any', () => {
    const began = performance.now()
    for (let n = 0; n < 10; n += 1) browserOf(`Version/${'1'.repeat(15_000)}`)
    expect(performance.now() - began).toBeLessThan(1_000)
  })

  it('is accepted only from the person who rehearsed with that link', async () => {
    const { code } = await makeAssessment(rig)
    const [ana, rui] = [await makeCandidate(rig, code), await makeCandidate(rig, code)]
    const [mine, theirs] = [
      await rehearse(rig, { token: tokenOfLink(rig, ana.id) }),
      await rehearse(rig, { token: tokenOfLink(rig, rui.id) }),
    ]
    await mine.finish()
    await theirs.finish()
    const stranger = await signUp(rig)
    const route = `/api/rehearsals/${mine.code}/check`
    // Another person's session, no candidate token, an invented one, another assessment's name.
    for (const call of [
      rig.call('POST', route, { token: stranger.token, body: WELL }),
      rig.call('POST', route, {
        token: stranger.token,
        body: WELL,
        headers: { 'X-Candidate-Token': 'made-up' },
      }),
      rig.call('POST', route, { token: mine.token, body: WELL }),
      mine.call('POST', `/api/rehearsals/${code}/check`, WELL),
    ]) {
      expect((await call).body.code).toBe('bad_candidate_token')
    }
    expect(await deviceChecksOf(rig)).toEqual([])
    await mine.check()
    expect((await deviceChecksOf(rig)).map(({ candidate }) => candidate)).toEqual([ana.id])
  })

  it('is not stored for a real attempt', async () => {
    const { code } = await makeAssessment(rig)
    const { username } = await makeCandidate(rig, code)
    const seat = await takeSeat(rig, code, username)
    await seat.start()
    const check = () =>
      rig.call('POST', `/api/rehearsals/${code}/check`, {
        token: seat.token,
        body: WELL,
        headers: { 'X-Candidate-Token': seat.candidateToken },
      })
    expect((await check()).body.code).toBe('not_finished')
    await moveClock(rig, 1_300_000)
    expect((await check()).body.isKept).toBe(false)
    expect(await deviceChecksOf(rig)).toEqual([])
  })

  it.each([
    ['a text for a number', { clockOffsetMs: '1' }],
    ['no number', { roundTripMs: null }],
    ['a number that no column can store', { roundTripMs: 1e15 }],
    ['a fraction', { screenWidth: 1.5 }],
    ['findings of its own', { findings: [] }],
    ['another candidate', { candidateId: randomUUID() }],
  ])('with %s answers 400', async (_, change) => {
    const { code } = await makeAssessment(rig)
    const one = await rehearse(rig, { assessment: code })
    await one.finish()
    expect((await one.check({ ...WELL, ...change })).status).toBe(400)
  })
})
