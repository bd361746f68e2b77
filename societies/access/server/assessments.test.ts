import { describe, expect, it } from 'vitest'
import { DAY, makeCandidate, startedSeat } from '../../../tests/rig/assessment-rig.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { makeMember } from '../../../tests/rig/society-rig.ts'
import { listReachedWith } from './assessments.ts'

const rig = useRig()

describe('the list of tests', () => {
  it('has questions, candidates and running attempts, without demo candidates', async () => {
    const { code } = await startedSeat(rig, { itemCount: 7 })
    await makeCandidate(rig, code)
    await makeCandidate(rig, code, undefined, { revokedAt: DAY })
    await makeCandidate(rig, code, 'demo', { isDemo: true })
    const { rows } = await rig.db.$client.query(
      'select society_id as id from assessments where code = $1',
      [code],
    )
    const { userId } = await signUp(rig, 'owner@example.com')
    await makeMember(rig, rows[0].id, userId, 'owner')
    const of = { societyId: rows[0].id, userId, code }
    const [listed] = await listReachedWith(rig.db.$client, rig.clock.now, of)
    expect(listed).toMatchObject({
      itemCount: 7,
      candidateCount: 2,
      runningCount: 1,
      submittedCount: 0,
      isSample: false,
    })
  })
})
