import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { sweepOnce } from '../../../assessments/server/sweep.ts'
import { actsRig } from '../../../tests/rig/acts-rig.ts'
import { DAY, moveClock } from '../../../tests/rig/assessment-rig.ts'
import { resultOf } from '../../../tests/rig/organiser-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'

const rig = useRig()
const LIMIT = 1_200_000

it('late answers are listed with a preview that changes nothing, and count once accepted', async () => {
  const { member, inside, items } = await actsRig(rig)
  const reviewer = await member('reviewer')
  const ana = await inside('ana', { name: 'Ana' })
  const ben = await inside('ben')
  await moveClock(rig, LIMIT - 30_000)
  // The service is away from before the deadline until after it.
  rig.clock.now = new Date(DAY.getTime() + LIMIT + 5_000)
  await moveClock(rig, new Date(DAY.getTime() + LIMIT + 70_000))
  await sweepOnce(rig.dependencies)
  const [one, two] = items
  await ana.seat.save([
    { questionId: one?.id ?? 0, choice: one?.correctOption ?? '', revision: 1, at: LIMIT - 5_000 },
    { questionId: two?.id ?? 0, choice: 'B', revision: 1, at: LIMIT + 5_000 },
  ])
  const listed = await reviewer('GET', 'late-answers')
  expect(listed.body).toMatchObject({
    ...{ acceptable: 1, changes: 1 },
    people: [
      {
        name: 'Ana',
        answers: [
          { item: 1, standing: 'counts' },
          { item: 2, standing: 'too_late' },
        ],
      },
    ],
  })
  expect(await resultOf(rig, ana.id)).toMatchObject({ correct: 0 })
  const body = { requestId: randomUUID(), reason: 'outage', candidate: null }
  const accepted = await reviewer('POST', 'late-answers/accept', body)
  expect(accepted.body).toEqual({ accepted: 1, changes: 1 })
  expect((await reviewer('POST', 'late-answers/accept', body)).body).toEqual(accepted.body)
  expect(await resultOf(rig, ana.id)).toMatchObject({ correct: 1 })
  expect(await resultOf(rig, ben.id)).toMatchObject({ correct: 0 })
  expect((await reviewer('GET', 'late-answers')).body).toMatchObject({ acceptable: 0, changes: 0 })
})
