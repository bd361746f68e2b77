// Long because every test needs the people of one fire alarm and the decisions about them.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { changeTimeOf } from '../../../tests/rig/acts-rig.ts'
import { moveClock } from '../../../tests/rig/assessment-rig.ts'
import { alarm, incidentsRoom, type Named } from '../../../tests/rig/incidents-rig.ts'
import { actionsOf, auditOf, organizerOf } from '../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { makeMember } from '../../../tests/rig/society-rig.ts'
import { takeStrikesBack } from './strikes.ts'
import { countUndecided } from './undecided.ts'

const rig = useRig()

const close = (code: string, only: string | null = null) =>
  rig.sql`update attempts set submitted_at = ${rig.clock.now}, submit_reason = 'deadline'
     where assessment = ${code} and (${only}::uuid is null or candidate_id = ${only})`
const openIn = (code: string) => inTransaction(rig.db, (client) => countUndecided(client, code))

describe('incidents', () => {
  it('show who else was away, and several can be decided in one request, all or none; strikes still count', async () => {
    const { member, ids, other, code } = await alarm(rig)
    const [owner, ben] = [await member('owner'), await member('reviewer')]
    const { body } = await owner.call('GET', '')
    const incidentsOf = (id: string) =>
      body.candidates.find((one: { id: string }) => one.id === id).incidents
    expect(incidentsOf(ids[0])).toMatchObject([
      { kind: 'away', state: 'waiting', company: { room: '2.11', away: 2, of: 3 } },
    ])
    expect(incidentsOf(ids[3])).toEqual([])
    expect(incidentsOf(other.id)).toMatchObject([{ company: { room: '1.04', away: 0, of: 0 } }])
    expect(JSON.stringify(body)).not.toContain('Sato')
    const named: Named[] = []
    for (const id of ids.slice(0, 3)) named.push({ id: randomUUID(), ...(await owner.first(id)) })
    const given = { reason: 'Fire alarm.' }
    // A single invalid incident prevents all decisions.
    const gone = { candidate: other.id, incident: 'event:1' }
    expect((await owner.decide([...named, gone], given)).status).toBe(404)
    const wrong = { ...(named[0] as Named), known: randomUUID() }
    const stale = await owner.decide([wrong, ...named.slice(1)], given)
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
    expect((await openIn(code)).size).toBe(4)
    // A repeated request writes once, and so does an incident that is listed twice in one request.
    const both = await Promise.all([
      owner.decide(named, given),
      owner.decide([...named, ...named], given),
    ])
    expect(both.map(({ body }) => body)).toEqual([{ decided: 3 }, { decided: 3 }])
    const rows = await rig.sql`
      select verdict, reason from incident_verdicts v join candidates c on c.id = v.candidate_id
       where c.assessment = ${code}`
    expect(rows).toEqual(Array(3).fill({ verdict: 'cleared', reason: 'Fire alarm.' }))
    expect((await openIn(code)).size).toBe(1)
    const { incidents, attempt } = (await owner.file(ids[0])).body
    expect(incidents[0].state).toBe('decided')
    expect(attempt).toMatchObject({ strikesSeen: 1, strikesStand: 1 })
    const later = await ben.decide(named.map((one) => ({ ...one, id: randomUUID() })))
    expect([later.status, later.body.by]).toEqual([409, owner.name])
    // A used id with a different verdict changes neither the decision nor the log.
    const changed = await owner.decide(named, { verdict: 'upheld', reason: 'Other words.' })
    expect([changed.status, changed.body.code]).toEqual([409, 'stale'])
    const log = (await auditOf(rig, code)).map(({ detail }) => detail)
    expect(log).toMatchObject([{ verdict: 'cleared', reason: 'Fire alarm.' }])
    expect(log.map(({ candidates }) => (candidates as number[]).length)).toEqual([3])
    expect(JSON.stringify(log)).not.toMatch(/sato/)
  })

  it('that need follow-up stay open until another person decides them', async () => {
    const { member, other, code } = await alarm(rig)
    const [ana, ben] = [await member('owner'), await member('reviewer')]
    const incident = await ana.first(other.id)
    const first = randomUUID()
    const asked = await ana.decide({ ...incident, id: first }, { verdict: 'needs_talk' })
    expect(asked.body).toEqual({ decided: 1 })
    expect((await openIn(code)).get(other.listed)).toBe(1)
    // A reviewer who hasn't seen the request for follow-up gets an error.
    expect((await ben.decide(incident)).body.code).toBe('stale')
    const given = { ...incident, id: randomUUID(), known: first }
    // A repeated request writes nothing more.
    for (let press = 0; press < 2; press += 1) {
      expect((await ben.decide(given)).body).toEqual({ decided: 1 })
    }
    expect((await openIn(code)).get(other.listed)).toBeUndefined()
    expect((await ana.file(other.id)).body.incidents[0].verdicts).toMatchObject([
      { withdrawnBy: ben.name },
      { withdrawnBy: null },
    ])
    const again = await ana.decide({ ...incident, known: given.id })
    expect(again.body.code).toBe('already_decided')
  })

  it('are listed and counted on the overview while open, for members who decide', async () => {
    const { society, code, member, ids, other } = await alarm(rig)
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
    await rig.sql`insert into attempt_comments (attempt_id, text, written_at)
       select id, 'An alarm.', ${rig.clock.now} from attempts where candidate_id = ${other.listed}`
    const wrote = (await owner.call('GET', '')).body.candidates.filter(
      ({ commentedAt }: { commentedAt: string | null }) => commentedAt !== null,
    )
    expect(wrote).toMatchObject([{ id: other.id, commentedAt: rig.clock.now.toISOString() }])
    await moveClock(rig, 500_000)
    expect(await waiting(owner)).toEqual(['Four incidents need a decision.'])
    expect(await waiting(author)).toEqual([])
    await reviewer.decide(await reviewer.first(other.id))
    expect(await waiting(reviewer)).toEqual(['Three incidents need a decision.'])
    for (const id of ids.slice(0, 3)) {
      await owner.decide(await owner.first(id), { verdict: 'needs_talk' })
    }
    expect(await waiting(owner)).toEqual(['Three incidents need follow-up.'])
    await rig.sql`insert into result_releases (assessment, released_at, released_by, words)
      values (${code}, ${rig.clock.now}, 'ana', '')`
    expect(await waiting(owner)).toEqual([])
  })

  it('can be decided again after the author withdraws the decision, and only once by two people at the same time', async () => {
    const { member, other, code } = await alarm(rig)
    const [ana, ben] = [await member('owner'), await member('reviewer')]
    const incident = await ana.first(other.id)
    const [first, second] = [randomUUID(), randomUUID()]
    expect((await ana.decide({ ...incident, id: first })).status).toBe(200)
    const stale = await ben.decide(incident)
    expect([stale.status, stale.body.code, stale.body.by]).toEqual([409, 'stale', ana.name])
    // A withdrawn verdict's row is kept. Ben can't withdraw Ana's verdict.
    const take = (who: typeof ana, id: string) => who.call('POST', `/verdicts/${id}/withdraw`)
    expect((await take(ben, first)).body.code).toBe('not_yours')
    expect((await take(ana, first)).body).toEqual({ done: true })
    expect((await take(ana, first)).status).toBe(404)
    const [after] = (await ben.file(other.id)).body.incidents
    expect([after.state, after.verdicts.length]).toEqual(['waiting', 1])
    expect((await ben.decide({ ...incident, id: second })).status).toBe(200)
    expect((await take(ana, second)).status).toBe(200)
    expect(JSON.stringify(await auditOf(rig, code))).not.toContain('b.sato')
    expect(await actionsOf(rig, code)).toContain('withdraw-verdict')
    const answers = await Promise.all([
      ana.decide(incident),
      ben.decide(incident, { verdict: 'upheld' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const known = (await ana.file(other.id)).body.incidents[0].verdicts.at(-1).id
    expect((await ben.decide({ ...incident, known })).body.code).toBe('already_decided')
    expect((await ana.decide({ ...incident, candidate: randomUUID() })).status).toBe(404)
  })

  it('cannot be decided by their reporter, and a report on a room decides none', async () => {
    const { member, ids, other, code } = await alarm(rig)
    const [reviewer, owner] = [await member('reviewer'), await member('owner')]
    const id = randomUUID()
    for (const [of, status] of [
      [{ id, candidate: other.id }, 200],
      [{ id, candidate: other.id }, 200],
      [{ id, candidate: other.id, note: 'Other words.' }, 409],
      [{ room: '2.11', note: 'The fire alarm.' }, 200],
      [{ room: '2.11', candidate: other.id }, 400],
    ] as const) {
      expect((await reviewer.report(of)).status).toBe(status)
    }
    expect(await actionsOf(rig, code)).toEqual(['report-incident', 'report-incident'])
    const { incidents: reports } = (await owner.file(other.id)).body
    const { name } = reports.find(
      ({ report }: { report: { id: string } | null }) => report?.id === id,
    )
    const reported = { candidate: other.id, incident: name }
    expect((await reviewer.decide(reported)).body.code).toBe('own_report')
    expect((await owner.decide(reported)).status).toBe(200)
    expect((await owner.file(ids[3])).body.incidents).toMatchObject([
      { kind: 'report', asks: false, report: { of: 'room' } },
    ])
    expect((await owner.decide(await owner.first(ids[3]))).status).toBe(404)
    await other.seat.report(
      { id: 4, kind: 'offline', at: 392_000 },
      { id: 5, kind: 'online', at: 396_000 },
    )
    const { incidents } = (await owner.file(other.id)).body
    const { name: incident } = incidents.find(({ kind }: { kind: string }) => kind === 'offline')
    const refused = await owner.decide({ candidate: other.id, incident })
    expect(refused.body.code).toBe('no_verdict_asked')
    // The list shows the note once, and not next to any candidate.
    const { notes, candidates } = (await owner.call('GET', '')).body
    expect(notes).toMatchObject([{ room: '2.11', note: 'The fire alarm.', by: reviewer.name }])
    expect(JSON.stringify(candidates)).not.toContain('The fire alarm.')
  })
})

it('strikes of incidents are taken back if cleared and can count again, by number and reason, unless they would end a test', async () => {
  const { member, ids, other, code } = await alarm(rig)
  const reviewer = await member('reviewer')
  const [one, two] = [await reviewer.first(ids[0]), await reviewer.first(ids[1])]
  const third = await reviewer.first(other.id)
  const take = (...incidents: Named[]) => reviewer.call('POST', '/cleared-strikes', { incidents })
  const again = (reason: string, ...incidents: Named[]) =>
    reviewer.call('POST', '/strikes-again', { incidents, reason })
  const standing = async (id: string) => (await reviewer.file(id)).body.attempt.strikesStand
  await reviewer.decide(one, { reason: 'Fire alarm.' })
  await reviewer.decide(two, { verdict: 'upheld' })
  await reviewer.decide(third)
  // A single incident that can't be taken back prevents the whole action.
  expect(await take(one, two)).toMatchObject({ status: 409 })
  expect(await standing(ids[0])).toBe(1)
  expect((await take(one, third)).body).toEqual({ takenBack: 2, mayBeReopened: 0 })
  expect((await reviewer.file(ids[0])).body.incidents[0]).toMatchObject({
    strike: { standing: 'taken_back', reason: 'Fire alarm.' },
    verdicts: [{ verdict: 'cleared', withdrawnAt: null }],
  })
  expect(await take(one)).toMatchObject({ status: 409, body: { code: 'stale' } })
  // A single strike that already counts prevents the whole action.
  const wrong = await again('A mistake.', third, two)
  expect(wrong).toMatchObject({ status: 409, body: { code: 'stale' } })
  expect((await again('', one, third)).status).toBe(400)
  const all = [ids[0], ids[1], other.id]
  expect(await Promise.all(all.map(standing))).toEqual([0, 1, 0])
  expect((await again('A mistake.', one, third)).body).toEqual({ counted: 2 })
  expect(await Promise.all(all.map(standing))).toEqual([1, 1, 1])
  const log = (await auditOf(rig, code)).slice(3)
  expect(log).toMatchObject([
    { action: 'take-strikes-back', detail: { strikes: 2 } },
    { action: 'restore-strikes', detail: { strikes: 2, reason: 'A mistake.' } },
  ])
  expect(log[0]?.detail.candidates).toHaveLength(2)
  expect(JSON.stringify(log)).not.toMatch(/sato/)
  // After the strike is taken back, two more arrive. Restoring it would make three.
  await take(third)
  await moveClock(rig, 100_000)
  await other.seat.report({ id: 4, kind: 'copy', at: 420_000 })
  await moveClock(rig, 10_000)
  await other.seat.report({ id: 5, kind: 'paste', at: 430_000 })
  expect((await again('A mistake.', third)).body.code).toBe('strikes_would_end')
  expect(await standing(other.id)).toBe(2)
})

describe("a candidate's page for organizers", () => {
  it('hides name, key and score until revealed, which is logged, and in the report too', async () => {
    const { member, other, code, items } = await alarm(rig)
    await other.seat.save([{ questionId: items[1]?.id ?? 0, choice: 'B', revision: 1 }])
    await moveClock(rig, 120_000)
    await close(code)
    for (const role of ['owner', 'reviewer'] as const) {
      const judge = await member(role)
      const { body } = await judge.file(other.id)
      expect(body.score).toBeNull()
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
    const looks = ['show-name', 'show-score']
    expect(await actionsOf(rig, code)).toEqual([...looks, ...looks])
    const take = async (by: Awaited<ReturnType<typeof member>>, more: object) => {
      const path = `/by-candidate/${other.id}/report`
      expect((await by.call('POST', path, more)).status).toBe(200)
      return (await auditOf(rig, code)).at(-1)?.detail
    }
    const [owner, reviewer] = [await member('owner'), await member('reviewer')]
    const { number: candidate } = (await owner.file(other.id)).body
    const all = { withName: true, withKeys: true }
    expect(await take(owner, all)).toEqual({ username: 'b.sato', hasKeys: true })
    // A reviewer's report never has names.
    expect(await take(reviewer, all)).toEqual({ candidate, hasKeys: true })
  })

  it('shows time without absences, and key and points after the last decision, to a reviewer after the close', async () => {
    const { member, other, items, code } = await alarm(rig)
    const [owner, reviewer] = [await member('owner'), await member('reviewer')]
    await other.seat.save([
      { questionId: items[0]?.id ?? 0, choice: 'C', revision: 1, at: 395_000 },
    ])
    const running = (await reviewer.file(other.id)).body
    // The candidate has had 395 s since the start and was away for 41 of them.
    expect(running.answers[0].seconds).toBe(354)
    expect(running.attempt).toMatchObject({ submitReason: null, endedBySociety: false })
    await close(code, other.listed)
    expect((await reviewer.file(other.id)).body.attempt).toMatchObject({
      ...{ submitReason: 'deadline', endedBySociety: false },
    })
    await owner.decide(await owner.first(other.id))
    expect((await owner.file(other.id)).body.score).toMatchObject({ correct: 0, incorrect: 4 })
    const early = (await reviewer.file(other.id)).body
    expect([early.score, early.answers[0].question]).toEqual([null, null])
    const refused = await reviewer.call('POST', `/by-candidate/${other.id}/score`)
    expect(refused.body.code).toBe('not_over')
    await close(code)
    const late = (await reviewer.file(other.id)).body
    expect([late.score.incorrect, late.answers[0].question]).toEqual([4, `Stem 1 of ${code}?`])
  })

  it("is linked from the log's decisions, strikes and reveals without showing the number", async () => {
    const { society, sit, member, code } = await incidentsRoom(rig)
    const [owner, reviewer] = [await member('owner'), await member('reviewer')]
    const { seat, id, listed, username } = await sit('2.11')
    await moveClock(rig, 100_000)
    await seat.report({ id: 2, kind: 'paste', at: 10_000 })
    await close(code)
    await moveClock(rig, 100_000)
    const { number, incidents } = (await reviewer.file(id)).body
    const { name, at } = incidents[0]
    await reviewer.decide({ candidate: id, incident: name })
    await reviewer.call('POST', `/by-candidate/${id}/score`)
    await reviewer.call('POST', `/by-candidate/${id}/name`)
    const [event] = await rig.sql`select id from attempt_events
      where candidate_id = ${listed} and kind = 'paste'`
    await takeStrikesBack({ ...organizerOf(rig), code }, [Number(event?.id)], 'alarm')
    const logOf = async ({ token }: { token: string }) => {
      const path = `/api/societies/${society}/log?assessment=${code}`
      const { entries } = (await rig.call('GET', path, { token })).body
      return {
        text: JSON.stringify(entries),
        about: entries.map(({ about }: { about: unknown }) => about),
      }
    }
    const incident = { name, lead: 'Pasted, once', at, strike: 1 }
    const whose = { candidate: id, number }
    const [whole, told] = [[{ ...whose, incident: null }], [{ ...whose, incident }]]
    const unnamed = await logOf(reviewer)
    expect(unnamed.about).toEqual([told, whole, whole, told])
    expect(unnamed.text).not.toContain(username)
    const named = await logOf(owner)
    expect(named.text).toContain(username)
    // The response with the name has no number and nothing that leads to it.
    const minute = `${at.slice(0, -7)}00.000Z`
    const unlinked = { ...incident, name: null, at: minute }
    const nameless = [{ candidate: null, number: null, incident: unlinked }]
    expect(named.about).toEqual([nameless, [], whole, told])
    const looks = ['decide-incident', 'show-score', 'show-name', 'take-strikes-back']
    expect(await actionsOf(rig, code)).toEqual(looks)
  })

  it('shows planned extra time separately from extensions, even if it was planned late', async () => {
    const { sit, member, code } = await incidentsRoom(rig)
    const owner = await member('owner')
    const { id, listed } = await sit('2.11')
    await rig.sql`update candidates set extra_seconds = 600 where id = ${listed}`
    const attempt = async () => (await owner.file(id)).body.attempt
    expect(await attempt()).toMatchObject({ plannedSeconds: 600, givenSeconds: 0 })
    await changeTimeOf(rig, code, 'plan', 900, listed)
    await changeTimeOf(rig, code, 'give', 300)
    expect(await attempt()).toMatchObject({ plannedSeconds: 900, givenSeconds: 300 })
  })

  it('limits an invigilator to their room, without answers, keys and reasons', async () => {
    const { member, society, ids, other, items } = await alarm(rig)
    await other.seat.save([{ questionId: items[0]?.id ?? 0, choice: 'C', revision: 1 }])
    const [owner, helper] = [await member('owner'), await member('invigilator', '1.04')]
    const incident = await owner.first(other.id)
    await owner.decide(incident, { reason: 'Changed it to C.' })
    const seen = async () => {
      const list = (await helper.call('GET', '')).body
      expect(list.ownRoom).toBe('1.04')
      expect(list.candidates.map(({ id }: { id: string }) => id)).toEqual([other.id])
      expect((await helper.file(ids[0])).status).toBe(404)
      return list
    }
    const { body } = await helper.file(other.id)
    expect([body.answers, body.score]).toEqual([null, null])
    expect(JSON.stringify([await seen(), body])).not.toMatch(/Changed it|"C"|correct/)
    for (const [of, status] of [
      [{ candidate: other.id }, 200],
      [{ candidate: ids[0] }, 404],
      [{ room: '2.11' }, 403],
    ] as const) {
      expect((await helper.report(of)).status).toBe(status)
    }
    expect((await helper.decide(incident)).status).toBe(404)
    // Being an author too doesn't widen what the invigilator sees.
    await makeMember(rig, society, helper.userId, 'author')
    await seen()
  })
})
