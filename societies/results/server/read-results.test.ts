import { describe, expect, it } from 'vitest'
import {
  DAY,
  freshPulse,
  makeAssessment,
  makeCandidate,
  startedSeat,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import { closedSession } from '../../../tests/rig/fairness-rig.ts'
import { auditOf, organizerOf, rightAnswers } from '../../../tests/rig/organizer-rig.ts'
import {
  AFTER,
  decide,
  reportIncident,
  type Sat,
  SIX_OF_EACH,
  satTest,
  valuesOf,
} from '../../../tests/rig/results-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { callerOf, makeSociety, proveAgain } from '../../../tests/rig/society-rig.ts'
import { coveredId } from '../../access/server/reach.ts'
import { removeCandidates } from '../../candidates/server/change.ts'
import type { FormResults, Results } from '../contract.ts'

const rig = useRig()
const coverOf = (id: string) => coveredId(rig.dependencies.secretKey, id)

describe('results', () => {
  it('have groups and errors as calculated by hand, contain no names, and are not logged', async () => {
    const { member, sat, code } = await satTest(rig, SIX_OF_EACH)
    for (const role of ['author', 'invigilator'] as const) {
      expect((await (await member(role))('GET')).status).toBe(404)
    }
    const answers = [await (await member('owner'))('GET'), await (await member('reviewer'))('GET')]
    for (const { body } of answers) {
      const text = JSON.stringify(body)
      for (const { username } of sat) expect(text).not.toContain(`"${username}"`)
      expect(text).not.toMatch(/Surname|student\.example|Room 2\.11/)
      const keys = valuesOf(body.forms)
      for (const field of ['name', 'username', 'email', 'room', 'reference', 'attemptId', 'user']) {
        expect(keys).not.toContain(field)
      }
    }
    expect(await auditOf(rig, code)).toEqual([])
    const [{ status, body }] = answers as [(typeof answers)[0]]
    expect(status).toBe(200)
    expect(body.state).toBe('over')
    const [form] = body.forms as FormResults[]
    // With p = .8, .6, .4, .2 and a variance of 2, KR-20 is 4/3·(1 − .8/2).
    expect(form?.reliability).toBeCloseTo(0.8, 10)
    // The standard error is 1.438390·√.2, and 1.96·√2 times that is 1.783.
    expect(form?.error).toBeCloseTo(0.643268, 5)
    expect(form?.groups).toEqual([
      { high: 4, low: 3, count: 12 },
      { high: 2, low: 1, count: 12 },
      { high: 0, low: 0, count: 6 },
    ])
    // The margin is 1.645 standard errors: 1.058.
    expect(form?.margin).toBe(1)
    const { candidates = [] } = form ?? {}
    expect(candidates.map(({ number }) => number)).toEqual([...Array(30).keys()].map((n) => n + 1))
    expect(candidates.map(({ right }) => right).sort()).toEqual(SIX_OF_EACH)
    // Durations are rounded to minutes, because Live shows names next to times.
    expect(candidates.map(({ seconds }) => seconds)).toEqual(Array(30).fill(600))
    expect(candidates[0]?.allowedSeconds).toBe(1200)
  })

  it('hide scores under review from every role until a decision', async () => {
    const { member, sat, code, society } = await satTest(rig, [...SIX_OF_EACH, 2])
    const look = async (role: 'owner' | 'reviewer') =>
      (await (await member(role))('GET')).body.forms[0] as FormResults
    const { candidates } = await look('owner')
    const { id: covered, number } = candidates[3] as FormResults['candidates'][number]
    const id = sat.find((one) => coverOf(one.id) === covered)?.id
    const report = await reportIncident(rig, code, id)
    for (const role of ['owner', 'reviewer'] as const) {
      const form = await look(role)
      expect(form.underReview).toEqual([{ id: covered, number, undecided: 1 }])
      expect(form.candidates).toHaveLength(30)
      expect(valuesOf(form.candidates)).not.toContain(covered)
      expect(form.groups?.reduce((sum, { count }) => sum + count, 0)).toBe(30)
    }
    // Sums must not reveal it either, since other scores could be subtracted.
    await rig.sql`update assessments set season = 'S' where code = ${code}`
    await closedSession(rig, { societyId: society.id, season: 'S', people: 20 })
    const { body } = await (await member('owner'))('GET')
    const total = (body.forms[0] as FormResults).candidates.reduce((sum, one) => sum + one.right, 0)
    const here = (body as Results).sideBySide.find((one) => one.code === code)
    expect([here?.people, (here?.middle?.mean ?? 0) * 30]).toEqual([30, expect.closeTo(total)])
    const analysis = await (await member('owner'))('GET', '/../analysis')
    const { questions, people, underReview } = analysis.body
    expect([people, underReview]).toEqual([30, 1])
    expect(questions.reduce((sum: number, one: { right: number }) => sum + one.right, 0)).toBe(
      total,
    )
    await decide(rig, id, report, 'cleared')
    const after = await look('owner')
    expect([after.underReview, after.candidates.length]).toEqual([[], 31])
    const seen = after.candidates.find((one) => one.id === covered)
    expect(seen).toMatchObject({ strikes: 0, isEndedByStrikes: false, upheld: 0 })
  })

  it('keep every row once the cut score is locked, and open incidents prevent the lock', async () => {
    const { member, sat, code } = await satTest(rig, SIX_OF_EACH)
    const owner = await member('owner')
    const form = async () => (await owner('GET')).body.forms[0] as FormResults
    await owner('PUT', '/line', { version: 0, points: 2 })
    const report = await reportIncident(rig, code, sat[7]?.id)
    const early = await owner('POST', '/line/fix', { version: 1 })
    expect([early.status, early.body.code]).toEqual([409, 'incidents_open'])
    await decide(rig, sat[7]?.id, report, 'upheld')
    expect((await owner('POST', '/line/fix', { version: 1 })).status).toBe(200)
    const before = await form()
    await reportIncident(rig, code, sat[3]?.id)
    const after = await form()
    expect([after.underReview, after.candidates.length]).toEqual([[], 30])
    const flagged = after.candidates.filter(({ open }) => open > 0)
    expect(flagged.map(({ id }) => id)).toEqual([coverOf(sat[3]?.id ?? '')])
    expect(after.candidates.map(({ open, ...one }) => one)).toEqual(
      before.candidates.map(({ open, ...one }) => one),
    )
    expect(after.groups).toEqual(before.groups)
  })

  it('let only an owner exclude a candidate, with a reason, and keep the score', async () => {
    const { member, sat, code } = await satTest(rig, SIX_OF_EACH)
    const owner = await member('owner')
    const path = `/exclusions/${coverOf(sat[5]?.id ?? '')}`
    const ask = { isExcluded: true, reason: 'Sat for a friend.' }
    expect((await (await member('reviewer'))('PUT', path, ask)).status).toBe(404)
    expect((await owner('PUT', path, { ...ask, reason: ' ' })).status).toBe(400)
    expect((await owner('PUT', path, ask)).status).toBe(200)
    const excludedNow = async () =>
      ((await owner('GET')).body.forms[0] as FormResults).candidates.filter((one) => one.excluded)
    expect(await excludedNow()).toMatchObject([
      { right: 0, excluded: { reason: 'Sat for a friend.' } },
    ])
    expect((await auditOf(rig, code)).at(-1)).toMatchObject({
      action: 'exclude',
      detail: { reason: 'Sat for a friend.' },
    })
    const logged = (await auditOf(rig, code)).length
    expect((await owner('PUT', path, ask)).status).toBe(200)
    expect((await owner('PUT', path, { ...ask, reason: 'Again.' })).body.code).toBe('stale')
    expect(await auditOf(rig, code)).toHaveLength(logged)
    await owner('PUT', path, { isExcluded: false, reason: 'It was a mistake.' })
    expect(await excludedNow()).toEqual([])
  })

  it('ask for a decision on a test that was answered faster than anyone can read', async () => {
    const { member, sat } = await satTest(rig, [20, 3, 3], { itemCount: 20 })
    const owner = await member('owner')
    await rig.sql`update attempt_answers w set saved_at = a.started_at + interval '38 seconds'
      from attempts a where a.id = w.attempt_id and a.id = ${sat[0]?.attemptId}`
    const [form] = (await owner('GET')).body.forms as FormResults[]
    expect(form?.underReview).toMatchObject([{ undecided: 1 }])
    await decide(rig, sat[0]?.id, 'pace:test', 'cleared')
    const [decided] = (await owner('GET')).body.forms as FormResults[]
    expect(decided?.candidates.filter(({ isFast }) => isFast)).toMatchObject([{ right: 20 }])
  })

  it('show for each score the strikes that count, the tests they ended, and upheld incidents', async () => {
    const { member, sat } = await satTest(rig, SIX_OF_EACH)
    const [{ id, attemptId: attempt }] = sat as [Sat]
    const events = await rig.sql`
      insert into attempt_events
        (candidate_id, attempt_id, kind, window_id, number, at_ms, is_violation, received_at)
      select ${id}, ${attempt}, 'paste', 'w', n, n * 60000, true, ${rig.clock.now}::timestamptz
      from generate_series(1, 3) n returning id`
    await rig.sql`update attempts set submit_reason = 'violations' where id = ${attempt}`
    for (const [index, { id: event }] of events.entries()) {
      await decide(rig, id, `event:${event}`, index === 0 ? 'cleared' : 'upheld')
    }
    await rig.sql`update attempt_events set voided_at = ${rig.clock.now} where id = ${events[0]?.id}`
    const { body } = await (await member('reviewer'))('GET')
    const noted = body.forms[0].candidates.filter(
      (one: { strikes: number; upheld: number }) => one.strikes > 0 || one.upheld > 0,
    )
    expect(noted).toMatchObject([
      { id: coverOf(id), strikes: 2, isEndedByStrikes: true, upheld: 2 },
    ])
  })

  it('have numbers that can’t be derived from ids in other responses', async () => {
    const { code } = await satTest(rig, SIX_OF_EACH)
    const inOrderOf = (order: string) =>
      rig.db.$client.query(
        `select candidate_id from blind_numbers b where assessment = $1 order by ${order}`,
        [code],
      )
    const { rows } = await inOrderOf('number')
    expect((await inOrderOf('md5(candidate_id::text)')).rows).not.toEqual(rows)
    expect((await inOrderOf('candidate_id')).rows).not.toEqual(rows)
  })

  it("keep each candidate's number while others are added, start or are removed", async () => {
    rig.clock.now = DAY
    await freshPulse(rig)
    const { code } = await makeAssessment(rig)
    const numbers = async () => {
      const rows = await rig.sql`
        select candidate_id as id, number from blind_numbers where assessment = ${code} order by 2`
      return new Map(rows.map(({ id, number }) => [id, number]))
    }
    const here = await Promise.all(
      Array.from({ length: 8 }, (_, n) => makeCandidate(rig, code, `here-${n}`)),
    )
    const absent = here.slice(5)
    let known = await numbers()
    expect(known.size).toBe(0)
    const start = async ({ id, username }: { id: string; username: string }) => {
      await (await takeSeat(rig, code, username)).start()
      const now = await numbers()
      for (const [one, number] of known) expect(now.get(one)).toBe(number)
      known = now
      return known.get(id)
    }
    for (const one of here.slice(0, 5)) expect(await start(one)).toBeLessThanOrEqual(8)
    await removeCandidates(
      { ...organizerOf(rig), code },
      absent.map(({ id }) => id),
    )
    expect(await numbers()).toEqual(known)
    for (const number of [9, 10]) {
      rig.clock.now = new Date(rig.clock.now.getTime() + 60_000)
      const late = await makeCandidate(rig, code, `late-${number}`, { createdAt: rig.clock.now })
      expect(await start(late)).toBe(number)
    }
  })

  it.each([
    ['14 candidates', SIX_OF_EACH.slice(0, 14)],
    ['29 candidates', SIX_OF_EACH.slice(1)],
    // All but one have two or three points, so the differences are chance.
    ['a reliability under .5', Array.from({ length: 40 }, (_, n) => 2 + (n % 2))],
  ])('of %s have no groups and no margins of error', async (_, rights) => {
    const { member } = await satTest(rig, rights)
    const { body } = await (await member('owner'))('GET')
    const { candidates, groups, margin, error, reliability } = body.forms[0]
    expect([candidates.length, groups, margin]).toEqual([rights.length, null, null])
    expect(error === null).toBe(rights.length < 30)
    if (rights.length < 15) expect(reliability).toBeNull()
  })

  it('are shown separately for two forms', async () => {
    const { member, sat, items, code } = await satTest(rig, [4, 3, 2])
    await rig.sql`update assessment_items set form = 'B' where id = ${items[3]?.id}`
    await rig.sql`update attempts set form = case when id = ${sat[0]?.attemptId} then 'B' else 'A' end
      where assessment = ${code}`
    const { body } = await (await member('owner'))('GET')
    const shown = (body.forms as FormResults[]).map(({ form, items: of, candidates }) => [
      ...[form, of, candidates.map(({ right }) => right).sort()],
    ])
    expect(shown).toEqual([
      ['A', 3, [2, 3]],
      ['B', 4, [4]],
    ])
  })

  it('appear when all have finished and no candidate can start', async () => {
    const society = await makeSociety(rig)
    const closesAt = new Date('2026-03-02T10:00:00Z')
    const { code, seat, items } = await startedSeat(rig, { societyId: society.id, closesAt })
    await makeCandidate(rig, code)
    const call = await callerOf(rig, society.id, 'owner')
    const state = async () => {
      const { body } = await call('GET', `/assessments/${code}/results`)
      return [body.state, body.insideCount, body.forms.length]
    }
    expect(await state()).toEqual(['inside', 1, 0])
    expect((await seat.submit(rightAnswers(items))).body).toMatchObject({ status: 'submitted' })
    expect(await state()).toEqual(['can_start', 0, 0])
    rig.clock.now = closesAt
    await proveAgain(rig)
    expect(await state()).toEqual(['over', 0, 1])
    // Without a start deadline, candidates who haven't started still can.
    await rig.sql`update assessments set closes_at = null where code = ${code}`
    expect(await state()).toEqual(['can_start', 0, 0])
    // A candidate whose own start window is over can't start.
    await rig.sql`update candidates set starts_from = ${DAY}, starts_until = ${closesAt}
      where assessment = ${code} and id not in (select candidate_id from attempts)`
    expect(await state()).toEqual(['over', 0, 1])
    await rig.sql`update candidates set starts_from = null, starts_until = null where assessment = ${code}`
    expect(await state()).toEqual(['can_start', 0, 0])
    await rig.sql`update candidates set revoked_at = ${closesAt}
      where assessment = ${code} and id not in (select candidate_id from attempts)`
    expect(await state()).toEqual(['over', 0, 1])
  })

  it('list the season’s sessions that the member can see next to each other', async () => {
    rig.clock.now = AFTER
    const society = await makeSociety(rig)
    const session = (name: string, people: number, more = {}) =>
      closedSession(rig, {
        ...{ societyId: society.id, season: 'Autumn', people, session: name, ...more },
      })
    const { code } = await session('Morning', 30)
    const later = await session('Afternoon', 10, { opensAt: new Date(DAY.getTime() + 3_600_000) })
    await session('Another season', 20, { season: 'Spring' })
    await session('Not over', 20, { opensAt: AFTER })
    const look = async (of: Parameters<typeof callerOf>[3], role: 'owner' | 'reviewer') => {
      const call = await callerOf(rig, society.id, role, of)
      return (await call('GET', `/assessments/${code}/results`)).body.sideBySide
    }
    const [morning, afternoon, ...others] = await look({}, 'owner')
    expect(others).toEqual([])
    expect(morning).toMatchObject({ code, name: 'Morning', form: null, people: 30, questions: 12 })
    const { low, median, high, mean } = morning.middle
    expect(low < median && median < high && mean > low && mean < high).toBe(true)
    expect(afternoon).toMatchObject({ code: later.code, people: 10, middle: null })
    // A single group can't be compared.
    expect(await look({ assessment: code }, 'reviewer')).toEqual([])
    await rig.sql`update attempts set form = case when id::text < '8' then 'A' else 'B' end
      where assessment = ${code}`
    const forms = await look({ assessment: code }, 'reviewer')
    expect(forms.map(({ form }: { form: string }) => form).sort()).toEqual(['A', 'B'])
  })
})
