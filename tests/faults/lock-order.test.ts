/**
 * Members act on the same candidates at the same time. All actions lock rows by ascending id, candidates before
 * attempts before mails, so there are no deadlocks.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { actsRig, EVERYBODY, toOne } from '../rig/acts-rig.ts'
import { useRig } from '../rig/rig.ts'
import { proveAgain } from '../rig/society-rig.ts'
import { sized } from '../setup/size.ts'

const rig = useRig()
const PEOPLE = sized(80, 30)
const SECONDS = sized(30, 6)

it('simultaneous actions on the same candidates never deadlock', async () => {
  const { member, inside, code } = await actsRig(rig)
  const people = []
  for (let n = 0; n < PEOPLE; n += 1) {
    people.push(await inside(`person-${n}`, { email: `p${PEOPLE - n}@x.pt`, room: `${n % 3}` }))
  }
  const waiting = Array.from({ length: PEOPLE }, () => randomUUID())
  await rig.db.$client.query(
    `insert into candidates (id, assessment, username, email, room, password_hash, created_at)
     select id, $1, id::text, id::text || '@x.pt', 'A', '\\x00', $3 from unnest($2::uuid[]) id`,
    [code, waiting, rig.clock.now],
  )
  await proveAgain(rig)
  const all = [...people.map(({ id }) => id), ...waiting]
  const some = () => all.filter(() => Math.random() < 0.6).sort(() => Math.random() - 0.5)
  const one = () => all[Math.floor(Math.random() * all.length)] as string
  const time = (kind: string, more: object) => ({
    ...{ requestId: randomUUID(), kind, reason: 'test', reopens: true, to: EVERYBODY, ...more },
  })
  type Call = Awaited<ReturnType<typeof member>>
  const acts: ((call: Call) => Promise<{ status: number }>)[] = [
    (call) => call('POST', 'candidates/send', { candidates: some() }),
    (call) => call('POST', 'candidates/stop'),
    (call) => call('POST', 'candidates/change', { candidates: some(), room: 'B' }),
    (call) => call('POST', 'candidates/slips', { candidates: some() }),
    (call) => call('POST', 'time', time('give', { seconds: 60 })),
    (call) => call('POST', 'time', time('plan', { seconds: 60, to: toOne(...some()) })),
    async (call) => {
      const planned = time('plan', { seconds: 120, to: toOne(...some()) })
      await call('POST', 'time', planned)
      return call('POST', 'time/undo', { requestId: planned.requestId })
    },
    async (call) => {
      const id = one()
      const [read] = await rig.sql`
        select version, name, email, room, note, extra_seconds as "extraSeconds" from candidates where id = ${id}`
      return call('PUT', `candidates/by-id/${id}`, { ...read, exemptKinds: ['paste'] })
    },
    (call) => call('POST', 'messages', { requestId: randomUUID(), to: EVERYBODY, text: 'Hello' }),
  ]
  const deadlocks = async () =>
    Number(
      (
        await rig.db.$client.query(
          'select deadlocks from pg_stat_database where datname = current_database()',
        )
      ).rows[0]?.deadlocks,
    )
  const seen: Record<string, number> = {}
  const end = performance.now() + SECONDS * 1_000
  await Promise.all(
    acts.map(async (act, n) => {
      const call = await member('owner')
      await proveAgain(rig)
      while (performance.now() < end) {
        const { status } = await act(call)
        const key = `${n} ${status}`
        seen[key] = (seen[key] ?? 0) + 1
      }
    }),
  )
  expect(Object.keys(seen).filter((key) => key.endsWith(' 503'))).toEqual([])
  // Each of them did something. A change that later ones overrode can't be undone, and one of an old version is stale.
  const done = Object.keys(seen).filter((key) => key.endsWith(' 200'))
  expect(done.length).toBeGreaterThanOrEqual(acts.length - 2)
  await expect.poll(deadlocks, { timeout: 5_000 }).toBe(0)
}, 90_000)
