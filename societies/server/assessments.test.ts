import { describe, expect, it } from 'vitest'
import { DAY, makeCandidate, startedSeat } from '../../tests/rig/assessment-rig.ts'
import { organiserOf } from '../../tests/rig/organiser-rig.ts'
import { useRig } from '../../tests/rig/rig.ts'
import { listAssessments } from './assessments.ts'

const rig = useRig()

describe('the list of tests', () => {
  it('has questions, candidates and running attempts, without demo candidates', async () => {
    const { code } = await startedSeat(rig, { itemCount: 7 })
    await makeCandidate(rig, code)
    await makeCandidate(rig, code, undefined, { revokedAt: DAY })
    await makeCandidate(rig, code, 'demo', { isDemo: true })
    const listed = (await listAssessments(organiserOf(rig))).find((one) => one.code === code)
    expect(listed).toMatchObject({
      itemCount: 7,
      candidateCount: 2,
      runningCount: 1,
      submittedCount: 0,
      isSample: false,
    })
  })
})
