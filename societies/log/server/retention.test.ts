import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sweepOnce } from '../../../assessments/server/sweep.ts'
import { changeTimeOf } from '../../../tests/rig/acts-rig.ts'
import {
  DAY,
  LIMIT,
  makeAssessment,
  makeCandidate,
  moveClock,
  startedSeat,
  takeSeat,
} from '../../../tests/rig/assessment-rig.ts'
import { watchLog } from '../../../tests/rig/auth-rig.ts'
import {
  auditOf,
  codeOf,
  deleteAssessment,
  organizerOf,
  rightAnswers,
} from '../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { makeMember, makeSociety, useSociety } from '../../../tests/rig/society-rig.ts'
import { RETENTION_MAIL } from '../../access/server/assessments.ts'
import { createSocietyMails } from '../../access/server/mails.ts'
import { changeSettings as changeSociety, readSettings } from '../../access/server/societies.ts'
import { regradeItem } from '../../results/server/regrade.ts'
import { changeSettings as changeTest } from '../../setup/server/settings.ts'
import { deleteByDate, setKeepUntil, warnOfDeletion } from './retention.ts'
import { emptyDeleted, purgeDeleted } from './season.ts'

const rig = useRig({}, DAY)
watchLog(rig)
const { here, call } = useSociety(rig)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const after = (days: number) => new Date(DAY.getTime() + days * DAY_MS)
/** Makes a test that closed today and whose candidates have finished. */
async function closed(more: { closesAt?: Date } = {}) {
  const found = await startedSeat(rig, {
    societyId: here.id,
    closesAt: new Date(DAY.getTime() + 60_000),
    ...more,
  })
  await found.seat.submit(rightAnswers(found.items))
  return found
}
const warn = () => warnOfDeletion(rig.dependencies)
const sweep = () => deleteByDate(rig.dependencies)
const set = (code: string, keepUntil: Date | null) =>
  call('PUT', `/assessments/${code}/keep-until`, { keepUntil })
const { sql } = rig
const kept = async (code: string) =>
  (
    await sql`select a.deleted_at is not null as deleted, a.keep_warned_at as warned,
         (select count(*)::int from attempts where assessment = a.code) as attempts
       from assessments a where code = ${code}`
  )[0]
const mailsOf = async () =>
  await sql`select about from mails where kind = ${RETENTION_MAIL}
    and recipient = ${here.owner.email} order by created_at`

describe('stored answers and names', () => {
  it('are kept for twelve months after the close; owners are warned fourteen days before', async () => {
    const { code } = await closed()
    rig.clock.now = after(365 - 15)
    expect(await warn()).toEqual([])
    rig.clock.now = after(365 - 13)
    expect(await warn()).toEqual([code])
    expect(await warn()).toEqual([])
    expect(await mailsOf()).toEqual([{ about: here.id }])
    rig.clock.now = after(365.5)
    // The warning was sent less than fourteen days ago.
    expect(await sweep()).toEqual([])
    rig.clock.now = after(366)
    expect(await sweep()).toEqual([code])
    expect(await kept(code)).toMatchObject({ deleted: true, attempts: 0 })
  })

  it('stay when the society has no owner to object, or candidates are still taking the test', async () => {
    const { code } = await closed()
    const late = await makeCandidate(rig, code)
    await sql`update memberships set ended_at = ${DAY} where user_id = ${here.owner.userId}`
    rig.clock.now = after(800)
    expect(await warn()).toEqual([])
    await sql`update memberships set ended_at = null where user_id = ${here.owner.userId}`
    expect(await warn()).toEqual([code])
    await sql`update assessments set closes_at = null where code = ${code}`
    const { start } = await takeSeat(rig, code, late.username)
    expect((await start()).status).toBe(200)
    await sql`update assessments set closes_at = ${DAY} where code = ${code}`
    rig.clock.now = after(815)
    expect(await sweep()).toEqual([])
    expect(await kept(code)).toMatchObject({ deleted: false, attempts: 2 })
  })

  it('of drafts, samples and tests without candidates are not deleted by date', async () => {
    const { code } = await makeAssessment(rig, { societyId: here.id })
    rig.clock.now = after(5_000)
    expect([await warn(), await sweep()]).toEqual([[], []])
    expect(await kept(code)).toMatchObject({ deleted: false, warned: null })
  })

  it('of a test without an end go twelve months after its last start or newest candidate, with a warning', async () => {
    const { code, seat, items } = await startedSeat(rig, { societyId: here.id })
    rig.clock.now = after(500)
    expect(await warn()).toEqual([])
    rig.clock.now = DAY
    await seat.submit(rightAnswers(items))
    rig.clock.now = after(365 - 13)
    expect(await warn()).toEqual([code])
    const late = await makeCandidate(rig, code, 'late')
    await sql`update candidates set created_at = ${rig.clock.now} where id = ${late.id}`
    rig.clock.now = after(366)
    expect(await sweep()).toEqual([])
    rig.clock.now = after(2 * 365 - 13 - 12)
    expect(await warn()).toEqual([code])
    rig.clock.now = after(2 * 365 + 3)
    expect(await sweep()).toEqual([code])
    expect(await kept(code)).toMatchObject({ deleted: true, attempts: 0 })
  })

  it('leave numbers without names for fifteen or more candidates, and nothing for fewer', async () => {
    const { code, items } = await closed()
    const few = await closed()
    for (let n = 0; n < 14; n++) {
      const candidate = await makeCandidate(rig, code)
      const seat = await takeSeat(rig, code, candidate.username)
      await seat.start()
      const answers = rightAnswers(items).map((answer, at) =>
        n < 7 && at > 0 ? { ...answer, choice: answer.choice === 'D' ? 'C' : 'D' } : answer,
      )
      expect((await seat.submit(answers)).status).toBe(200)
    }
    rig.clock.now = after(400)
    await warn()
    rig.clock.now = after(415)
    expect((await sweep()).sort()).toEqual([code, few.code].sort())
    const rows = await sql`
      select assessment, content from kept_statistics where assessment = any (${[code, few.code]})`
    expect(rows.map(({ assessment }) => assessment)).toEqual([code])
    expect(rows[0].content).toMatchObject({ candidates: 15 })
    expect(rows[0].content.questions).toHaveLength(items.length)
    const [first, second] = rows[0].content.questions
    expect(first).toMatchObject({ asked: 15, right: 15 })
    expect(second).toMatchObject({ asked: 15, right: 8 })
    expect(first.chosen.toSorted()).toEqual([0, 0, 0, 0, 15])
    expect(second.chosen.toSorted()).toEqual([0, 0, 0, 7, 8])
    // Seven candidates have one right answer and eight have four.
    expect(rows[0].content.mean).toBeCloseTo(2.6, 12)
    expect(rows[0].content.sd).toBeCloseTo(Math.sqrt(33.6 / 14), 12)
  })
})

describe('a warning of a deletion', () => {
  const member = () => ({ ...organizerOf(rig), societyId: here.id }) as never
  const setMonths = async (retentionMonths: number) => {
    const was = await readSettings(rig.db.$client, here.id)
    await changeSociety(member(), { ...was, was, retentionMonths })
  }
  const setClose = (code: string) => async (closes: string) => {
    const [row] = await sql`select version from assessments where code = ${code}`
    const asked = { version: row.version, change: { closes } }
    await changeTest({ ...(member() as object), code } as never, asked as never)
  }

  it('is valid for that day only: after two changes of the months all owners are warned again', async () => {
    const { code } = await closed()
    rig.clock.now = after(365 - 13)
    expect(await warn()).toEqual([code])
    // One owner extends the retention, and weeks later another one shortens it again.
    await setMonths(24)
    rig.clock.now = after(365 + 27)
    expect([await warn(), await sweep()]).toEqual([[], []])
    await setMonths(12)
    expect([await sweep(), await warn()]).toEqual([[], [code]])
    expect(await mailsOf()).toHaveLength(2)
    rig.clock.now = after(365 + 27 + 13)
    expect(await sweep()).toEqual([])
    rig.clock.now = after(365 + 27 + 15)
    expect(await sweep()).toEqual([code])
  })

  it('is valid for that day only, even if another start deadline is set and reset', async () => {
    const [{ code }, { code: same }] = [await closed(), await closed()]
    rig.clock.now = after(365 - 13)
    expect((await warn()).sort()).toEqual([code, same].sort())
    // Other changes keep the warning valid.
    const was = await readSettings(rig.db.$client, here.id)
    await changeSociety(member(), { ...was, was, contact: 'Ana' })
    await setClose(code)('2027-06-01 10:00')
    await setClose(code)('2026-03-02 10:00')
    rig.clock.now = after(365 + 27)
    expect([await sweep(), await warn()]).toEqual([[same], [code]])
    rig.clock.now = after(365 + 27 + 15)
    expect(await sweep()).toEqual([code])
  })
})

describe('answers of a candidate who starts at another time, after the warning of the deletion', () => {
  it('are kept as long as all others, and owners are warned again', async () => {
    const { code, items } = await closed()
    rig.clock.now = after(365 - 13)
    expect(await warn()).toEqual([code])
    const late = await makeCandidate(rig, code)
    const warned = async () => (await kept(code)).warned
    const setStart = (from: number, until: number) =>
      sql`update candidates set starts_from = ${after(from)}, starts_until = ${after(until)}
        where id = ${late.id}`
    await setStart(365 - 13, 365 + 2)
    expect(await warned()).toBeNull()
    await sql`update assessments set keep_warned_at = ${rig.clock.now} where code = ${code}`
    await sql`update candidates set starts_from = null, starts_until = null where id = ${late.id}`
    expect(await warned()).toBeNull()
    await setStart(365 - 13, 365 + 2)
    await sql`update assessments set keep_warned_at = ${rig.clock.now} where code = ${code}`
    rig.clock.now = after(365 + 1)
    const { start, submit } = await takeSeat(rig, code, late.username)
    expect((await start()).status).toBe(200)
    expect((await submit(rightAnswers(items))).status).toBe(200)
    // The test's own deletion date is earlier, so only the start window voids the warning.
    await sql`update assessments set keep_until = ${after(365 + 3)} where code = ${code}`
    rig.clock.now = after(365 + 4)
    expect(await sweep()).toEqual([])
    expect(await warn()).toEqual([code])
    await sql`update assessments set keep_until = null where code = ${code}`
    rig.clock.now = after(2 * 365 - 1)
    expect(await sweep()).toEqual([])
    rig.clock.now = after(2 * 365 + 3)
    expect(await sweep()).toEqual([code])
  })

  it('are in no warning while candidates can start', async () => {
    const { code } = await closed()
    await sql`update assessments set keep_until = ${after(20)} where code = ${code}`
    const late = await makeCandidate(rig, code)
    await sql`update candidates set starts_from = ${after(6)}, starts_until = ${after(8)}
      where id = ${late.id}`
    rig.clock.now = after(7)
    expect(await warn()).toEqual([])
    rig.clock.now = after(9)
    expect(await warn()).toEqual([code])
    rig.clock.now = after(24)
    expect(await sweep()).toEqual([code])
  })
})

describe("a test's own deletion date", () => {
  it('replaces the society’s, is logged, and restarts the warning', async () => {
    const { code } = await closed()
    const day = after(30)
    expect((await set(code, day)).body).toEqual({ keepUntil: day.toISOString() })
    rig.clock.now = after(17)
    expect(await warn()).toEqual([code])
    const later = after(60)
    await setKeepUntil({ ...organizerOf(rig), code }, later)
    expect(await kept(code)).toMatchObject({ warned: null })
    rig.clock.now = after(40)
    expect([await warn(), await sweep()]).toEqual([[], []])
    rig.clock.now = DAY
    const read = async (path: string) => (await call('GET', `/${path}`)).body
    const dated = { until: later.toISOString(), hasOwnDay: true, warnedAt: null }
    expect((await read('checklists')).assessments).toMatchObject([{ code, kept: dated }])
    expect((await read(`assessments/${code}/settings`)).kept).toEqual(dated)
    expect((await set(code, null)).body.keepUntil.slice(0, 4)).toBe('2027')
  })

  it('closer than fourteen days is refused, so that a date cannot delete a season immediately', async () => {
    const { code } = await closed()
    const { status, body } = await set(code, after(13))
    expect([status, body.code]).toEqual([400, 'kept_too_short'])
    expect(await kept(code)).toMatchObject({ deleted: false })
    const draft = await makeAssessment(rig, { societyId: here.id })
    await sql`update assessments set is_draft = true where code = ${draft.code}`
    expect((await set(draft.code, after(30))).body.code).toBe('nobody_sat')
  })
})

describe('the deletion warning to owners', () => {
  const letter = () =>
    createSocietyMails({
      db: rig.db,
      now: () => rig.clock.now,
      publicUrl: 'https://superday.example',
      secretKey: rig.dependencies.secretKey,
    })[RETENTION_MAIL].write({
      ...{ id: randomUUID(), kind: RETENTION_MAIL, recipient: here.owner.email, about: here.id },
      ...{ priority: 0, tries: 0, closedAt: null, lastError: null },
      ...{ createdAt: rig.clock.now, nextTryAt: rig.clock.now },
    })

  it('names the tests and dates, and is not sent if the date changed meanwhile', async () => {
    const { code } = await closed()
    rig.clock.now = after(360)
    await warn()
    expect((await letter())?.text).toContain(`${code}: on 11 March 2027.`)
    await setKeepUntil({ ...organizerOf(rig), code }, after(500))
    expect(await letter()).toBeNull()
  })

  it("also lists a test that closes hours later, and another society's", async () => {
    await closed()
    const afternoon = await closed({ closesAt: new Date(DAY.getTime() + 5 * HOUR_MS) })
    const other = await makeSociety(rig)
    await makeMember(rig, other.id, here.owner.userId, 'owner')
    const elsewhere = await makeAssessment(rig, {
      societyId: other.id,
      closesAt: new Date(DAY.getTime() + 6 * HOUR_MS),
    })
    for (const hours of [1, 5.5, 6.5]) {
      rig.clock.now = new Date(after(351).getTime() + hours * HOUR_MS)
      await warn()
    }
    expect((await kept(afternoon.code)).warned).toEqual(
      new Date(after(351).getTime() + 5.5 * HOUR_MS),
    )
    expect((await kept(elsewhere.code)).warned).toEqual(rig.clock.now)
    expect((await mailsOf()).map(({ about }) => about)).toEqual([here.id, here.id, other.id])
  })
})

const remove = (code: string) => deleteAssessment(organizerOf(rig), code)
const left = async (code: string) =>
  (
    await sql`select (select count(*)::int from candidates where assessment = ${code}) as candidates,
         (select count(*)::int from attempts where assessment = ${code}) as attempts,
         (select count(*)::int from assessment_items where assessment = ${code}) as items`
  )[0]

describe('deleting a test for good', () => {
  const afterOpening = new Date(DAY.getTime() + 1_000)

  it('leaves only its log line and actions, without names and reasons', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig, { closesAt: afterOpening })
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }])
    await regradeItem(
      { ...organizerOf(rig), code },
      1,
      { kind: 'accept', option: 'B' },
      'a private reason',
    )
    await changeTimeOf(rig, code, 'plan', 60, candidate.id)
    await moveClock(rig, LIMIT + 71_000)
    await sweepOnce(rig.dependencies)
    const other = await startedSeat(rig)
    rig.clock.now = new Date(afterOpening.getTime() + 1)
    await remove(code)
    expect(await left(code)).toEqual({ candidates: 0, attempts: 0, items: 0 })
    const rows = await sql`
      select deleted_at as at, exists (select from attempt_events where candidate_id = ${candidate.id}) as "hasEvents"
       from assessments where code = ${code}`
    expect(rows).toEqual([{ at: rig.clock.now, hasEvents: false }])
    const audit = await auditOf(rig, code)
    expect(audit.map(({ action }) => action)).toEqual(['regrade', 'plan-time', 'delete'])
    expect(JSON.stringify(audit)).not.toMatch(/private reason|candidate-/)
    expect(audit.at(-1)?.detail).toEqual({ candidates: 1, attempts: 1, events: 5, items: 4 })
    expect((await other.seat.status()).body.status).toBe('in_progress')
  })

  it('is refused while candidates are taking the test, or can start now or later, except for a draft', async () => {
    const inside = await startedSeat(rig)
    expect((await codeOf(() => remove(inside.code))).code).toBe('still_inside')
    const inAnHour = new Date(DAY.getTime() + HOUR_MS)
    for (const window of [{}, { closesAt: inAnHour }, { opensAt: inAnHour }]) {
      const { code } = await makeAssessment(rig, window)
      expect((await codeOf(() => remove(code))).code).toBe('can_be_started')
      await sql`update assessments set is_draft = true where code = ${code}`
      await remove(code)
      expect((await sql`select from assessments where code = ${code}`).length).toBe(0)
    }
  })

  it('continues after an interruption, in batches', async () => {
    const { code } = await makeAssessment(rig, { closesAt: new Date(DAY.getTime() - 1) })
    await sql`insert into candidates (id, assessment, username, password_hash, created_at)
       select gen_random_uuid(), ${code}, 'n' || n, decode('00', 'hex'), now() from generate_series(1, 1200) n`
    await sql`insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, submitted_at,
         submit_reason, window_id, is_demo)
       select gen_random_uuid(), ${code}, id, '{}', now() - interval '1 hour', now(), now(), 'candidate', 'w', false
       from candidates where assessment = ${code} limit 50`
    await sql`update assessments set deleted_at = ${DAY} where code = ${code}`
    await sql`insert into assessment_deletions (id, assessment, requested_at, requested_by_name)
       values (gen_random_uuid(), ${code}, ${DAY}, 'ana')`
    await purgeDeleted(rig.dependencies)
    await emptyDeleted(rig.db)
    // The seven days aren't over yet.
    expect(await left(code)).toEqual({ candidates: 1200, attempts: 50, items: 4 })
    rig.clock.now = after(7)
    await purgeDeleted(rig.dependencies)
    let batches = 0
    await emptyDeleted(rig.db, () => {
      batches += 1
      return batches > 3
    })
    expect(await left(code)).toEqual({ candidates: 700, attempts: 0, items: 4 })
    await emptyDeleted(rig.db)
    expect(await left(code)).toEqual({ candidates: 0, attempts: 0, items: 0 })
  })
})
