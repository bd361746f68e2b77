import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { auditOf } from '../../../tests/rig/organizer-rig.ts'
import { satTest } from '../../../tests/rig/results-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { callerOf } from '../../../tests/rig/society-rig.ts'
import { coveredId } from '../../access/server/reach.ts'

// A member compares one pair, with a reason (product 7.16.15).
const rig = useRig()

/** Creates a test with these numbers of questions and candidates, each with at least 10 right answers. */
async function taken(people: number, itemCount: number) {
  const rights = Array.from({ length: people }, (_, at) => 10 + (at % 5))
  const test = await satTest(rig, rights, { itemCount })
  const call = await callerOf(rig, test.society.id, 'owner')
  const path = `/assessments/${test.code}/incidents/compare`
  const owner = (body?: unknown) => call(body ? 'POST' : 'GET', path, body)
  const picked = (at: number) => ({
    candidate: coveredId(rig.dependencies.secretKey, test.sat[at]?.id ?? ''),
  })
  const pair = (first: number, second: number, more = {}) => ({
    ...{ first: picked(first), second: picked(second) },
    ...{ reason: 'Seen talking.', ...more },
  })
  return { ...test, owner, pair }
}

describe('two candidates', () => {
  it('are compared with the expected agreement, and the reason is in the log', async () => {
    const { code, sat, owner, pair } = await taken(25, 24)
    expect((await owner()).body).toEqual({ refusal: null })
    const { body } = await owner(pair(0, 4))
    // One candidate has the first 10 right, the other the first 14. Both chose the same wrong option in the last 10.
    expect(body).toMatchObject({ people: 25, answered: 24, same: 20, sameWrong: 10 })
    expect(body.usual.same).toBeGreaterThan(body.usual.sameWrong)
    expect(JSON.stringify(body)).not.toContain(sat[0]?.id)
    // The log uses the names or numbers that the member chose.
    const [first, second] = [0, 1].map((at) => ({ listed: sat[at]?.id }))
    expect((await owner(pair(0, 1, { first, second }))).status).toBe(200)
    const rows = await rig.sql`
      select number from blind_numbers where candidate_id = any (${[sat[0]?.id, sat[4]?.id]}::uuid[])
       order by array_position(${[sat[0]?.id, sat[4]?.id]}::uuid[], candidate_id)`
    const numbers = rows.map(({ number }) => number)
    const reason = 'Seen talking.'
    expect(await auditOf(rig, code)).toMatchObject([
      { action: 'compare-candidates', detail: { usernames: [], numbers, reason } },
      { detail: { usernames: ['sat.0', 'sat.1'], numbers: [], reason } },
    ])
  })

  it('are compared only with a reason, if they are two people named in the same way', async () => {
    const { code, sat, owner, pair } = await taken(20, 20)
    expect((await owner(pair(0, 1, { reason: '  ' }))).status).toBe(400)
    expect((await owner(pair(3, 3))).body.code).toBe('same_candidate')
    for (const at of [0, 1]) {
      // The error is the same whether or not both ids are one person.
      const mixed = pair(0, 1, { second: { listed: sat[at]?.id } })
      expect((await owner(mixed)).body.code).toBe('mixed_pair')
    }
    const stranger = { candidate: randomUUID() }
    expect((await owner(pair(0, 1, { second: stranger }))).status).toBe(404)
    expect(await auditOf(rig, code)).toEqual([])
  })

  it.each([
    [19, 24],
    [25, 19],
  ])('are not compared among %i candidates with %i questions', async (people, questions) => {
    const { code, owner, pair } = await taken(people, questions)
    expect((await owner()).body.refusal).toMatch(
      `Here ${people} candidates have finished, and ${questions} questions count.`,
    )
    expect(await owner(pair(0, 1))).toMatchObject({ status: 409, body: { code: 'too_few' } })
    expect(await auditOf(rig, code)).toEqual([])
  })

  it('are not compared while a candidate is still taking the test', async () => {
    const { sat, owner, pair } = await taken(25, 20)
    await rig.sql`update attempts set submitted_at = null, submit_reason = null
      where id = ${sat[24]?.attemptId}`
    expect((await owner()).body.refusal).toMatch(/^Some candidates are still taking the test/)
    expect((await owner(pair(0, 1))).body.code).toBe('still_inside')
  })

  it('with different forms are compared by the common questions', async () => {
    const { code, sat, items, owner, pair } = await taken(40, 24)
    const setForms = async (common: number) => {
      await rig.sql`update assessment_items set form = case when position <= ${common} then null
           when position % 2 = 0 then 'A' else 'B' end where assessment = ${code}`
    }
    await setForms(20)
    const paper = (form: number) =>
      items.filter((_, at) => at < 20 || (at + 1) % 2 === form).map(({ id }) => id)
    for (const [at, { attemptId }] of sat.entries()) {
      await rig.sql`update attempts set form = ${at % 2 === 0 ? 'A' : 'B'}, paper = ${paper(at % 2)}
        where id = ${attemptId}`
    }
    expect((await owner(pair(0, 1))).body).toMatchObject({ answered: 20, people: 40 })
    expect((await owner(pair(0, 2))).body).toMatchObject({ answered: 22, people: 20 })
  })
})
