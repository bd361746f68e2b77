import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  DAY,
  makeAssessment,
  makeCandidate,
  PASSWORD,
  startedSeat,
} from '../../tests/rig/assessment-rig.ts'
import {
  auditOf,
  organiserOf,
  passwordKeeper,
  problemsOf,
  refusalOf,
} from '../../tests/rig/organiser-rig.ts'
import { signUp, useRig } from '../../tests/rig/rig.ts'
import { importRoster, resetCandidate, revokeCandidate } from './roster.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const importCsv = (code: string, csv: string, deliver = passwordKeeper().deliver) =>
  importRoster(organiserOf(rig), code, csv, { secretKey: rig.dependencies.secretKey, deliver })

const candidatesOf = async (code: string) =>
  (
    await rig.db.execute<{ username: string; extra_seconds: number }>(sql`
      select username, extra_seconds from candidates where assessment = ${code} order by username`)
  ).rows

const verify = async (code: string, username: string, password: string) => {
  const { token } = await signUp(rig)
  return rig.call('POST', `/api/assessments/${code}/verify`, {
    token,
    body: { username, password },
  })
}

describe('importing a candidate list', () => {
  it('adds candidates with working passwords, and only those', async () => {
    const { code } = await makeAssessment(rig)
    const { issued, deliver } = passwordKeeper()
    const csv = '\ufeffUsername,Extra Minutes\r\nAna Sílva,\r\nben, 7.5\r\n,\r\n\r\n'
    expect(await importCsv(code, csv, deliver)).toEqual({ added: 2, withExtraTime: 1 })
    expect(await candidatesOf(code)).toEqual([
      { username: 'Ana Sílva', extra_seconds: 0 },
      { username: 'ben', extra_seconds: 450 },
    ])
    expect(issued.map(({ username }) => username)).toEqual(['Ana Sílva', 'ben'])
    expect(new Set(issued.map(({ password }) => password)).size).toBe(2)
    for (const { username, password } of issued) {
      expect(password).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{5}$/)
      expect((await verify(code, username, password)).status).toBe(200)
    }
    expect((await verify(code, 'ben', issued[0]?.password ?? '')).status).toBe(401)
    const audit = JSON.stringify(await auditOf(rig, code))
    expect(audit).toContain('"added":2')
    for (const { password } of issued) expect(audit).not.toContain(password)
  })

  it('treats composed and decomposed names as one', async () => {
    const { code } = await makeAssessment(rig)
    const { issued, deliver } = passwordKeeper()
    await importCsv(code, 'username\nJose\u0301\n', deliver)
    expect((await verify(code, 'jos\u00e9', issued[0]?.password ?? '')).status).toBe(200)
  })

  it('reads an escaped formula as text', async () => {
    const { code } = await makeAssessment(rig)
    await importCsv(code, "username\n'+351912345678\n")
    expect(await candidatesOf(code)).toEqual([{ username: '+351912345678', extra_seconds: 0 }])
  })

  it('with duplicates, blank or existing names adds no candidate and lists every line', async () => {
    const { code } = await makeAssessment(rig)
    await makeCandidate(rig, code, 'Exists')
    const csv = [
      'username,extra_minutes',
      'ana,',
      'exists,5',
      ',10',
      'ANA,',
      '   ,',
      '',
      'ben,-3',
      'carla,lots',
      `${'x'.repeat(201)},`,
      'dan,1,2',
      '"e\nve",',
    ].join('\n')
    const before = await candidatesOf(code)
    const { issued, deliver } = passwordKeeper()
    expect(await problemsOf(() => importCsv(code, csv, deliver))).toEqual([
      `line 3: Exists is on the roster of ${code} already`,
      'line 4: The name is missing.',
      'line 5: This stands on line 2 too.',
      'line 6: The name is missing.',
      'line 7: The name is missing.',
      expect.stringMatching(/^line 8: ‘-3’ is no number of minutes/),
      expect.stringMatching(/^line 9: ‘lots’ is no number of minutes/),
      'line 10: This is longer than 200 characters.',
      'line 11: has 3 cells, the header has 2',
      'line 12: This holds an invisible character.',
    ])
    expect(await candidatesOf(code)).toEqual(before)
    expect(issued).toEqual([])
    expect(await auditOf(rig, code)).toEqual([])
  })

  it.each([
    ['an empty file', '', /'username' is missing/],
    ['a header alone', 'username\n\n', /nothing below the header/],
    ['a column that would be lost', 'username,extra time\nana,10', /'extra time' is no column/],
    ['a column twice', 'username,Username\nana,ana', /stands twice/],
  ])('refuses %s', async (_, csv, message) => {
    const { code } = await makeAssessment(rig)
    expect((await problemsOf(() => importCsv(code, csv))).join('\n')).toMatch(message)
  })

  it('adds no candidate when the passwords cannot be stored', async () => {
    const { code } = await makeAssessment(rig)
    const failing = () => Promise.reject(new Error('disk full'))
    await expect(importCsv(code, 'username\nana', failing)).rejects.toThrow('disk full')
    expect(await candidatesOf(code)).toEqual([])
  })
})

describe('a single candidate', () => {
  it('gets a new password at a reset; the old one and its tokens end, the answers stay', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }])
    const { password } = await resetCandidate(organiserOf(rig), code, candidate.username, {
      secretKey: rig.dependencies.secretKey,
    })
    expect((await seat.status()).body).toEqual({
      code: 'bad_candidate_token',
      reason: 'password_changed',
      message:
        'The society has given you a new password. Please go back to the recruitment page and sign in with it.',
    })
    // Only who held the token hears so.
    const stranger = await signUp(rig)
    const headers = { 'X-Candidate-Token': seat.candidateToken, 'X-Window-Id': seat.windowId }
    for (const route of [code, (await makeAssessment(rig)).code]) {
      const token = route === code ? stranger.token : seat.token
      const answer = await rig.call('GET', `/api/assessments/${route}/attempt`, { token, headers })
      expect(answer.body).toEqual({
        code: 'bad_candidate_token',
        message: 'Please login through the recruitment page first.',
      })
    }
    expect((await verify(code, candidate.username, PASSWORD)).status).toBe(401)
    const again = await verify(code, candidate.username, password)
    expect(again.body.status).toBe('in_progress')
    const audit = JSON.stringify(await auditOf(rig, code))
    expect(audit).toContain('"reset"')
    expect(audit).not.toContain(password)
    // A new password would not help who is revoked now.
    await revokeCandidate(organiserOf(rig), code, candidate.username)
    expect((await seat.status()).body.reason).toBeUndefined()
  })

  it('is out at once when revoked, and a reset admits them again', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    const organiser = organiserOf(rig)
    expect(await revokeCandidate(organiser, code, candidate.username.toUpperCase())).toEqual({
      username: candidate.username,
      isRunning: true,
    })
    expect((await seat.status()).body.code).toBe('bad_candidate_token')
    expect((await seat.status()).body.reason).toBeUndefined()
    expect((await verify(code, candidate.username, PASSWORD)).status).toBe(401)
    expect(await refusalOf(() => revokeCandidate(organiser, code, candidate.username))).toMatch(
      /revoked already/,
    )
    const { secretKey } = rig.dependencies
    const reset = await resetCandidate(organiser, code, candidate.username, { secretKey })
    expect(reset.wasRevoked).toBe(true)
    expect((await verify(code, candidate.username, reset.password)).status).toBe(200)
  })

  it('that does not exist is named in the refusal', async () => {
    const { code } = await makeAssessment(rig)
    expect(await refusalOf(() => revokeCandidate(organiserOf(rig), code, 'nobody'))).toBe(
      `There is no candidate nobody in ${code}.`,
    )
  })
})
