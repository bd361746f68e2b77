import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeAssessment, makeCandidate, takeSeat } from '../../../tests/rig/assessment-rig.ts'
import { watchLog } from '../../../tests/rig/auth-rig.ts'
import { makeContent, makeDesk } from '../../../tests/rig/questions/questions-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'

const rig = useRig()
watchLog(rig)

type Desk = Awaited<ReturnType<typeof makeDesk>>
let desk: Desk
const call: Desk['call'] = (...input) => desk.call(...input)
const list: Desk['list'] = (...input) => desk.list(...input)

beforeEach(async () => {
  desk = await makeDesk(rig)
})

describe('the society’s question bank', () => {
  it('has the latest version of each question from the tests that the member can see', async () => {
    const spring = await makeAssessment(rig, { societyId: desk.society.id, itemCount: 2 })
    const summer = await makeAssessment(rig, { societyId: desk.society.id, itemCount: 0 })
    const [first, second] = (await list(desk.owner, spring.code)).items
    await call('POST', '/take', { questions: [first.questionId] }, desk.owner, summer.code)
    const changed = { content: makeContent({ topic: 'Bonds' }), version: 1 }
    await call('PUT', `/${first.questionId}/content`, changed, desk.owner, summer.code)
    const { body: bank } = await call('GET', '/bank')
    expect(bank).toHaveLength(2)
    const of = new Map(
      bank.map((one: { questionId: string; code: string }) => [one.questionId, one.code]),
    )
    expect(of).toEqual(
      new Map([
        [first.questionId, summer.code],
        [second.questionId, spring.code],
      ]),
    )
    expect(JSON.stringify(bank)).not.toContain('A coupon')

    const narrow = await desk.member('narrow', 'author', { assessment: desk.code })
    expect((await call('GET', '/bank', undefined, narrow)).body).toEqual([])
    const sits = await desk.member('sits', 'owner')
    const candidate = await makeCandidate(rig, spring.code)
    await takeSeat(rig, spring.code, candidate.username, sits)
    const { body: withoutSpring } = await call('GET', '/bank', undefined, sits)
    expect(withoutSpring.map((one: { code: string }) => one.code)).toEqual([summer.code])
  })

  it('adds a copy of each chosen question once', async () => {
    const spring = await makeAssessment(rig, { societyId: desk.society.id, itemCount: 3 })
    const ids = (await list(desk.owner, spring.code)).items.map(
      (one: { questionId: string }) => one.questionId,
    )
    const taken = await call('POST', '/take', { questions: [ids[2], ids[0], ids[2], randomUUID()] })
    expect(taken.body).toEqual({ added: 2 })
    expect((await call('POST', '/take', { questions: [ids[2]] })).body).toEqual({ added: 0 })
    const { items } = await list()
    expect(items.slice(4).map((one: { questionId: string }) => one.questionId)).toEqual([
      ids[2],
      ids[0],
    ])
    // Taken out here after a change and in again as it stands there: the versions of here go on.
    const path = `/${ids[0]}`
    await call('PUT', `${path}/content`, { content: makeContent(), version: 1 })
    await call('POST', `${path}/remove`, { version: 2 })
    await call('POST', '/take', { questions: [ids[0]] })
    const saved = await call('PUT', `${path}/content`, {
      content: makeContent({ topic: 'New' }),
      version: 1,
    })
    expect(saved.body.version).toBe(3)
    expect((await call('GET', `${path}/versions`)).body[0].content.topic).toBe('New')
  })
})
