import { randomUUID } from 'node:crypto'
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
import { auditOf, organiserOf, rightAnswers } from '../../../tests/rig/organiser-rig.ts'
import { AFTER, SIX_OF_EACH, satTest } from '../../../tests/rig/results-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeMember, makeSociety, proveAgain } from '../../../tests/rig/society-rig.ts'
import { coveredId } from '../../access/server/reach.ts'
import { removeCandidates } from '../../candidates/server/change.ts'
import type { FormResults } from '../contract.ts'

const rig = useRig()
const coverOf = (id: string) => coveredId(rig.dependencies.secretKey, id)

/** Every text and number of an answer, however deep. */
function valuesOf(value: unknown): unknown[] {
  return value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...valuesOf(inner)])
    : [value]
}

describe('results', () => {
  it('have groups and errors as calculated by hand', async () => {
    const { member } = await satTest(rig, SIX_OF_EACH)
    const { status, body } = await (await member('owner'))('GET')
    expect(status).toBe(200)
    expect(body.state).toBe('over')
    const [form] = body.forms as FormResults[]
    // p is .8, .6, .4, .2 and the variance 2: KR-20 is 4/3·(1 − .8/2).
    expect(form?.reliability).toBeCloseTo(0.8, 10)
    // 1.438390·√.2, and 1.96·√2 times it is 1.783.
    expect(form?.error).toBeCloseTo(0.643268, 5)
    expect(form?.groups).toEqual([
      { high: 4, low: 3, count: 12 },
      { high: 2, low: 1, count: 12 },
      { high: 0, low: 0, count: 6 },
    ])
    expect(form?.errors).toEqual([1, 1, 1, 1, 1])
    const { candidates = [] } = form ?? {}
    expect(candidates.map(({ number }) => number)).toEqual([...Array(30).keys()].map((n) => n + 1))
    expect(candidates.map(({ right }) => right).sort()).toEqual(SIX_OF_EACH)
    expect(candidates.map(({ seconds }) => seconds).sort()).toEqual(
      [...Array(30).keys()].map((n) => 600 + n),
    )
    expect(candidates[0]?.allowedSeconds).toBe(1200)
  })

  it('hide scores under review from every role until a decision', async () => {
    const { member, code } = await satTest(rig, SIX_OF_EACH)
    const look = async (role: 'owner' | 'reviewer') =>
      (await (await member(role))('GET')).body.forms[0] as FormResults
    const { candidates } = await look('owner')
    const { id: covered, number } = candidates[3] as FormResults['candidates'][number]
    const { rows } = await rig.db.$client.query<{ id: string }>(
      'select id from candidates where assessment = $1',
      [code],
    )
    const { id } = rows.find((one) => coverOf(one.id) === covered) as { id: string }
    const report = randomUUID()
    await rig.db.$client.query(
      `insert into incident_reports (id, assessment, candidate_id, happened_at, note, reported_by, reported_at)
       values ($1, $2, $3, $4, 'Whispered.', 'ben', $4)`,
      [report, code, id, rig.clock.now],
    )
    for (const role of ['owner', 'reviewer'] as const) {
      const form = await look(role)
      expect(form.underReview).toEqual([{ id: covered, number, undecided: 1 }])
      expect(form.candidates).toHaveLength(29)
      expect(valuesOf(form.candidates)).not.toContain(covered)
      expect(form.groups?.reduce((sum, { count }) => sum + count, 0)).toBe(29)
    }
    await rig.db.$client.query(
      `insert into incident_verdicts (id, candidate_id, incident, verdict, reason, decided_by, decided_at)
       values ($1, $2, $3, 'cleared', 'Nothing.', 'eva', $4)`,
      [randomUUID(), id, `report:${report}`, rig.clock.now],
    )
    const after = await look('owner')
    expect([after.underReview, after.candidates.length]).toEqual([[], 30])
    const seen = () => after.candidates.find((one: { id: string }) => one.id === covered)
    expect(seen()).toMatchObject({ strikes: 0, isEndedByStrikes: false, upheld: 0 })
  })

  it('show for each score the strikes that count, the tests they ended, and upheld incidents', async () => {
    const { code, member } = await satTest(rig, SIX_OF_EACH)
    const { rows } = await rig.db.$client.query<{ id: string; attempt: string }>(
      `select c.id, a.id as attempt from candidates c join attempts a on a.candidate_id = c.id
       where c.assessment = $1 order by c.id limit 1`,
      [code],
    )
    const { id, attempt } = rows[0] as { id: string; attempt: string }
    const { rows: events } = await rig.db.$client.query<{ id: string }>(
      `insert into attempt_events (candidate_id, attempt_id, kind, window_id, number, at_ms, is_violation, received_at)
       select $1, $2, 'paste', 'w', n, n * 60000, true, $3::timestamptz from generate_series(1, 3) n returning id`,
      [id, attempt, rig.clock.now],
    )
    await rig.db.$client.query(`update attempts set submit_reason = 'violations' where id = $1`, [
      attempt,
    ])
    for (const [index, { id: event }] of events.entries()) {
      await rig.db.$client.query(
        `insert into incident_verdicts (id, candidate_id, incident, verdict, reason, decided_by, decided_at)
         values ($1, $2, $3, $4, 'Why.', 'eva', $5)`,
        [randomUUID(), id, `event:${event}`, index === 0 ? 'cleared' : 'upheld', rig.clock.now],
      )
    }
    await rig.db.$client.query('update attempt_events set voided_at = $2 where id = $1', [
      events[0]?.id,
      rig.clock.now,
    ])
    const { body } = await (await member('reviewer'))('GET')
    const noted = body.forms[0].candidates.filter(
      (one: { strikes: number; upheld: number }) => one.strikes > 0 || one.upheld > 0,
    )
    expect(noted).toMatchObject([
      { id: coverOf(id), strikes: 2, isEndedByStrikes: true, upheld: 2 },
    ])
  })

  it("keep each candidate's number while others are added, start, and are removed", async () => {
    rig.clock.now = DAY
    await freshPulse(rig)
    const { code } = await makeAssessment(rig)
    const numbers = async () => {
      const { rows } = await rig.db.$client.query<{ id: string; number: number }>(
        'select candidate_id as id, number from blind_numbers where assessment = $1 order by 2',
        [code],
      )
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
      { ...organiserOf(rig), code },
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
    ['29 candidates', SIX_OF_EACH.slice(1)],
    // Everybody but one has two or three: what differs is chance.
    ['a reliability under .5', Array.from({ length: 40 }, (_, n) => 2 + (n % 2))],
  ])('of %s have no groups and no errors of scores', async (_, rights) => {
    const { member } = await satTest(rig, rights)
    const { body } = await (await member('owner'))('GET')
    expect(body.forms[0].groups).toBeNull()
    expect(body.forms[0].errors).toBeNull()
    expect(body.forms[0].error === null).toBe(rights.length < 30)
  })

  it('of 14 candidates show scores only', async () => {
    const { member } = await satTest(rig, SIX_OF_EACH.slice(0, 14))
    const { body } = await (await member('owner'))('GET')
    const { candidates, ...rest } = body.forms[0]
    expect(candidates).toHaveLength(14)
    expect(rest).toEqual({
      underReview: [],
      ...{ form: null, items: 4, reliability: null, error: null },
      ...{ groups: null, errors: null },
    })
  })

  it('are shown by form for two forms', async () => {
    const { member, sat, items } = await satTest(rig, [4, 3, 2])
    await rig.db.$client.query(`update assessment_items set form = 'B' where id = $1`, [
      items[3]?.id,
    ])
    await rig.db.$client.query(
      `update attempts set form = case when id = $1 then 'B' else 'A' end where id = any ($2)`,
      [sat[0]?.attemptId, sat.map(({ attemptId }) => attemptId)],
    )
    const { body } = await (await member('owner'))('GET')
    const shown = (body.forms as FormResults[]).map(({ form, items: of, candidates }) => [
      ...[form, of, candidates.map(({ right }) => right).sort()],
    ])
    expect(shown).toEqual([
      ['A', 3, [2, 3]],
      ['B', 4, [4]],
    ])
  })

  it('contain no names', async () => {
    const { member, sat } = await satTest(rig, SIX_OF_EACH)
    for (const role of ['owner', 'reviewer'] as const) {
      const { body } = await (await member(role))('GET')
      const text = JSON.stringify(body)
      for (const { username } of sat) expect(text).not.toContain(`"${username}"`)
      for (const secret of ['Surname', 'student.example', 'Room 2.11']) {
        expect(text).not.toContain(secret)
      }
      const keys = valuesOf(body.forms)
      for (const field of ['name', 'username', 'email', 'room', 'reference', 'attemptId', 'user']) {
        expect(keys).not.toContain(field)
      }
    }
  })

  it('are open to owners and reviewers and not logged', async () => {
    const { member, code } = await satTest(rig, [1])
    expect((await (await member('owner'))('GET')).status).toBe(200)
    expect((await (await member('reviewer'))('GET')).status).toBe(200)
    expect((await (await member('author'))('GET')).status).toBe(404)
    expect((await (await member('invigilator'))('GET')).status).toBe(404)
    expect(await auditOf(rig, code)).toEqual([])
  })

  it('appear when all have finished and no candidate can start', async () => {
    const society = await makeSociety(rig)
    const closesAt = new Date('2026-03-02T10:00:00Z')
    const { code, seat, items } = await startedSeat(rig, { societyId: society.id, closesAt })
    await makeCandidate(rig, code)
    const account = await signUp(rig, 'late.owner@example.com')
    await makeMember(rig, society.id, account.userId, 'owner')
    const state = async () => {
      const path = `/api/societies/${society.id}/assessments/${code}/results`
      const { body } = await rig.call('GET', path, { token: account.token })
      return [body.state, body.insideCount, body.forms.length]
    }
    expect(await state()).toEqual(['inside', 1, 0])
    expect((await seat.submit(rightAnswers(items))).body).toMatchObject({ status: 'submitted' })
    expect(await state()).toEqual(['can_start', 0, 0])
    rig.clock.now = closesAt
    await proveAgain(rig)
    expect(await state()).toEqual(['over', 0, 1])
  })

  it('have the sessions of the season next to each other that the member may see', async () => {
    rig.clock.now = AFTER
    const society = await makeSociety(rig)
    const session = (name: string, people: number, more = {}) =>
      closedSession(rig, {
        societyId: society.id,
        season: 'Autumn',
        people,
        session: name,
        ...more,
      })
    const { code } = await session('Morning', 30)
    const later = await session('Afternoon', 10, { opensAt: new Date(DAY.getTime() + 3_600_000) })
    await session('Another season', 20, { season: 'Spring' })
    await session('Not over', 20, { opensAt: AFTER })
    const look = async (of: Parameters<typeof makeMember>[4], role: 'owner' | 'reviewer') => {
      const { userId, token } = await signUp(rig, `s${randomUUID().slice(0, 8)}@example.com`)
      await makeMember(rig, society.id, userId, role, of)
      const path = `/api/societies/${society.id}/assessments/${code}/results`
      return (await rig.call('GET', path, { token })).body.sideBySide
    }
    const [morning, afternoon, ...others] = await look({}, 'owner')
    expect(others).toEqual([])
    expect(morning).toMatchObject({ code, name: 'Morning', form: null, people: 30, questions: 12 })
    const { low, median, high, mean } = morning.middle
    expect(low < median && median < high && mean > low && mean < high).toBe(true)
    expect(afternoon).toMatchObject({ code: later.code, people: 10, middle: null })
    // One group is next to nothing.
    expect(await look({ assessment: code }, 'reviewer')).toEqual([])
    await rig.db.$client.query(
      `update attempts set form = case when id::text < '8' then 'A' else 'B' end where assessment = $1`,
      [code],
    )
    const forms = await look({ assessment: code }, 'reviewer')
    expect(forms.map(({ form }: { form: string }) => form).sort()).toEqual(['A', 'B'])
  })
})
