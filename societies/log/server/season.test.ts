import { describe, expect, it } from 'vitest'
import { sweepOnce } from '../../../assessments/server/sweep.ts'
import { changeTimeOf } from '../../../tests/rig/acts-rig.ts'
import {
  DAY,
  LIMIT,
  makeAssessment,
  moveClock,
  startedSeat,
} from '../../../tests/rig/assessment-rig.ts'
import { auditOf, codeOf, deleteAssessment, organizerOf } from '../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { regradeItem } from '../../results/server/regrade.ts'
import { emptyDeleted, purgeDeleted } from './season.ts'

const rig = useRig({}, DAY)

const afterOpening = new Date(DAY.getTime() + 1_000)
const remove = (code: string) => deleteAssessment(organizerOf(rig), code)
const { sql } = rig
const left = async (code: string) =>
  (
    await sql`select (select count(*)::int from candidates where assessment = ${code}) as candidates,
         (select count(*)::int from attempts where assessment = ${code}) as attempts,
         (select count(*)::int from assessment_items where assessment = ${code}) as items`
  )[0]

describe('deleting a test for good', () => {
  it('leaves its log line and actions only, without names and reasons', async () => {
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

  it('is refused while candidates are inside, or can start now or later, except for a draft', async () => {
    const inside = await startedSeat(rig)
    expect((await codeOf(() => remove(inside.code))).code).toBe('still_inside')
    const inAnHour = new Date(DAY.getTime() + 3_600_000)
    for (const window of [{}, { closesAt: inAnHour }, { opensAt: inAnHour }]) {
      const { code } = await makeAssessment(rig, window)
      expect((await codeOf(() => remove(code))).code).toBe('can_be_started')
      await sql`update assessments set is_draft = true where code = ${code}`
      await remove(code)
      expect((await sql`select from assessments where code = ${code}`).length).toBe(0)
    }
  })

  it('keeps the code, and nothing else can be done with it', async () => {
    const { code } = await makeAssessment(rig, { closesAt: new Date(DAY.getTime() - 1) })
    await remove(code)
    expect((await codeOf(() => remove(code))).code).toBe('assessment_deleted')
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
    // Its seven days are not over.
    expect(await left(code)).toEqual({ candidates: 1200, attempts: 50, items: 4 })
    rig.clock.now = new Date(DAY.getTime() + 7 * 24 * 3_600_000)
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
