/**
 * Long because all that a card says and hides stands in one place, so that nothing public is overlooked.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { DAY, makeAssessment } from '../../../tests/rig/assessment-rig.ts'
import { watchLog } from '../../../tests/rig/auth-rig.ts'
import { closedSession, release } from '../../../tests/rig/card-rig.ts'
import { codeOf, organiserOf } from '../../../tests/rig/organiser-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeMember, makeSociety } from '../../../tests/rig/society-rig.ts'
import { deleteAssessment } from '../season.ts'
import { withoutNames } from './card-decisions.ts'
import { publishCard } from './card-versions.ts'

const rig = useRig({ rateLimits: true })
watchLog(rig)
const SEASON = 'Spring 2026'
const LATER = new Date(DAY.getTime() + 3 * 86_400_000)
let society: { id: string; name: string }
let owner: Awaited<ReturnType<typeof signUp>>

beforeEach(async () => {
  rig.clock.now = LATER
  society = await makeSociety(rig)
  owner = await signUp(rig, `o${randomUUID().slice(0, 8)}@example.com`)
  await makeMember(rig, society.id, owner.userId, 'owner')
})

const session = (people: number, more: Partial<Parameters<typeof closedSession>[1]> = {}) =>
  closedSession(rig, { societyId: society.id, season: SEASON, people, ...more })
const address = () => `/api/societies/${society.id}/fairness-card`
const preview = async (token = owner.token) =>
  (await rig.call('GET', `${address()}?season=${encodeURIComponent(SEASON)}`, { token })).body
const publish = (basisHash: string, token = owner.token) =>
  rig.call('POST', address(), { token, body: { season: SEASON, basisHash } })
const publishSeen = async () => (await publish((await preview()).basisHash)).body
const open = (card: string, search = '') => rig.call('GET', `/api/fairness/${card}${search}`)
const check = (card: string, reference: string) =>
  rig.call('POST', `/api/fairness/${card}/check`, { body: { reference } })
const sql = (text: string, values: unknown[] = []) => rig.db.$client.query(text, values)

/** Every text and number of a JSON value. */
function leavesOf(value: unknown): string[] {
  return value !== null && typeof value === 'object'
    ? Object.values(value).flatMap(leavesOf)
    : [String(value)]
}

describe('a card of one session', () => {
  it('counts who sat it and says how sure a score is', async () => {
    await session(40)
    const { content, obstacle, isReleased, versions } = await preview()
    expect([obstacle, isReleased, versions]).toEqual([null, false, []])
    expect(content).toMatchObject({
      ...{ society: 'Finance Society', season: SEASON, sat: 40, sessions: 1, questions: 12 },
      ...{ firstDay: '2026-03-02', lastDay: '2026-03-02', comparisons: [], rulings: [] },
      kept: { months: 12, until: [{ day: '2027-03-02', isOwn: false }] },
      log: { isWhole: true },
    })
    const [group] = content.groups
    expect(group).toMatchObject({ sat: 40, questions: 12, minutes: 20 })
    expect(group.reliability).toMatchObject({ said: 'shown' })
    const { low, kr20, high, error } = group.reliability
    expect(low < kr20 && kr20 < high && error > 0).toBe(true)
  })

  it('of fifteen to twenty-nine is an indication, of fewer has no figures on the test', async () => {
    const { code, rulingOn } = await session(20)
    expect((await preview()).content.groups[0].reliability.said).toBe('indicative')
    await rulingOn(2, 'replace', 'It was moved.', 8)
    expect((await preview()).content.rulings[0].changed).toBe(8)
    await sql(
      `delete from attempts where id in (select id from attempts where assessment = $1
      order by id limit 6)`,
      [code],
    )
    const { content } = await preview()
    expect(content.sat).toBe(14)
    expect(content.groups[0].reliability).toBeNull()
    expect(content.rulings).toMatchObject([{ question: 3, changed: null, reason: 'It was moved.' }])
  })

  it('leaves demo candidates and who is no candidate of the season out', async () => {
    const { code } = await session(16)
    await session(3, { season: 'Autumn 2026' })
    await sql(
      `update attempts set is_demo = true where id = (select id from attempts where assessment = $1 limit 1)`,
      [code],
    )
    expect((await preview()).content.sat).toBe(15)
  })

  it('tells rulings that stand, with their reason and what they changed', async () => {
    const { code, rulingOn } = await session(30)
    await rulingOn(6, 'replace', 'The options were rewritten after the check.', 25)
    const withdrawn = await rulingOn(1, 'void', 'It was two questions.', 0)
    await sql(`update item_rulings set withdrawn_at = $2, withdrawn_by = 'ana' where id = $1`, [
      withdrawn,
      LATER,
    ])
    const ruled = () => preview().then(({ content }) => content.rulings)
    expect(await ruled()).toEqual([
      {
        ...{ name: null, question: 7, kind: 'replace', changed: 25, isBeforeNames: true },
        reason: 'The options were rewritten after the check.',
      },
    ])
    await sql(
      `insert into result_lines (assessment, points, version, changed_by, changed_at, fixed_at, fixed_by,
         names_shown_at, names_shown_by) values ($1, 5, 1, 'ana', $2, $2, 'ana', $2, 'ana')`,
      [code, DAY],
    )
    expect((await ruled())[0].isBeforeNames).toBe(false)
  })

  it('counts incidents, time and who acted over everybody', async () => {
    const { code, candidates, attempts } = await session(20)
    const verdict = (at: number, incident: string, of: string) =>
      sql(
        `insert into incident_verdicts (id, candidate_id, incident, verdict, reason, decided_by, user_id,
           decided_at) values ($1, $2, $3, $4, 'r', 'ben', $5, $6)`,
        [randomUUID(), candidates[at], incident, of, owner.userId, LATER],
      )
    await verdict(0, 'away:1', 'cleared')
    await verdict(0, 'away:2', 'upheld')
    const [waits, talk] = [randomUUID(), randomUUID()]
    for (const report of [waits, talk]) {
      await sql(
        `insert into incident_reports (id, assessment, candidate_id, happened_at, note, reported_by, user_id,
           reported_at) values ($1, $2, $3, $4, 'n', 'ben', $5, $4)`,
        [report, code, candidates[1], DAY, owner.userId],
      )
    }
    // An alarm is told of a room.
    await sql(
      `insert into incident_reports (id, assessment, room, happened_at, note, reported_by, reported_at)
       values ($1, $2, '2.11', $3, 'Fire alarm.', 'ben', $3)`,
      [randomUUID(), code, DAY],
    )
    await verdict(1, `report:${talk}`, 'needs_talk')
    await sql('update candidates set extra_seconds = 300 where id = any ($1)', [
      candidates.slice(0, 3),
    ])
    await sql('update attempts set incident_seconds = 300 where id = any ($1)', [
      attempts.slice(0, 16),
    ])
    await sql(
      `insert into attempt_events (candidate_id, attempt_id, kind, received_at)
       values ($1, $2, 'reopened', $3), ($1, $2, 'reopened', $3)`,
      [candidates[0], attempts[0], DAY],
    )
    await sql(
      `insert into attempt_events (candidate_id, attempt_id, kind, is_violation, voided_at, void_reason,
         received_at) values ($1, $2, 'blur', true, $3, 'alarm', $3), ($1, $2, 'blur', true, null, null, $3)`,
      [candidates[0], attempts[0], DAY],
    )
    const reviewer = await signUp(rig, `r${randomUUID().slice(0, 8)}@example.com`)
    await makeMember(rig, society.id, reviewer.userId, 'reviewer', { endedAt: LATER })
    for (const { userId, via } of [
      { userId: owner.userId, via: 'console' },
      { userId: owner.userId, via: 'console' },
      { userId: reviewer.userId, via: 'console' },
      { userId: null, via: 'console' },
      { userId: null, via: 'command' },
    ]) {
      await sql(
        `insert into admin_actions (at, actor, user_id, action, society_id, assessment, detail, via)
         values ($1, 'somebody', $2, 'window', $3, $4, '{}', $5)`,
        [LATER, userId, society.id, code, via],
      )
    }
    const { content } = await preview()
    // One report waits for a verdict, the other for a talk: nobody was cleared by asking for it.
    expect(content.incidents).toEqual({
      ...{ cleared: 1, upheld: 1, waitForTalk: 1, undecided: 1 },
      ...{ byReporter: 1, ofRooms: 1 },
    })
    expect(content.time).toEqual({
      ...{ planned: 3, given: 16, givenSeconds: 300, reopened: 1, takenBack: 1 },
    })
    expect(content.people).toEqual({
      ...{ owner: 1, reviewer: 1, author: 0, invigilator: 0, gone: 1, isAtKeyboard: true },
    })
    expect(content.log).toEqual({ entries: 5, isWhole: true })
    // What a handful got stands out, and so is not told.
    await sql('update attempts set incident_seconds = 0 where id = any ($1)', [
      attempts.slice(0, 4),
    ])
    expect((await preview()).content.time).toMatchObject({ given: 12, givenSeconds: null })
  })
})

describe('a card of two sessions', () => {
  it('compares them by their common questions', async () => {
    const { questionIds } = await session(40, { session: 'Morning' })
    await session(40, {
      ...{ session: 'Afternoon', opensAt: new Date(DAY.getTime() + 5 * 3_600_000) },
      ...{ shared: questionIds.slice(0, 8), easierBy: 0.1 },
    })
    const { content } = await preview()
    expect(content).toMatchObject({ sat: 80, sessions: 2, questions: 16 })
    expect(content.groups.map(({ name }: { name: string }) => name)).toEqual([
      ...['Morning', 'Afternoon'],
    ])
    const [compared] = content.comparisons
    expect(compared).toMatchObject({
      ...{ earlier: 'Morning', later: 'Afternoon', common: 8, areForms: false, why: null },
      found: { said: 'shown' },
    })
    const { low, difference, high } = compared.found
    expect(low < difference && difference < high).toBe(true)
    // Of the eight alone: the afternoon's mean of right answers on them, without the morning's.
    const { rows: means } = await sql(
      `select count(*) filter (where x.choice = i.correct_option)::float / 40 as mean
       from assessment_items i join attempt_answers x on x.item_id = i.id
       join assessments a on a.code = i.assessment
       where a.society_id = $1 and i.question_id = any ($2) group by a.session order by a.session`,
      [society.id, questionIds.slice(0, 8)],
    )
    expect(difference).toBeCloseTo(means[0].mean - means[1].mean, 3)
  })

  it('says why where nothing can be said', async () => {
    await session(40, { session: 'Morning' })
    await session(40, { session: 'Afternoon', opensAt: new Date(DAY.getTime() + 18_000_000) })
    const why = async () => (await preview()).content.comparisons[0]
    expect(await why()).toMatchObject({ found: null, why: /no question in common/ })
  })

  it('says nothing of the one that fewer than fifteen sat', async () => {
    const { questionIds } = await session(40, { session: 'Morning' })
    const afternoon = { session: 'Afternoon', opensAt: new Date(DAY.getTime() + 18_000_000) }
    await session(14, { ...afternoon, shared: questionIds.slice(0, 8) })
    const { content } = await preview()
    expect(content.groups[1].reliability).toBeNull()
    expect(content.comparisons[0].found).toBeNull()
    expect(content.comparisons[0].why).toMatch(/Fewer than 15/)
  })

  it('tells the points that were given to one', async () => {
    const { code } = await session(20, { session: 'Morning' })
    const later = await session(20, {
      ...{ session: 'Afternoon', opensAt: new Date(DAY.getTime() + 18_000_000) },
    })
    await sql(
      `insert into score_shifts (id, assessment, onto, points, basis, reason, applied_by, applied_at)
       values ($1, $2, $3, 0.5, '{}', 'Harder questions', 'ana', $4)`,
      [randomUUID(), later.code, code, LATER],
    )
    expect((await preview()).content.shifts).toEqual([
      { name: 'Afternoon', points: 0.5, reason: 'Harder questions' },
    ])
  })
})

describe('what is public', () => {
  it('is nothing before the results of every session are released, nor after a release was withdrawn', async () => {
    const morning = await session(16, { session: 'Morning' })
    const afternoon = await session(16, { session: 'Afternoon' })
    const { cardId } = await publishSeen()
    expect((await open(cardId)).body).toEqual({ card: null })
    await release(rig, morning.code)
    expect((await open(cardId)).body).toEqual({ card: null })
    await release(rig, afternoon.code)
    expect((await open(cardId)).body.card.content.sat).toBe(32)
    await sql('update result_releases set withdrawn_at = $2 where assessment = $1', [
      ...[morning.code, LATER],
    ])
    expect((await open(cardId)).body).toEqual({ card: null })
    const counted = morning.attempts[0]?.slice(0, 8) ?? ''
    expect((await check(cardId, counted)).status).toBe(404)
    expect((await open(randomUUID())).body.code).toBe('no_card')
    expect((await open(cardId, '?version=2')).body.code).toBe('no_card')
  })

  it('names nobody: no name, username, address or room, of candidates or members', async () => {
    const found = await session(20)
    await found.rulingOn(0, 'replace', 'Cara Person-3 in room Aula Magna told us.', 3)
    await found.rulingOn(1, 'accept', `Ask ${'dean@uni.example'}.`, 0)
    await found.rulingOn(2, 'accept', 'Both are right.', 0)
    await release(rig, found.code)
    const { cardId } = await publishSeen()
    const { body } = await open(cardId)
    const { rows } = await sql(
      `select unnest(array[username, name, email, room, id::text]) as text from candidates where assessment = $1
       union select id::text from attempts where assessment = $1
       union select email from users union select id::text from users`,
      [found.code],
    )
    const hidden = rows.map(({ text }) => text.toLowerCase())
    expect(hidden.length).toBeGreaterThan(60)
    for (const leaf of leavesOf(body)) {
      expect(hidden.filter((text) => leaf.toLowerCase().includes(text))).toEqual([])
      expect(leaf).not.toMatch(/@|Person-/)
    }
    const reasons = body.card.content.rulings.map(({ reason }: { reason: string }) => reason)
    expect(reasons).toEqual([null, null, 'Both are right.'])
  })

  it('is kept in versions; the same again makes none, and none is made unseen', async () => {
    const { code } = await session(20)
    await release(rig, code)
    const first = await preview()
    expect(await publishSeen()).toMatchObject({ version: 1, isNew: true })
    expect((await publish(first.basisHash)).body).toMatchObject({ version: 1, isNew: false })
    await sql(
      `update candidates set extra_seconds = 60 where id = (
         select id from candidates where assessment = $1 limit 1)`,
      [code],
    )
    expect((await publish('0'.repeat(64))).body.code).toBe('card_stale')
    const { differsIn, versions } = await preview()
    expect([differsIn, versions.length]).toEqual([['time'], 1])
    const { cardId, version } = await publishSeen()
    expect(version).toBe(2)
    const { card } = (await open(cardId)).body
    expect(card.versions).toMatchObject([
      { version: 2, differsIn: ['time'] },
      { version: 1, differsIn: [] },
    ])
    expect((await open(cardId, '?version=1')).body.card.content.time.planned).toBe(0)
    const { rows } = await sql(
      `select detail->>'version' as version from admin_actions where society_id = $1 and action = 'publish-card'
       order by id`,
      [society.id],
    )
    expect(rows.map((row) => row.version)).toEqual(['1', '2'])
  })

  it('makes one version of two presses at once', async () => {
    await session(16)
    const { basisHash } = await preview()
    const answers = await Promise.all([publish(basisHash), publish(basisHash), publish(basisHash)])
    expect(answers.filter(({ body }) => body.isNew)).toHaveLength(1)
    const { rowCount } = await sql('select from fairness_cards where society_id = $1', [society.id])
    expect(rowCount).toBe(1)
  })

  it('stays as it is when answers are deleted, and goes with a withdrawn release even then', async () => {
    const { code, attempts } = await session(16)
    await release(rig, code)
    const { cardId } = await publishSeen()
    await deleteAssessment(organiserOf(rig), code, code)
    expect((await open(cardId)).body.card.content.sat).toBe(16)
    expect((await preview()).obstacle).toBe('deleted')
    expect((await check(cardId, attempts[0]?.slice(0, 8) ?? '')).body.found).toBe('deleted')
    const seen = { season: SEASON, basisHash: '0'.repeat(64) }
    expect(await codeOf(() => publishCard(organiserOf(rig), society.id, seen))).toMatchObject({
      ...{ code: 'card_impossible', facts: { obstacle: 'deleted' } },
    })
    await sql('update result_releases set withdrawn_at = $2 where assessment = $1', [code, LATER])
    expect((await open(cardId)).body).toEqual({ card: null })
  })

  it('is not made while somebody can start or is inside, nor of nobody', async () => {
    expect((await preview()).obstacle).toBe('nobody_sat')
    const { code } = await session(3)
    const { code: other } = await makeAssessment(rig, { societyId: society.id })
    await sql('update assessments set season = $2 where code = $1', [other, SEASON])
    expect((await preview()).obstacle).toBe('still_open')
    await sql('update assessments set is_draft = true where code = $1', [other])
    expect((await preview()).obstacle).toBeNull()
    await sql(
      `update attempts set submitted_at = null, submit_reason = null where id = (
         select id from attempts where assessment = $1 limit 1)`,
      [code],
    )
    expect((await preview()).obstacle).toBe('still_open')
  })
})

describe('a reference', () => {
  it('tells only whether the answers are among those counted', async () => {
    const { code, attempts } = await session(16)
    const elsewhere = await session(2, { season: 'Autumn 2026' })
    await release(rig, code)
    const { cardId } = await publishSeen()
    const of = (id = '') => id.slice(0, 8)
    expect((await check(cardId, of(attempts[3]))).body).toEqual({ found: 'counted' })
    const shown = `${of(attempts[3]).slice(0, 4)} ${of(attempts[3]).slice(4)}`.toUpperCase()
    expect((await check(cardId, shown)).body).toEqual({ found: 'counted' })
    expect((await check(cardId, of(elsewhere.attempts[0]))).body).toEqual({ found: 'not_counted' })
    expect((await check(cardId, of(randomUUID()))).body).toEqual({ found: 'not_counted' })
    for (const wrong of ['', '7f3a91c', 'zzzzzzzz', "' or 1=1", '%%%%%%%%']) {
      expect((await check(cardId, wrong)).body.code).toBe('bad_request')
    }
  })

  it('is looked up so often from one network, and no more', async () => {
    const { code } = await session(15)
    await release(rig, code)
    const { cardId } = await publishSeen()
    await check(cardId, '00000000')
    await sql(`update rate_limits set points = 2000 where key like 'references:%'`)
    const { status, body, headers } = await check(cardId, '00000000')
    expect([status, body.code]).toEqual([429, 'too_many'])
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
  })
})

describe('who publishes', () => {
  it('is an owner, who is no candidate of the season', async () => {
    const { code } = await session(16)
    for (const role of ['reviewer', 'author', 'invigilator'] as const) {
      const member = await signUp(rig, `m${randomUUID().slice(0, 8)}@example.com`)
      await makeMember(rig, society.id, member.userId, role)
      expect((await preview(member.token)).code).toBe('no_society')
      expect((await publish('0'.repeat(64), member.token)).body.code).toBe('no_society')
    }
    const { basisHash } = await preview()
    await sql(
      `update candidates set email = (select email from users where id = $2)
       where id = (select id from candidates where assessment = $1 limit 1)`,
      [code, owner.userId],
    )
    expect((await preview()).code).toBe('is_candidate_there')
    expect((await publish(basisHash)).body.code).toBe('is_candidate_there')
  })
})

describe('a reason', () => {
  it.each([
    ['Cara Diaz saw it first.', false],
    ['Seen by Cara  Diaz.', false],
    ['Ask c.diaz, please', false],
    ['write to x@y.pt', false],
    ['A cara diazepam question', true],
    ['The key was not moved', true],
  ])('%s', (reason, stays) => {
    expect(withoutNames(reason, ['cara diaz', 'c.diaz'])).toBe(stays ? reason : null)
  })
})
