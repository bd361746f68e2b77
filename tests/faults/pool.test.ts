import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp } from '../../app/server/app.ts'
import { type Database, openDatabase, SERVER_LIMITS } from '../../platform/database/database.ts'
import {
  DAY,
  freshPulse,
  makeAssessment,
  makeCandidate,
  moveClock,
  type Seat,
  takeSeat,
} from '../rig/assessment-rig.ts'
import { useRig } from '../rig/rig.ts'
import { sized } from '../setup/size.ts'

// A whole room at its deadline, with two connections. A call that needs a second connection while holding one waits for
// others that wait for it. A rush at one deadline would do this to a pool of any size.
const SEATS = sized(12, 5)
const LIMIT_MS = 1_200_000
const rig = useRig()
let narrow: Database

beforeAll(() => {
  narrow = openDatabase(rig.databaseUrl, {
    max: 2,
    limits: { ...SERVER_LIMITS, connectMs: 2_000 },
  })
  rig.app = createApp({ ...rig.dependencies, db: narrow })
})
afterAll(() => narrow?.$client.end())

it.each<[string, number, (seat: Seat, itemId: number) => ReturnType<Seat['call']>]>([
  ['submit with an answer', 200, (seat, id) => seat.submit([answer(id)])],
  ['submit stored answers', 200, (seat) => seat.submit()],
  ['save', 200, (seat, id) => seat.save([answer(id)])],
  ['report a strike', 200, (seat) => seat.report({ id: 1, kind: 'copy', at: 5 })],
  ['report an uncounted event', 200, (seat) => seat.report({ id: 1, kind: 'ready', at: 5 })],
  ['come back', 200, (seat) => seat.start()],
  ['ask for their status', 200, (seat) => seat.status()],
])(
  'more candidates than connections %s in the grace period and all are answered',
  async (_, status, act) => {
    rig.clock.now = DAY
    await freshPulse(rig)
    const { code, items } = await makeAssessment(rig)
    const seats: Seat[] = []
    for (let number = 0; number < SEATS; number += 1) {
      const { username } = await makeCandidate(rig, code)
      const seat = await takeSeat(rig, code, username)
      await seat.start()
      seats.push(seat)
    }
    await moveClock(rig, new Date(DAY.getTime() + LIMIT_MS + 1_000))
    const answers = await Promise.all(seats.map((seat) => act(seat, items[0]?.id ?? 0)))
    expect(answers.map((one) => one.status)).toEqual(seats.map(() => status))
  },
  30_000,
)

/** A choice made a second after the start. */
const answer = (questionId: number) => ({ questionId, choice: 'A', revision: 1, at: 1_000 })

it('A candidate saves while other calls hold every connection except those reserved for candidates', async () => {
  rig.clock.now = DAY
  await freshPulse(rig)
  rig.app = createApp({ ...rig.dependencies, db: narrow, candidatesDb: rig.db })
  const { code, items } = await makeAssessment(rig)
  const { username } = await makeCandidate(rig, code)
  const seat = await takeSeat(rig, code, username)
  await seat.start()
  const held = await Promise.all([narrow.$client.connect(), narrow.$client.connect()])
  try {
    const { token } = seat
    expect((await rig.call('GET', '/api/practice/drills', { token })).status).toBe(503)
    expect((await seat.save([answer(items[0]?.id ?? 0)])).status).toBe(200)
  } finally {
    for (const client of held) client.release()
  }
}, 30_000)
