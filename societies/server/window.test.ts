import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { DAY, makeAssessment, startedSeat } from '../../tests/rig/assessment-rig.ts'
import { attemptOf, auditOf, organiserOf, refusalOf } from '../../tests/rig/organiser-rig.ts'
import { useRig } from '../../tests/rig/rig.ts'
import { setWindow, type WindowChange } from './window.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const stateOf = async (code: string) =>
  (await rig.db.execute(sql`select * from assessments where code = ${code}`)).rows[0]

describe('the time window of a test', () => {
  it('is set in the named zone, and the audit log has its earlier value (time-zone confusion about the window)', async () => {
    const { code } = await makeAssessment(rig, { opensAt: DAY })
    const set = await setWindow(organiserOf(rig), code, {
      opensAt: new Date('2026-03-05T23:00:00Z'),
      closesAt: new Date('2026-03-05T23:30:00Z'),
      timeZone: 'America/New_York',
    })
    expect(set).toEqual({
      code,
      timeZone: 'America/New_York',
      opensAt: new Date('2026-03-05T23:00:00Z'),
      closesAt: new Date('2026-03-05T23:30:00Z'),
      startedCount: 0,
    })
    const [audit] = await auditOf(rig, code)
    expect(audit).toMatchObject({
      action: 'window',
      detail: { opensAt: '2026-03-05T23:00:00.000Z', before: { opensAt: DAY.toISOString() } },
    })
  })

  it('can be made unlimited at both ends again', async () => {
    const { code } = await makeAssessment(rig, { opensAt: DAY, closesAt: new Date(+DAY + 1000) })
    const set = await setWindow(organiserOf(rig), code, { opensAt: null, closesAt: null })
    expect([set.opensAt, set.closesAt]).toEqual([null, null])
  })

  it('moved during a test leaves that test its time (organizer moves the end while the test runs)', async () => {
    const { seat, code, candidate } = await startedSeat(rig)
    const before = await attemptOf(rig, candidate.id)
    const set = await setWindow(organiserOf(rig), code, { closesAt: DAY })
    expect(set.startedCount).toBe(1)
    expect((await seat.status()).body).toMatchObject({
      status: 'in_progress',
      remainingMs: 1_200_000,
    })
    expect(await attemptOf(rig, candidate.id)).toEqual(before)
  })

  it.each<[string, WindowChange, RegExp]>([
    ['nothing', {}, /Nothing to set/],
    ['an end before the beginning', { closesAt: new Date(+DAY - 1000) }, /close before it opens/],
    ['an abbreviated zone', { timeZone: 'EST' }, /no named time zone/],
    ['another zone alone', { timeZone: 'Europe/London' }, /give --opens and --closes too/],
  ])('refuses %s and changes nothing', async (_, change, message) => {
    const { code } = await makeAssessment(rig, { opensAt: DAY })
    const before = await stateOf(code)
    expect(await refusalOf(() => setWindow(organiserOf(rig), code, change))).toMatch(message)
    expect(await stateOf(code)).toEqual(before)
    expect(await auditOf(rig, code)).toEqual([])
  })

  it('of an unknown assessment is refused with a list of the existing ones', async () => {
    const { code } = await makeAssessment(rig)
    const refusal = await refusalOf(() => setWindow(organiserOf(rig), 'NOPE', { opensAt: null }))
    expect(refusal).toMatch(/^There is no assessment NOPE; there are: /)
    expect(refusal).toContain(code)
  })
})
