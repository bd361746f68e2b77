import { describe, expect, it } from 'vitest'
import { additionOf, crowd, listed, listOf, organizing } from '../../../tests/rig/acts-rig.ts'
import { DAY, makeCandidate, moveClock, takeSeat } from '../../../tests/rig/assessment-rig.ts'
import { auditOf } from '../../../tests/rig/organizer-rig.ts'
import { xlsxOf } from '../../../tests/rig/questions/question-files-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { callerOf, proveAgain } from '../../../tests/rig/society-rig.ts'
import type { CandidateFacts } from '../contract.ts'

const rig = useRig()

type Call = Awaited<ReturnType<typeof organizing>>['call']
const only = async (call: Call) => (await listOf(call))[0] as CandidateFacts
/** The fields of a candidate that the page sends back. */
const fieldsOf = (one: CandidateFacts) => {
  const { version, name, email, room, note, extraSeconds, exemptKinds, starts } = one
  const other = starts && { from: starts.from, until: starts.until }
  return { version, name, email, room, note, extraSeconds, exemptKinds, starts: other }
}
/** Adds a candidate who has started. */
async function started({ code, opensAt }: Awaited<ReturnType<typeof organizing>>) {
  const candidate = await makeCandidate(rig, code, 'started')
  await moveClock(rig, opensAt)
  const seat = await takeSeat(rig, code, candidate.username)
  await seat.start()
  return { ...candidate, seat }
}

describe('adding candidates', () => {
  it('stores everything from their lines, without passwords, and none when one line is wrong', async () => {
    const { call, code } = await organizing(rig)
    const wrong = additionOf([{ name: 'Ana' }, { name: 'Ben', email: 'b' }])
    const refused = await call('POST', '', wrong)
    expect([refused.status, refused.body.code]).toEqual([409, 'lines_wrong'])
    expect(refused.body.message).toContain('Line 2: This address has no @.')
    expect(await listOf(call)).toEqual([])
    const jose = { name: 'Jose\u0301 Peña', email: 'Jose@Student.example', room: '1.04' }
    const body = additionOf([
      { ...jose, extra: '7,5', exempt: 'paste' },
      { name: 'Ana Silva', username: 'ana', note: 'agreed' },
    ])
    const answer = await call('POST', '', body)
    expect(answer).toMatchObject({ status: 201, body: { added: 2, unchanged: 0, mailed: 0 } })
    expect(await listOf(call)).toMatchObject([
      { username: 'ana', name: 'Ana Silva', email: null, note: 'agreed', mail: null },
      {
        username: 'jose.pena',
        name: 'Jos\u00e9 Peña',
        email: 'jose@student.example',
        room: '1.04',
        extraSeconds: 450,
        exemptKinds: ['paste'],
        passwordMadeAt: null,
        attempt: 'none',
      },
    ])
    expect(await auditOf(rig, code)).toMatchObject([{ action: 'add-candidates' }])
  })

  it('accepts at most 2,000 in one request', async () => {
    const { call } = await organizing(rig)
    expect((await call('POST', '', additionOf(crowd(2_000)))).body.added).toBe(2_000)
    expect((await call('POST', '', additionOf(crowd(2_001)))).body.code).toBe('bad_request')
    expect(await listOf(call)).toHaveLength(2_000)
  })

  it('reads a spreadsheet as if it were copied from the program', async () => {
    const { call } = await organizing(rig)
    const file = xlsxOf([
      ['Name', 'E-mail', 'Room'],
      ['Ana "A" Silva', 'a@x.pt', 1.04],
      ['Ben', { formula: 'A1&"x"', value: 'b@x.pt' }, null],
    ])
    const answer = await call('POST', '/read-sheet', { file: Buffer.from(file).toString('base64') })
    expect(answer.body).toEqual({
      text: 'Name\tE-mail\tRoom\n"Ana ""A"" Silva"\ta@x.pt\t1.04\nBen\tb@x.pt',
      notes: [expect.stringMatching(/^1 cell may look different/)],
    })
    const pdf = await call('POST', '/read-sheet', { file: Buffer.from('%PDF').toString('base64') })
    expect(pdf).toMatchObject({ status: 422, body: { code: 'question_file', problem: 'pdf' } })
  })

  it('ends the role of an organizer whose address is added', async () => {
    const { call, society, code } = await organizing(rig)
    const both = await callerOf(rig, society.id, 'author')
    const read = () => both('GET', `/assessments/${code}`)
    expect((await read()).status).toBe(200)
    await call('POST', '', additionOf([{ name: 'Both', email: both.email?.toUpperCase() }]))
    expect(await read()).toMatchObject({ status: 403, body: { code: 'is_candidate' } })
  })
})

describe('changing a candidate', () => {
  it('changes only what was sent; a stale form changes nothing and names the other editor', async () => {
    const { call, code } = await listed(rig, 1)
    const one = await only(call)
    const changed = await call('PUT', `/by-id/${one.id}`, {
      ...fieldsOf(one),
      ...{ room: '2.11', extraSeconds: 480, exemptKinds: ['paste'], note: 'Agreed.' },
    })
    expect(changed.body).toMatchObject({ room: '2.11', extraSeconds: 480, version: 2 })
    const stale = await call('PUT', `/by-id/${one.id}`, { ...fieldsOf(one), room: '1' })
    expect(stale).toMatchObject({
      status: 409,
      body: { code: 'stale', by: changed.body.changedBy, at: rig.clock.now.toISOString() },
    })
    expect((await only(call)).room).toBe('2.11')
    // A note may contain health information, so it stays out of the log.
    expect(JSON.stringify(await auditOf(rig, code))).not.toContain('Agreed')
  })

  it('rejects an invalid or taken address, and more time after the start', async () => {
    const made = await listed(rig, 2)
    const { call } = made
    const [first, second] = (await listOf(call)) as [CandidateFacts, CandidateFacts]
    const put = (one: CandidateFacts, more: object) =>
      call('PUT', `/by-id/${one.id}`, { ...fieldsOf(one), ...more })
    expect((await put(first, { email: 'no' })).body.code).toBe('bad_address')
    expect((await put(first, { email: second.email })).body.code).toBe('address_taken')
    expect((await put(first, { exemptKinds: ['ready'] })).body.code).toBe('nothing_to_exempt')
    const { id } = await started(made)
    const inside = (await listOf(call)).find((one) => one.id === id) as CandidateFacts
    expect(inside.attempt).toBe('inside')
    await proveAgain(rig)
    expect((await put(inside, { extraSeconds: 60 })).body.code).toBe('has_started')
    expect((await put(inside, { room: '1' })).status).toBe(200)
  })

  it('exempts earlier and later events from counting, until the exemption is taken back', async () => {
    const made = await organizing(rig)
    const { seat } = await started(made)
    await proveAgain(rig)
    const violationsAfter = async (...exemptKinds: string[]) => {
      const one = await only(made.call)
      await made.call('PUT', `/by-id/${one.id}`, { ...fieldsOf(one), exemptKinds })
      return (await seat.status()).body.violations
    }
    await seat.report({ id: 1, kind: 'paste', at: 0 })
    await moveClock(rig, 10_000)
    expect(await violationsAfter('paste', 'shortcut')).toBe(0)
    expect((await seat.report({ id: 2, kind: 'paste', at: 9_000 })).body.violations).toBe(0)
    expect((await seat.report({ id: 3, kind: 'copy', at: 9_500 })).body.violations).toBe(1)
    expect(await violationsAfter()).toBe(2)
  })

  it('sets a room for many candidates and keeps one spelling of it', async () => {
    const { call, candidates: all } = await listed(rig, 3)
    const roomsOf = async () => (await listOf(call)).map(({ room }) => room)
    const set = await call('POST', '/change', { candidates: all, room: 'Room  A ' })
    expect(set.body).toEqual({ changed: 3 })
    expect(await roomsOf()).toEqual(['Room A', 'Room A', 'Room A'])
    const one = await only(call)
    const put = await call('PUT', `/by-id/${one.id}`, { ...fieldsOf(one), room: 'room a' })
    expect(put.body.room).toBe('Room A')
    await call('POST', '/change', { candidates: all.slice(1, 2), room: 'ROOM A' })
    expect(await roomsOf()).toEqual(['Room A', 'Room A', 'Room A'])
    // Changing all candidates of a room can change its spelling.
    await call('POST', '/change', { candidates: all, room: 'room a' })
    expect(await roomsOf()).toEqual(['room a', 'room a', 'room a'])
  })
})

it('a candidate can start at another time, until they have started, and the mail and the list say when', async () => {
  const made = await listed(rig, 1)
  const { call, code } = made
  const one = await only(call)
  const put = (starts: unknown, of = one) =>
    call('PUT', `/by-id/${one.id}`, { ...fieldsOf(of), starts })
  const minutes = (count: number) => new Date(DAY.getTime() + count * 60_000)
  // In March, Lisbon's time equals UTC.
  const localOf = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ')
  const other = { from: localOf(minutes(90)), until: localOf(minutes(100)) }
  const codeOf = async (from: string, until: string) => (await put({ from, until })).body.code
  expect(await codeOf(localOf(minutes(-9)), localOf(minutes(-1)))).toBe('start_is_past')
  expect(await codeOf(other.until, other.from)).toBe('closes_before_opens')
  expect(await codeOf('2027-02-30 14:00', '2027-03-03 14:00')).toBe('bad_time')
  const moments = { fromAt: minutes(90).toISOString(), untilAt: minutes(100).toISOString() }
  expect((await put(other)).body.starts).toEqual({ ...other, ...moments })
  const detail = { username: one.username, starts: [null, `${other.from} to ${other.until}`] }
  expect(await auditOf(rig, code)).toContainEqual(
    expect.objectContaining({ action: 'change-candidate', detail }),
  )
  const { csv } = (await call('POST', '/csv', { candidates: [one.id] })).body
  expect(csv).toContain(other.from)
  // The test's window has closed, but the candidate's own window is still ahead.
  await moveClock(rig, minutes(89))
  const later = await made.member('owner')
  const { slips } = (await later('POST', '/slips', { candidates: [one.id] })).body
  expect(slips[0].startsFrom).toBe(moments.fromAt)
  expect((await only(later)).isToldOtherwise).toBe(false)
  const seat = await takeSeat(rig, code, one.username, undefined, slips[0].password)
  const window = { opensAt: moments.fromAt, closesAt: moments.untilAt }
  expect((await seat.status()).body.window).toEqual(window)
  await moveClock(rig, minutes(95))
  expect((await seat.start()).status).toBe(200)
  const again = await made.member('owner')
  const started = await only(again)
  const after = await again('PUT', `/by-id/${one.id}`, { ...fieldsOf(started), starts: null })
  expect(after.body.code).toBe('has_started')
})

it('removing candidates deletes those who have not started, and locks out the others, after re-authentication', async () => {
  const made = await listed(rig, 2)
  const { call } = made
  const { id, seat } = await started(made)
  const candidates = (await listOf(call)).map((one) => one.id)
  expect((await call('POST', '/remove', { candidates })).body.code).toBe('fresh_proof_required')
  expect(await listOf(call)).toHaveLength(3)
  await proveAgain(rig)
  const removed = await call('POST', '/remove', { candidates })
  expect(removed.body).toEqual({ removed: 2, shutOut: 1 })
  expect(await listOf(call)).toMatchObject([{ id, isRevoked: true, attempt: 'inside' }])
  expect((await seat.status()).status).toBe(403)
})

it('credential sheets show working passwords only once, and void the earlier ones', async () => {
  const { call, code, opensAt } = await organizing(rig)
  const before = await makeCandidate(rig, code, 'before')
  await call('POST', '', additionOf(crowd(1)))
  const seat = await takeSeat(rig, code, before.username)
  const candidates = (await listOf(call)).map((one) => one.id)
  const { slips } = (await call('POST', '/slips', { candidates })).body
  expect(slips).toHaveLength(2)
  await moveClock(rig, opensAt)
  expect((await seat.start()).body).toMatchObject({ reason: 'password_changed' })
  const { token } = await signUp(rig)
  for (const { username, password } of slips) {
    const verified = await rig.call('POST', `/api/assessments/${code}/verify`, {
      token,
      body: { username, password },
    })
    expect(verified.status).toBe(200)
    expect(JSON.stringify([await auditOf(rig, code), await listOf(call)])).not.toContain(password)
  }
})

it('the candidate list as CSV contains no active formula and keeps the shown order', async () => {
  const { call } = await organizing(rig)
  const ben = { name: 'Ben', room: '+1' }
  await call('POST', '', additionOf([{ name: '=1+1', email: 'a@x.pt' }, ben]))
  const ids = (await listOf(call)).map((one) => one.id).reverse()
  const { csv } = (await call('POST', '/csv', { candidates: ids })).body
  expect(csv.split('\n').slice(1, 3)).toEqual([
    "Ben,ben,,'+1,0,,,not sent,not tried,,",
    "'=1+1,1.1,a@x.pt,,0,,,not sent,not tried,,",
  ])
})

describe("an invigilator's access to candidates", () => {
  it('allows reading the list and resetting one password at a time', async () => {
    const { member, candidates } = await listed(rig, 2)
    const helper = await member('invigilator')
    expect(await listOf(helper)).toHaveLength(2)
    const first = await only(helper)
    expect((await helper('POST', '/slips', { candidates })).body.code).toBe('one_at_a_time')
    expect((await helper('POST', '/send', { candidates })).body.code).toBe('one_at_a_time')
    expect((await helper('POST', '/slips', { candidates: [first.id] })).body.slips).toHaveLength(1)
  })

  it('can’t create a password for a finished candidate, which would open the result', async () => {
    const { member, call, code } = await listed(rig, 1)
    const helper = await member('invigilator')
    const { id } = await only(helper)
    await rig.sql`insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, window_id,
        is_demo, submitted_at, submit_reason)
      values (gen_random_uuid(), ${code}, ${id}, '{}', ${DAY}, ${new Date(DAY.getTime() + 60_000)}, '', false, ${DAY}, 'candidate')`
    const print = (by: typeof call) => by('POST', '/slips', { candidates: [id] })
    expect(await print(helper)).toMatchObject({ status: 403, body: { code: 'shut_out' } })
    expect((await print(call)).body.slips).toHaveLength(1)
  })

  it('from another society reaches no candidate by any id', async () => {
    const ours = await listed(rig, 1)
    const { candidates } = ours
    const [id] = candidates
    const theirs = await organizing(rig)
    expect((await theirs.call('GET', `/by-id/${id}`)).status).toBe(404)
    expect((await theirs.call('POST', '/slips', { candidates })).body.slips).toEqual([])
    expect((await theirs.call('POST', '/remove', { candidates })).body.removed).toBe(0)
    const changed = await theirs.call('POST', '/change', { candidates, room: 'x' })
    expect(changed.body.changed).toBe(0)
    expect(await listOf(ours.call)).toMatchObject([{ id, room: null, passwordMadeAt: null }])
  })
})
