import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { sweepOnce } from '../../assessments/server/sweep.ts'
import { DAY, moveClock, startedSeat } from '../../tests/rig/assessment-rig.ts'
import { auditOf, organiserOf, refusalOf } from '../../tests/rig/organiser-rig.ts'
import { useRig } from '../../tests/rig/rig.ts'
import { setExtraTime } from './incidents/extra-time.ts'
import { regradeItem } from './results/regrade.ts'
import { deleteAssessment } from './season.ts'
import { readStatus } from './status.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

const LIMIT = 1_200_000

describe('deleting a season', () => {
  it('leaves nothing of it but the actions, without names and reasons', async () => {
    const { seat, code, candidate, items } = await startedSeat(rig)
    await seat.save([{ questionId: items[0]?.id ?? 0, choice: 'A', revision: 1 }])
    await regradeItem(organiserOf(rig), code, 1, { accept: 'B' }, 'a private reason')
    await setExtraTime(organiserOf(rig), code, candidate.username, 60)
    await moveClock(rig, LIMIT + 71_000)
    await sweepOnce(rig.dependencies)
    const other = await startedSeat(rig)
    expect(await deleteAssessment(organiserOf(rig), code, code)).toEqual({
      candidates: 1,
      attempts: 1,
      events: 5,
      items: 4,
    })
    const { rows } = await rig.db.execute(sql`
      select (select count(*)::int from assessments where code = ${code}) as assessments,
        (select count(*)::int from assessment_items where assessment = ${code}) as items,
        (select count(*)::int from candidates where assessment = ${code}) as candidates,
        (select count(*)::int from attempts where assessment = ${code}) as attempts,
        (select count(*)::int from attempt_events where candidate_id = ${candidate.id}) as events`)
    expect(rows).toEqual([{ assessments: 0, items: 0, candidates: 0, attempts: 0, events: 0 }])
    const audit = await auditOf(rig, code)
    expect(audit.map(({ action }) => action)).toEqual(['regrade', 'extra-time', 'delete'])
    expect(JSON.stringify(audit)).not.toMatch(/private reason|candidate-/)
    expect((await other.seat.status()).body.status).toBe('in_progress')
  })

  it('is refused without its code a second time, and while somebody is inside', async () => {
    const { code, candidate } = await startedSeat(rig)
    const remove = (confirm: string) => deleteAssessment(organiserOf(rig), code, confirm)
    expect(await refusalOf(() => remove('PCF'))).toMatch(/Nothing was deleted/)
    expect(await refusalOf(() => remove(code))).toMatch(
      new RegExp(`${candidate.username} is still inside`),
    )
    expect((await readStatus(organiserOf(rig), code)).candidates).toHaveLength(1)
  })
})
