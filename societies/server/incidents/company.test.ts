import { expect, it } from 'vitest'
import { findClusters, type Presence } from './company.ts'

const MINUTE = 60_000
const sits = (candidateId: string, ...away: [fromMs: number, toMs: number][]): Presence => ({
  ...{ candidateId, room: '2.11', fromMs: 0, toMs: 60 * MINUTE },
  away: away.map(([fromMs, toMs]) => ({ name: `event:${fromMs}`, fromMs, toMs, isStrike: true })),
})

it('a room departure lists who stayed on the page, without those already away (product 7.16.4)', () => {
  const alarm: [number, number] = [10 * MINUTE, 15 * MINUTE]
  const [cluster] = findClusters([
    ...['ana', 'ben', 'cem'].map((name) => sits(name, alarm)),
    sits('dora', [8 * MINUTE, 12 * MINUTE]),
    sits('emil', [2 * MINUTE, 3 * MINUTE], [30 * MINUTE, 31 * MINUTE]),
    sits('finn'),
  ])
  expect(cluster).toMatchObject({ of: 6, stayed: ['emil', 'finn'] })
})
