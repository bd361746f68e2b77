import { json } from 'node:stream/consumers'
import { call, countStatuses, type Reply } from './http.ts'

// One attacker in a separate process, so that it doesn't delay the measurements: reads a FloodPlan from standard input,
// floods, and writes the statuses it got to standard output.

export interface FloodPlan {
  url: string
  kind: keyof typeof FLOODS
  /** the attempt that is flooded */
  seat: { code: string; token: string; candidateToken: string; windowId: string }
  atOnce: number
  /** either limit ends it */
  seconds: number
  calls: number
}

const EVENTS_PER_CALL = 200

/** The body of the nth call. The kinds of events never count, because three strikes would end the test. */
const FLOODS = {
  events: (n: number) => ({
    method: 'POST',
    route: '/events',
    body: {
      events: Array.from({ length: EVENTS_PER_CALL }, (_, index) => ({
        id: (n * EVENTS_PER_CALL + index + 1) % 1_000_000 || 1,
        kind: index % 2 ? 'online' : 'offline',
        at: 1_000 + n,
      })),
    },
  }),
  poison: (n: number) => ({
    method: 'PUT',
    route: '/answers',
    body: { answers: [{ questionId: 3_000_000_000 + n, choice: 'A', revision: 1 }] },
  }),
} satisfies Record<string, (n: number) => object>

async function flood(plan: FloodPlan): Promise<Record<string, number>> {
  const { url, seat, kind, atOnce } = plan
  const end = performance.now() + plan.seconds * 1000
  const replies: Reply[] = []
  let next = 0
  const caller = async () => {
    while (next < plan.calls && performance.now() < end) {
      const n = next
      next += 1
      const { method, route, body } = FLOODS[kind](n)
      replies.push(
        await call(url, method, `/api/assessments/${seat.code}/attempt${route}`, {
          token: seat.token,
          headers: { 'X-Candidate-Token': seat.candidateToken, 'X-Window-Id': seat.windowId },
          body,
          limitMs: 30_000,
        }),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
  return countStatuses(replies)
}

process.stdout.write(JSON.stringify(await flood((await json(process.stdin)) as FloodPlan)))
// Keep-alive connections would keep the process running.
process.exit(0)
