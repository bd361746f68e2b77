import { beforeEach, describe, expect, it } from 'vitest'
import { DAY, moveClock, startedSeat, takeSeat } from '../../../tests/rig/assessment-rig.ts'
import { rightAnswers } from '../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'

// Viewing times (product 6.6.9) are stored with saves and the submit and never affect a result.
const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})

/** The stored viewing times, in order of arrival. */
async function keptOf(candidateId: string) {
  const { rows } = await rig.db.$client.query<{ kind: string; dwell: unknown }>(
    `select kind, dwell from attempt_events where candidate_id = $1 and kind in ('saved', 'submitted')
     order by id`,
    [candidateId],
  )
  return rows
}

describe('the viewing time per question', () => {
  it('is stored with saves and the submit, once for each question of the paper', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    const [first, second] = items.map(({ id }) => id) as [number, number]
    const save = (dwell: unknown) =>
      seat.call('PUT', '/answers', { answers: rightAnswers(items), dwell })
    const sent = [
      { item: second, ms: 700 },
      { item: first, ms: 4_000 },
      { item: first, ms: 3_000 },
      { item: 2_000_000_000, ms: 5 },
    ]
    expect((await save(sent)).status).toBe(200)
    expect((await save([])).status).toBe(200)
    expect((await seat.save(rightAnswers(items))).status).toBe(200)
    const submitted = await seat.call('POST', '/submit', {
      answers: [],
      dwell: [{ item: second, ms: 9_000 }],
    })
    expect(submitted.status).toBe(200)
    expect(await keptOf(candidate.id)).toEqual([
      {
        kind: 'saved',
        dwell: [
          [first, 4_000],
          [second, 700],
        ],
      },
      { kind: 'saved', dwell: null },
      { kind: 'saved', dwell: null },
      { kind: 'submitted', dwell: [[second, 9_000]] },
    ])
  })

  it('is stored when a call runs unbatched: in the grace period and with the last answers', async () => {
    const { seat, items, candidate } = await startedSeat(rig)
    const item = items[0]?.id as number
    await moveClock(rig, 1_200_000 + 2_000)
    const saved = await seat.call('PUT', '/answers', {
      answers: rightAnswers(items.slice(0, 1), 1, 1_199_000),
      dwell: [{ item, ms: 1_000 }],
    })
    expect(saved.status).toBe(200)
    const submitted = await seat.call('POST', '/submit', {
      answers: rightAnswers(items.slice(1), 1, 1_199_000),
      dwell: [{ item, ms: 2_000 }],
    })
    expect(submitted.status).toBe(200)
    expect(await keptOf(candidate.id)).toEqual([
      { kind: 'saved', dwell: [[item, 1_000]] },
      { kind: 'saved', dwell: null },
      { kind: 'submitted', dwell: [[item, 2_000]] },
    ])
  })

  it.each([
    ['too many entries', Array.from({ length: 501 }, (_, item) => ({ item: item + 1, ms: 1 }))],
    ['a negative time', [{ item: 1, ms: -1 }]],
    ['more than a day', [{ item: 1, ms: 86_400_001 }]],
    ['a fraction', [{ item: 1, ms: 0.5 }]],
    ['an unknown field', [{ item: 1, ms: 1, note: 'x'.repeat(10_000) }]],
  ])('is rejected with %s', async (_, dwell) => {
    const { seat, items, candidate } = await startedSeat(rig)
    const refused = await seat.call('PUT', '/answers', { answers: rightAnswers(items), dwell })
    expect(refused.status).toBe(400)
    expect(await keptOf(candidate.id)).toEqual([])
  })

  it('is not stored from a window that was taken over', async () => {
    const { seat, items, candidate, code } = await startedSeat(rig)
    const second = await takeSeat(rig, code, candidate.username, seat)
    await second.start()
    const dwell = [{ item: items[0]?.id, ms: 5_000 }]
    const late = await seat.call('PUT', '/answers', { answers: rightAnswers(items), dwell })
    expect(late.body.code).toBe('taken_over')
    expect(await keptOf(candidate.id)).toEqual([])
  })
})
