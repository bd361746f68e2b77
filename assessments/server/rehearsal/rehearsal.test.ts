import { beforeEach, describe, expect, it } from 'vitest'
import {
  DAY,
  freshPulse,
  makeAssessment,
  makeCandidate,
  moveClock,
} from '../../../tests/rig/assessment-rig.ts'
import { deviceChecksOf, rehearse, tokenOfLink, WELL } from '../../../tests/rig/rehearsal-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeMember, makeSociety } from '../../../tests/rig/society-rig.ts'
import { sweepRehearsals } from '../rehearsal-store.ts'
import { sweepOnce } from '../sweep.ts'

const rig = useRig()
const HOUR_MS = 3_600_000

beforeEach(async () => {
  rig.clock.now = DAY
  await freshPulse(rig)
  await rig.db.$client.query('delete from device_checks')
})

/** Row counts of everything that a rehearsal creates. */
async function countTrials() {
  const { rows } = await rig.db.$client.query(`
    select (select count(*)::int from assessments where trial is not null) as assessments,
      (select count(*)::int from candidates where is_demo) as candidates,
      (select count(*)::int from attempts where is_demo) as attempts,
      (select count(*)::int from rehearsals) as rehearsals`)
  return rows[0]
}

describe('a rehearsal', () => {
  it("by a candidate's personal link uses the normal test calls and stores its findings", async () => {
    const { code } = await makeAssessment(rig, { session: 'Morning' })
    const candidate = await makeCandidate(rig, code)
    const one = await rehearse(rig, { token: tokenOfLink(rig, candidate.id) })
    expect(one.opened).toMatchObject({
      label: expect.stringMatching(/ - Morning$/),
      durationSeconds: 300,
      questionCount: 5,
      keptFor: 'candidate',
    })
    expect(one.started.body).toMatchObject({
      title: `Rehearsal - ${one.opened.label}`,
      remainingMs: 300_000,
      maxViolations: 3,
      status: 'in_progress',
    })
    expect(JSON.stringify(one.started.body)).not.toContain('correct')
    const [first] = one.questions
    const answers = [{ questionId: first?.id, choice: 'B', revision: 1 }]
    expect(
      (await one.call('PUT', `/api/assessments/${one.code}/attempt/answers`, { answers })).status,
    ).toBe(200)
    const events = [{ id: 1, kind: 'copy', at: 10 }]
    const struck = await one.call('POST', `/api/assessments/${one.code}/attempt/events`, { events })
    expect(struck.body.violations).toBe(1)
    expect((await one.check()).body.code).toBe('not_finished')
    expect((await one.finish()).status).toBe(200)
    expect((await one.check()).body).toEqual({
      browser: 'Firefox 140',
      findings: [],
      isReady: true,
      isKept: true,
    })
    expect(await deviceChecksOf(rig)).toEqual([
      { candidate: candidate.id, user: null, troubles: [], browser: 'Firefox 140', offset: 120 },
    ])
  })

  it('keeps the newest of several checks', async () => {
    const { code } = await makeAssessment(rig)
    const candidate = await makeCandidate(rig, code)
    const link = { token: tokenOfLink(rig, candidate.id) }
    const first = await rehearse(rig, link)
    await first.finish()
    await first.check()
    const second = await rehearse(rig, link)
    await second.finish()
    const facts = { ...WELL, clockOffsetMs: 9_000_000_000_000, hasStorage: false }
    expect((await second.check(facts)).body).toMatchObject({ isReady: false, isKept: true })
    expect(await deviceChecksOf(rig)).toMatchObject([
      { candidate: candidate.id, troubles: ['clock', 'storage'], offset: 2_000_000_000 },
    ])
  })

  it("by the assessment's link is open to everyone and stores nothing", async () => {
    const { code } = await makeAssessment(rig)
    const one = await rehearse(rig, { assessment: code })
    expect(one.opened.keptFor).toBe('nobody')
    await one.finish()
    expect((await one.check()).body).toMatchObject({ isReady: true, isKept: false })
    expect(await deviceChecksOf(rig)).toEqual([])
  })

  it('by a helper is stored for the society, with either link and for a draft too', async () => {
    const society = await makeSociety(rig)
    const { code } = await makeAssessment(rig, { societyId: society.id })
    const candidate = await makeCandidate(rig, code)
    const helper = await signUp(rig, 'helper@example.com')
    await makeMember(rig, society.id, helper.userId, 'invigilator')
    await rig.db.$client.query('update assessments set is_draft = true where code = $1', [code])
    for (const link of [{ assessment: code }, { token: tokenOfLink(rig, candidate.id) }]) {
      const one = await rehearse(rig, link, helper)
      expect(one.opened.keptFor).toBe('helper')
      await one.finish()
      await one.check()
      expect(await deviceChecksOf(rig)).toMatchObject([{ candidate: null, user: helper.userId }])
    }
  })

  it('by a member does not create a candidate', async () => {
    const society = await makeSociety(rig)
    const { code } = await makeAssessment(rig, { societyId: society.id })
    const owner = await signUp(rig, 'owner-tries@example.com')
    await makeMember(rig, society.id, owner.userId, 'owner')
    const one = await rehearse(rig, { assessment: code }, owner)
    const page = await rig.call('GET', `/api/societies/${society.id}/assessments/${code}`, {
      token: owner.token,
    })
    expect(page.status).toBe(200)
    // The rehearsal test itself is not visible to members.
    const trial = await rig.call('GET', `/api/societies/${society.id}/assessments/${one.code}`, {
      token: owner.token,
    })
    expect(trial.body.code).toBe('no_society')
  })

  it('ends at the third strike and then reports its findings', async () => {
    const { code } = await makeAssessment(rig)
    const one = await rehearse(rig, { assessment: code })
    const events = [0, 1, 2].map((n) => ({ id: n + 1, kind: 'copy', at: 5_000 * n }))
    await moveClock(rig, 20_000)
    const told = await one.call('POST', `/api/assessments/${one.code}/attempt/events`, { events })
    expect(told.body).toEqual({ violations: 3, status: 'submitted' })
    expect((await one.check()).status).toBe(200)
  })

  it('is not in the list of open assessments', async () => {
    const { code } = await makeAssessment(rig)
    const one = await rehearse(rig, { assessment: code })
    const { body } = await rig.call('GET', '/api/assessments', { token: one.token })
    expect(JSON.stringify(body)).not.toContain('REHEARSAL')
  })

  it('creates one test per assessment, also for simultaneous starts', async () => {
    const { code } = await makeAssessment(rig)
    const all = await Promise.all([0, 1, 2, 3].map(() => rehearse(rig, { assessment: code })))
    expect(new Set(all.map((one) => one.code)).size).toBe(1)
  })

  it("replaces the person's previous one", async () => {
    const { code } = await makeAssessment(rig)
    const guest = await signUp(rig)
    const before = await countTrials()
    const first = await rehearse(rig, { assessment: code }, guest)
    await rehearse(rig, { assessment: code }, guest)
    await rehearse(rig, { assessment: code }, guest)
    expect((await countTrials()).candidates).toBe(before.candidates + 1)
    expect((await first.finish()).body.code).toBe('bad_candidate_token')
  })

  it('is deleted after three hours, except for its stored findings', async () => {
    await moveClock(rig, new Date(DAY.getTime() + 4 * HOUR_MS))
    await sweepRehearsals(rig.db, rig.clock.now)
    expect(await countTrials()).toEqual({
      assessments: 0,
      candidates: 0,
      attempts: 0,
      rehearsals: 0,
    })
    const { code } = await makeAssessment(rig)
    const candidate = await makeCandidate(rig, code)
    const done = await rehearse(rig, { token: tokenOfLink(rig, candidate.id) })
    await done.finish()
    await done.check()
    await rehearse(rig, { assessment: code })
    await moveClock(rig, 2 * HOUR_MS)
    await sweepRehearsals(rig.db, rig.clock.now)
    expect(await countTrials()).toMatchObject({ assessments: 1, candidates: 2, attempts: 2 })
    await moveClock(rig, HOUR_MS + 1_000)
    await sweepOnce(rig.dependencies)
    expect(await sweepRehearsals(rig.db, rig.clock.now)).toBe(2)
    expect(await countTrials()).toEqual({
      assessments: 0,
      candidates: 0,
      attempts: 0,
      rehearsals: 0,
    })
    expect(await deviceChecksOf(rig)).toHaveLength(1)
  })
})
