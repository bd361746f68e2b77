// Long because the people of one alarm, and what is decided about them, stand in every test.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { changeTimeOf } from '../../../tests/rig/acts-rig.ts'
import {
  DAY,
  freshPulse,
  makeAssessment,
  makeCandidate,
  moveClock,
  type Seat,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import { auditOf, organiserOf } from '../../../tests/rig/organiser-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeMember, makeSociety, proveAgain } from '../../../tests/rig/society-rig.ts'
import type { Role } from '../../kit/roles.ts'
import { takeStrikesBack } from './strikes.ts'
import { countUndecided } from './undecided.ts'

const rig = useRig()
beforeEach(async () => {
  rig.clock.now = DAY
  await freshPulse(rig)
})

interface Shown {
  name: string
  kind: string
  state: string
  company: { away: number; of: number } | null
  verdicts: {
    id: string
    by: string
    withdrawnAt: string | null
    withdrawnBy: string | null
  }[]
}

/** An assessment of a society with members, and people in it who sit where they are told. */
async function room() {
  const society = (await makeSociety(rig)).id
  const closesAt = new Date(DAY.getTime() + 60_000)
  const { code, items } = await makeAssessment(rig, { societyId: society, closesAt })
  const sit = async (inRoom: string | null, username?: string, name?: string) => {
    const candidate = await makeCandidate(rig, code, username, { room: inRoom, name: name ?? null })
    const seat = await takeSeat(rig, code, candidate.username)
    await seat.start()
    await seat.report({ id: 1, kind: 'ready', at: 0 })
    return { seat, ...candidate }
  }
  const member = async (role: Role, inRoom?: string) => {
    const email = `${role}${randomUUID().slice(0, 8)}@example.com`
    const account = await signUp(rig, email)
    const id = await makeMember(rig, society, account.userId, role)
    if (inRoom) {
      await rig.db.$client.query('update memberships set room = $2 where id = $1', [id, inRoom])
    }
    const base = `/api/societies/${society}/assessments/${code}/incidents`
    const call = (method: string, path: string, body?: unknown) =>
      rig.call(method, `${base}${path}`, {
        token: account.token,
        ...(body === undefined ? {} : { body }),
      })
    const decide = (
      incidents: { id?: string; candidate: string; incident: string; known?: string | null }[],
      given: { verdict?: string; reason?: string } = {},
    ) =>
      call('POST', '/verdicts', {
        incidents: incidents.map((one) => ({ id: randomUUID(), known: null, ...one })),
        ...{ verdict: 'cleared', reason: 'A reason.', ...given },
      })
    const verdict = (
      candidate: string,
      {
        verdict: word = 'cleared',
        reason = 'A reason.',
        ...of
      }: {
        id?: string
        incident: string
        known?: string | null
        verdict?: string
        reason?: string
      },
    ) => decide([{ candidate, ...of }], { verdict: word, reason })
    const file = (candidate: string, query = '') =>
      call('GET', `/by-candidate/${candidate}${query}`)
    const name = email.split('@')[0] as string
    return { ...account, email, name, call, decide, verdict, file }
  }
  return { society, code, items, sit, member }
}

/** Away for so long from so long after the start, each event with the next numbers. */
const leave = (seat: Seat, id: number, at: number, forMs: number) =>
  seat.report(
    { id, kind: 'page_hidden', at },
    { id: id + 1, kind: 'page_visible', at: at + forMs, detail: { awayMs: forMs } },
  )

/** Three people of one room leave for an alarm, and one of another room later; a fifth stays. */
async function alarm() {
  const place = await room()
  const people = []
  for (let index = 0; index < 4; index += 1) people.push(await place.sit('2.11'))
  const other = await place.sit('1.04', 'b.sato', 'Berta Sato (invented)')
  await moveClock(rig, 400_000)
  for (const [index, { seat }] of people.slice(0, 3).entries()) {
    await leave(seat, 2, 100_000 + index * 10_000, 200_000)
  }
  await leave(other.seat, 2, 350_000, 41_000)
  return { ...place, people, other }
}

async function close(code: string) {
  await rig.db.$client.query(
    `update attempts set submitted_at = $2, submit_reason = 'deadline' where assessment = $1`,
    [code, rig.clock.now],
  )
}

describe('incidents', () => {
  it('show how many others of the room were away in the same minute', async () => {
    const { member, people, other } = await alarm()
    const owner = await member('owner')
    const { body } = await owner.call('GET', '')
    const incidentsOf = (id: string): Shown[] =>
      body.candidates.find((one: { id: string }) => one.id === id).incidents
    expect(incidentsOf(people[0]?.id ?? '')).toMatchObject([
      { kind: 'away', state: 'waiting', company: { room: '2.11', away: 2, of: 3 } },
    ])
    expect(incidentsOf(people[3]?.id ?? '')).toEqual([])
    expect(incidentsOf(other.id)).toMatchObject([{ company: { room: '1.04', away: 0, of: 0 } }])
    expect(JSON.stringify(body)).not.toContain('Sato')
  })

  it('can be decided many at once, all or none, and strikes still count', async () => {
    const { member, people, other, code } = await alarm()
    const [owner, ben] = [await member('owner'), await member('reviewer')]
    const inAlarm = people.slice(0, 3)
    const named = await Promise.all(
      inAlarm.map(async ({ id }) => ({
        ...{ id: randomUUID(), candidate: id },
        incident: (await owner.file(id)).body.incidents[0].name as string,
      })),
    )
    const given = { reason: 'Fire alarm.' }
    // One that does not fit, and nothing is written.
    const gone = { candidate: other.id, incident: 'event:1' }
    expect((await owner.decide([...named, gone], given)).status).toBe(404)
    const wrong = { ...(named[0] as (typeof named)[number]), known: randomUUID() }
    const stale = await owner.decide([wrong, ...named.slice(1)], given)
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
    const count = async () =>
      (await inTransaction(rig.db, (client) => countUndecided(client, code))).size
    expect(await count()).toBe(4)
    // The same press twice writes once, and so does the same incident twice in one.
    const both = await Promise.all([
      owner.decide(named, given),
      owner.decide([...named, ...named], given),
    ])
    expect(both.map(({ body }) => body)).toEqual([{ decided: 3 }, { decided: 3 }])
    const rows = await rig.db.$client.query(
      `select verdict, reason from incident_verdicts v join candidates c on c.id = v.candidate_id
       where c.assessment = $1`,
      [code],
    )
    expect(rows.rows).toEqual(Array(3).fill({ verdict: 'cleared', reason: 'Fire alarm.' }))
    expect(await count()).toBe(1)
    const { incidents, attempt } = (await owner.file(people[0]?.id ?? '')).body
    expect(incidents[0].state).toBe('decided')
    expect([attempt.strikesSeen, attempt.strikesStand]).toEqual([1, 1])
    const later = await ben.decide(named.map((one) => ({ ...one, id: randomUUID() })))
    expect([later.status, later.body.by]).toEqual([409, owner.name])
    const log = (await auditOf(rig, code)).filter(({ action }) => action === 'decide-incident')
    expect(
      log.map(({ detail }) => [(detail.candidates as number[]).length, detail.again ?? false]),
    ).toEqual([
      [3, false],
      [3, true],
    ])
    expect(JSON.stringify(log)).not.toMatch(/sato/)
  })

  it('that wait for a talk stay open until another person decides after it', async () => {
    const { member, other, code } = await alarm()
    const [ana, ben] = [await member('owner'), await member('reviewer')]
    const [{ name: incident }] = (await ana.file(other.id)).body.incidents
    const first = randomUUID()
    const asked = await ana.verdict(other.id, { id: first, incident, verdict: 'needs_talk' })
    expect(asked.body).toEqual({ decided: 1 })
    const open = async () =>
      (await inTransaction(rig.db, (db) => countUndecided(db, code))).get(other.id)
    expect(await open()).toBe(1)
    // Who has not seen that a talk was asked for is told.
    expect((await ben.verdict(other.id, { incident })).body.code).toBe('stale')
    const given = { id: randomUUID(), incident, known: first, verdict: 'cleared' }
    expect((await ben.verdict(other.id, given)).body).toEqual({ decided: 1 })
    // The same press again writes nothing more.
    expect((await ben.verdict(other.id, given)).body).toEqual({ decided: 1 })
    expect(await open()).toBeUndefined()
    const shown = (await ana.file(other.id)).body.incidents[0] as Shown
    expect(shown.verdicts.map(({ withdrawnBy }) => withdrawnBy)).toEqual([ben.name, null])
    expect((await ana.verdict(other.id, { incident, known: given.id })).body.code).toBe(
      'already_decided',
    )
  })

  it('are listed and counted on the overview while open, for members who decide', async () => {
    const { society, code, member, people, other } = await alarm()
    const [owner, reviewer] = [await member('owner'), await member('reviewer')]
    const author = await member('author')
    const waiting = async ({ token }: { token: string }) => {
      const base = `/api/societies/${society}`
      const listed = (await rig.call('GET', `${base}/checklists`, { token })).body.assessments
      const overview = await rig.call('GET', `${base}/assessments/${code}/overview`, { token })
      expect(overview.body.waiting).toEqual(listed[0].waiting)
      return listed[0].waiting.map(({ text }: { text: string }) => text)
    }
    expect(await waiting(owner)).toEqual([])
    await close(code)
    await rig.db.$client.query(
      `insert into attempt_comments (attempt_id, text, written_at)
       select id, 'An alarm.', $2 from attempts where candidate_id = $1`,
      [other.id, rig.clock.now],
    )
    const wrote = (await owner.call('GET', '')).body.candidates.filter(
      ({ commentedAt }: { commentedAt: string | null }) => commentedAt !== null,
    )
    expect(wrote).toMatchObject([{ id: other.id, commentedAt: rig.clock.now.toISOString() }])
    await moveClock(rig, 500_000)
    expect(await waiting(owner)).toEqual(['Four incidents wait to be decided.'])
    expect(await waiting(author)).toEqual([])
    const [incident] = (await reviewer.file(other.id)).body.incidents
    await reviewer.verdict(other.id, { incident: incident.name })
    expect(await waiting(reviewer)).toEqual(['Three incidents wait to be decided.'])
    for (const { id } of people.slice(0, 3)) {
      const [one] = (await owner.file(id)).body.incidents
      await owner.verdict(id, { incident: one.name, verdict: 'needs_talk' })
    }
    expect(await waiting(owner)).toEqual(['Three incidents wait for a talk.'])
    await rig.db.$client.query(
      `insert into result_releases (assessment, released_at, released_by, words) values ($1, $2, 'ana', '')`,
      [code, rig.clock.now],
    )
    expect(await waiting(owner)).toEqual([])
  })

  it('are decided again once the decision is taken back, by its author or an owner', async () => {
    const { member, other, code } = await alarm()
    const [ana, ben] = [await member('owner'), await member('reviewer')]
    const [{ name: incident }] = (await ana.file(other.id)).body.incidents
    const first = randomUUID()
    expect((await ana.verdict(other.id, { id: first, incident })).status).toBe(200)
    const stale = await ben.verdict(other.id, { incident })
    expect([stale.status, stale.body.code, stale.body.by]).toEqual([409, 'stale', ana.name])
    // Taken back, the row stays; Ben may not take Ana's back.
    const take = (who: typeof ana, id: string) => who.call('POST', `/verdicts/${id}/withdraw`)
    expect((await take(ben, first)).body.code).toBe('not_yours')
    expect((await take(ana, first)).body).toEqual({ done: true })
    expect((await take(ana, first)).status).toBe(404)
    const after = (await ben.file(other.id)).body.incidents[0] as Shown
    expect([after.state, after.verdicts.length]).toEqual(['waiting', 1])
    const second = randomUUID()
    expect((await ben.verdict(other.id, { id: second, incident })).status).toBe(200)
    expect((await take(ana, second)).status).toBe(200)
    const log = await auditOf(rig, code)
    expect(JSON.stringify(log)).not.toContain('b.sato')
    expect(log.map(({ action }) => action)).toContain('withdraw-verdict')
  })

  it('are decided once when two people decide at the same time', async () => {
    const { member, other } = await alarm()
    const [ana, ben] = [await member('owner'), await member('reviewer')]
    const [{ name: incident }] = (await ana.file(other.id)).body.incidents
    const answers = await Promise.all([
      ana.verdict(other.id, { incident }),
      ben.verdict(other.id, { incident, verdict: 'upheld' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const first = (await ana.file(other.id)).body.incidents[0].verdicts[0].id
    expect((await ben.verdict(other.id, { incident, known: first })).body.code).toBe(
      'already_decided',
    )
    expect((await ana.verdict(other.id, { incident: 'event:1' })).status).toBe(404)
    expect((await ana.verdict(randomUUID(), { incident })).status).toBe(404)
  })

  it('cannot be decided by their reporter, and a room report decides none', async () => {
    const { member, people, other } = await alarm()
    const reviewer = await member('reviewer')
    const owner = await member('owner')
    const report = (body: Record<string, unknown>) =>
      reviewer.call('POST', '/reports', {
        ...{ id: randomUUID(), candidate: null, room: null, note: 'A phone on the table.' },
        ...{ happenedAt: rig.clock.now.toISOString(), ...body },
      })
    const id = randomUUID()
    expect((await report({ id, candidate: other.id })).status).toBe(200)
    expect((await report({ id, candidate: other.id })).status).toBe(200)
    expect((await report({ room: '2.11', note: 'The fire alarm.' })).status).toBe(200)
    expect((await report({ room: '2.11', candidate: other.id })).status).toBe(400)
    const incident = `report:${id}`
    expect((await reviewer.verdict(other.id, { incident })).body.code).toBe('own_report')
    expect((await owner.verdict(other.id, { incident })).status).toBe(200)
    const inRoom = (await owner.file(people[3]?.id ?? '')).body.incidents
    expect(inRoom).toMatchObject([{ kind: 'report', asks: false, report: { of: 'room' } }])
    const refused = await owner.verdict(people[3]?.id ?? '', { incident: inRoom[0].name })
    expect(refused.body.code).toBe('no_verdict_asked')
  })
})

describe("a candidate's page for organizers", () => {
  it('hides name, key and score on the server until revealed, which is logged', async () => {
    const { member, other, code, items } = await alarm()
    await other.seat.save([{ questionId: items[1]?.id ?? 0, choice: 'B', revision: 1 }])
    await moveClock(rig, 120_000)
    await close(code)
    for (const role of ['owner', 'reviewer'] as const) {
      const judge = await member(role)
      const { body } = await judge.file(other.id, '?live=1')
      expect([body.name, body.score]).toEqual([null, null])
      const text = JSON.stringify(body)
      for (const covered of ['Sato', 'b.sato', 'correct', '"keys"', '"points"']) {
        expect([role, covered, text.includes(covered)]).toEqual([role, covered, false])
      }
      expect(body.answers[1]).toMatchObject({ choice: 'B', number: 2 })
      const name = await judge.call('POST', `/by-candidate/${other.id}/name`)
      expect(name.body).toEqual({ username: 'b.sato', name: 'Berta Sato (invented)' })
      const score = await judge.call('POST', `/by-candidate/${other.id}/score`)
      expect(score.body).toMatchObject({ correct: 1, incorrect: 3 })
      expect(score.body.keys[1]).toEqual({ number: 2, keys: ['B'], points: 1 })
    }
    const log = (await auditOf(rig, code)).map(({ action }) => action)
    expect(log).toEqual(['show-name', 'show-score', 'show-name', 'show-score'])
  })

  it('shows key and points after the last decision, and to a reviewer only after the close', async () => {
    const { member, other, code } = await alarm()
    await rig.db.$client.query(
      'update attempts set submitted_at = $2, submit_reason = $3 where candidate_id = $1',
      [other.id, rig.clock.now, 'candidate'],
    )
    const [owner, reviewer] = [await member('owner'), await member('reviewer')]
    const [{ name: incident }] = (await owner.file(other.id)).body.incidents
    await owner.verdict(other.id, { incident })
    expect((await owner.file(other.id)).body.score).toMatchObject({ correct: 0, incorrect: 4 })
    const early = (await reviewer.file(other.id)).body
    expect([early.score, early.answers[0].question]).toEqual([null, null])
    expect((await reviewer.call('POST', `/by-candidate/${other.id}/score`)).body.code).toBe(
      'not_over',
    )
    await close(code)
    const late = (await reviewer.file(other.id)).body
    expect([late.score.incorrect, late.answers[0].question]).toEqual([4, `Stem 1 of ${code}?`])
  })

  it('voids only the strikes of cleared incidents, by number and reason', async () => {
    const { member, people, other, code } = await alarm()
    const reviewer = await member('reviewer')
    const nameOf = async (id: string) => (await reviewer.file(id)).body.incidents[0].name
    const [first, second] = [people[0]?.id ?? '', people[1]?.id ?? '']
    const named = async (candidate: string) => ({ candidate, incident: await nameOf(candidate) })
    const take = async (...incidents: { candidate: string; incident: string }[]) =>
      reviewer.call('POST', '/cleared-strikes', { incidents })
    await reviewer.verdict(first, { incident: await nameOf(first), reason: 'Fire alarm.' })
    await reviewer.verdict(second, { incident: await nameOf(second), verdict: 'upheld' })
    await reviewer.verdict(other.id, { incident: await nameOf(other.id) })
    // One that does not fit, and nothing is done.
    expect(await take(await named(first), await named(second))).toMatchObject({ status: 409 })
    expect((await reviewer.file(first)).body.attempt.strikesStand).toBe(1)
    expect(await take(await named(first), await named(other.id))).toMatchObject({
      status: 200,
      body: { takenBack: 2, mayBeReopened: 0 },
    })
    const { body } = await reviewer.file(first)
    expect(body.incidents[0].strike).toMatchObject({
      standing: 'taken_back',
      reason: 'Fire alarm.',
    })
    expect(body.incidents[0].verdicts).toMatchObject([{ verdict: 'cleared', withdrawnAt: null }])
    expect((await reviewer.file(second)).body.attempt.strikesStand).toBe(1)
    expect(await take(await named(first))).toMatchObject({ status: 409, body: { code: 'stale' } })
    const { rows } = await rig.db.$client.query(
      `select detail from admin_actions where assessment = $1 and action = 'take-strikes-back'`,
      [code],
    )
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toMatch(/sato/)
    expect(rows[0].detail.candidates).toHaveLength(2)
    expect(rows[0].detail.strikes).toBe(2)
  })

  it('restores voided strikes by number with a reason, unless they would end a test', async () => {
    const { member, people, other, code } = await alarm()
    const reviewer = await member('reviewer')
    const nameOf = async (id: string) => (await reviewer.file(id)).body.incidents[0].name
    const named = async (candidate: string) => ({ candidate, incident: await nameOf(candidate) })
    const strikes = async (id: string) => (await reviewer.file(id)).body.attempt.strikesStand
    const [first, second] = [people[0]?.id ?? '', people[1]?.id ?? '']
    const both = [await named(first), await named(other.id)]
    for (const { candidate, incident } of both) await reviewer.verdict(candidate, { incident })
    await reviewer.call('POST', '/cleared-strikes', { incidents: both })
    const again = (reason: string, ...incidents: object[]) =>
      reviewer.call('POST', '/strikes-again', { incidents, reason })
    // One that counts already, and nothing is done.
    const wrong = await again('A mistake.', both[0] as object, await named(second))
    expect(wrong).toMatchObject({ status: 409, body: { code: 'stale' } })
    expect((await again('', ...both)).status).toBe(400)
    expect([await strikes(first), await strikes(other.id)]).toEqual([0, 0])
    expect((await again('A mistake.', ...both)).body).toEqual({ counted: 2 })
    expect([await strikes(first), await strikes(other.id)]).toEqual([1, 1])
    const { rows } = await rig.db.$client.query(
      `select detail from admin_actions where assessment = $1 and action = 'restore-strikes'`,
      [code],
    )
    expect(rows).toMatchObject([{ detail: { strikes: 2, reason: 'A mistake.' } }])
    expect(JSON.stringify(rows)).not.toMatch(/sato/)
    // Taken back, and two more come in: with it there would be three.
    await reviewer.call('POST', '/cleared-strikes', { incidents: [both[1]] })
    await moveClock(rig, 100_000)
    await other.seat.report({ id: 4, kind: 'copy', at: 420_000 })
    await moveClock(rig, 10_000)
    await other.seat.report({ id: 5, kind: 'paste', at: 430_000 })
    expect(await strikes(other.id)).toBe(2)
    const refused = await again('A mistake.', both[1] as object)
    expect(refused).toMatchObject({ status: 409, body: { code: 'strikes_would_end' } })
    expect(await strikes(other.id)).toBe(2)
  })

  it('does not count absences as viewing time, and says how the test ended', async () => {
    const { member, other, items, code } = await alarm()
    const at = (ms: number) => ({ questionId: items[0]?.id ?? 0, choice: 'C', revision: 1, at: ms })
    await other.seat.save([at(395_000)])
    const reviewer = await member('reviewer')
    const file = async () => (await reviewer.file(other.id)).body
    // 395 s since the start, 41 of them away.
    expect((await file()).answers[0].seconds).toBe(354)
    expect((await file()).attempt).toMatchObject({ submitReason: null, endedBySociety: false })
    await close(code)
    expect((await file()).attempt).toMatchObject({
      ...{ submitReason: 'deadline', endedBySociety: false },
    })
  })

  it("is linked from the log's decisions, strikes and reveals without naming the number", async () => {
    const { society, sit, member, code } = await room()
    const [owner, reviewer] = [await member('owner'), await member('reviewer')]
    const { seat, id, username } = await sit('2.11')
    await moveClock(rig, 100_000)
    await seat.report({ id: 2, kind: 'paste', at: 10_000 })
    await close(code)
    await moveClock(rig, 100_000)
    const file = (await reviewer.file(id)).body
    const incident = file.incidents[0]
    await reviewer.verdict(id, { incident: incident.name })
    await reviewer.call('POST', `/by-candidate/${id}/score`)
    await reviewer.call('POST', `/by-candidate/${id}/name`)
    const event = Number(incident.name.split(':')[1])
    await takeStrikesBack({ ...organiserOf(rig), code }, [event], 'alarm')
    const logOf = async ({ token }: { token: string }) =>
      (await rig.call('GET', `/api/societies/${society}/log?assessment=${code}`, { token })).body
        .entries
    const told = {
      ...{ name: incident.name, lead: 'Pasted, once', at: incident.at, strike: 1 },
    }
    const whose = { candidate: id, number: file.number }
    const unnamed = await logOf(reviewer)
    expect(
      unnamed.map(({ action, about }: { action: string; about: unknown }) => [action, about]),
    ).toEqual([
      ['take-strikes-back', [{ ...whose, incident: told }]],
      ['show-name', [{ ...whose, incident: null }]],
      ['show-score', [{ ...whose, incident: null }]],
      ['decide-incident', [{ ...whose, incident: told }]],
    ])
    expect(JSON.stringify(unnamed)).not.toContain(username)
    const named = await logOf(owner)
    expect(JSON.stringify(named)).toContain(username)
    // Beside the name there is no number, and nothing that leads to it.
    expect(named.map(({ about }: { about: unknown }) => about)).toEqual([
      [{ candidate: null, number: null, incident: told }],
      [],
      [{ ...whose, incident: null }],
      [{ ...whose, incident: told }],
    ])
  })

  it('shows planned time apart from extensions, even when planned late', async () => {
    const { sit, member, code } = await room()
    const owner = await member('owner')
    const { id } = await sit('2.11')
    await rig.db.$client.query('update candidates set extra_seconds = 600 where id = $1', [id])
    const attempt = async () => (await owner.file(id)).body.attempt
    expect(await attempt()).toMatchObject({ plannedSeconds: 600, givenSeconds: 0 })
    await changeTimeOf(rig, code, 'plan', 900, id)
    await changeTimeOf(rig, code, 'give', 300)
    expect(await attempt()).toMatchObject({ plannedSeconds: 900, givenSeconds: 300 })
  })

  it('shows the name from Live during the test to members who see names', async () => {
    const { member, other } = await alarm()
    const names = []
    for (const role of ['owner', 'invigilator', 'reviewer'] as const) {
      const one = await member(role)
      names.push((await one.file(other.id, '?live=1')).body.name?.username ?? null)
      names.push((await one.file(other.id)).body.name)
    }
    expect(names).toEqual(['b.sato', null, 'b.sato', null, null, null])
  })

  it('limits an invigilator to their room, without answers, keys and reasons', async () => {
    const { member, people, other, items } = await alarm()
    await other.seat.save([{ questionId: items[0]?.id ?? 0, choice: 'C', revision: 1 }])
    const [owner, helper] = [await member('owner'), await member('invigilator', '1.04')]
    const [{ name: incident }] = (await owner.file(other.id)).body.incidents
    await owner.verdict(other.id, { incident, reason: 'Changed it to C.' })
    const list = (await helper.call('GET', '')).body
    expect(list.ownRoom).toBe('1.04')
    expect(list.candidates.map(({ id }: { id: string }) => id)).toEqual([other.id])
    expect((await helper.file(people[0]?.id ?? '')).status).toBe(404)
    const { body } = await helper.file(other.id)
    expect([body.answers, body.score]).toEqual([null, null])
    expect(JSON.stringify([list, body])).not.toMatch(/Changed it|"C"|correct/)
    const report = (of: Record<string, unknown>) =>
      helper.call('POST', '/reports', {
        ...{ id: randomUUID(), candidate: null, room: null, note: 'Left for a minute.' },
        ...{ happenedAt: rig.clock.now.toISOString(), ...of },
      })
    expect((await report({ candidate: other.id })).status).toBe(200)
    expect((await report({ candidate: people[0]?.id })).status).toBe(404)
    expect((await report({ room: '2.11' })).status).toBe(403)
    expect((await helper.verdict(other.id, { incident })).status).toBe(404)
  })

  it('limits an invigilator to their room even if they are also an author', async () => {
    const { member, society, people, other } = await alarm()
    const helper = await member('invigilator', '1.04')
    await makeMember(rig, society, helper.userId, 'author')
    const list = (await helper.call('GET', '')).body
    expect(list.ownRoom).toBe('1.04')
    expect(list.candidates.map(({ id }: { id: string }) => id)).toEqual([other.id])
    expect((await helper.file(people[0]?.id ?? '')).status).toBe(404)
  })

  it('exports the report with hidden parts hidden, and without the name for a reviewer', async () => {
    const { member, other, code } = await alarm()
    await moveClock(rig, 900_000)
    await close(code)
    const take = async (role: Role, withName: boolean, withKeys: boolean) => {
      const one = await member(role)
      await proveAgain(rig)
      const path = `/by-candidate/${other.id}/report`
      expect((await one.call('POST', path, { withName, withKeys })).status).toBe(200)
      return (await auditOf(rig, code)).at(-1)?.detail
    }
    const file = (await (await member('owner')).file(other.id)).body
    const number = file.number
    expect(await take('owner', false, false)).toEqual({ candidate: number, hasKeys: false })
    expect(await take('owner', true, true)).toEqual({ username: 'b.sato', hasKeys: true })
    // Names are never in a reviewer's.
    expect(await take('reviewer', true, true)).toEqual({ candidate: number, hasKeys: true })
  })
})
