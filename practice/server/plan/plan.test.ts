import { expect, it } from 'vitest'
import { signUp, useRig } from '../../../tests/rig/rig.ts'

const rig = useRig()
const PLAN = {
  interviewOn: '2026-12-14',
  minutesADay: 20,
  role: 'sales-and-trading',
  daysOff: [7, 6],
  startedOn: '2026-03-02',
}

async function planOf(token: string) {
  const { body } = await rig.call('GET', '/api/practice/today?timeZone=UTC', { token })
  return body.plan === null ? null : body.plan.plan
}

it('a plan is absent at first and can be saved, changed and deleted', async () => {
  const { token } = await signUp(rig)
  const read = () => planOf(token)
  expect(await read()).toBeNull()
  const made = await rig.call('PUT', '/api/practice/plan', { token, body: PLAN })
  expect([made.status, made.body.plan]).toEqual([200, { ...PLAN, daysOff: [6, 7] }])
  expect(await read()).toEqual(made.body.plan)
  const changed = { ...PLAN, interviewOn: null, daysOff: [] }
  await rig.call('PUT', '/api/practice/plan', { token, body: changed })
  expect(await read()).toEqual(changed)
  await rig.call('DELETE', '/api/practice/plan', { token })
  expect(await read()).toBeNull()
})

it('a plan from a page of an older version starts today', async () => {
  const { token } = await signUp(rig)
  const { startedOn, ...body } = PLAN
  const { plan } = (await rig.call('PUT', '/api/practice/plan', { token, body })).body
  expect(plan.startedOn).toBe(rig.clock.now.toISOString().slice(0, startedOn.length))
})

it('a plan is visible to its owner only', async () => {
  const [ana, ben] = [await signUp(rig), await signUp(rig)]
  await rig.call('PUT', '/api/practice/plan', { token: ana.token, body: PLAN })
  await rig.call('DELETE', '/api/practice/plan', { token: ben.token })
  expect(await planOf(ben.token)).toBeNull()
  expect((await planOf(ana.token)).minutesADay).toBe(20)
})

it.each([
  { minutesADay: 30 },
  { role: 'astronaut' },
  { interviewOn: '2026-02-30' },
  { daysOff: [0] },
  { daysOff: [1, 2, 3, 4, 5, 6, 7] },
  { startedOn: 'yesterday' },
])('the plan rejects %o and stores nothing', async (wrong) => {
  const { token } = await signUp(rig)
  const { status } = await rig.call('PUT', '/api/practice/plan', {
    token,
    body: { ...PLAN, ...wrong },
  })
  expect(status).toBe(400)
  expect(await planOf(token)).toBeNull()
})
