import { expect, it } from 'vitest'
import { companyOf, type Presence } from './company.ts'

const MINUTE = 60_000
const sits = (
  candidateId: string,
  room: string,
  ...away: [fromMs: number, toMs: number][]
): Presence => ({
  ...{ candidateId, room, fromMs: 0, toMs: 60 * MINUTE },
  away: away.map(([fromMs, toMs]) => ({ fromMs, toMs })),
})

it('an absence counts the others of the room who were away within the same minute (product 7.16.2)', () => {
  const presences = [
    sits('ana', 'A12', [10 * MINUTE, 15 * MINUTE]),
    sits('ben', 'A12', [10.4 * MINUTE, 11 * MINUTE]),
    sits('cem', 'A12', [2 * MINUTE, 9.6 * MINUTE], [30 * MINUTE, 31 * MINUTE]),
    sits('dora', 'A12', [11 * MINUTE, 12 * MINUTE]),
    sits('emil', 'B07', [10 * MINUTE, 15 * MINUTE]),
    { ...sits('finn', 'A12'), toMs: 5 * MINUTE },
  ]
  const ana = { candidateId: 'ana', room: 'A12' }
  expect(companyOf(ana, 10 * MINUTE, presences)).toEqual({ room: 'A12', away: 2, of: 3 })
  expect(companyOf({ ...ana, room: null }, 10 * MINUTE, presences)).toEqual({
    ...{ room: null, away: 3, of: 4 },
  })
})
