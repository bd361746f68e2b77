// The day: who is inside, and who needs somebody (product 7.14).
import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { ofAssessment, organiserMay } from '../contract.ts'
import { TROUBLES } from '../day/troubles.ts'

/** milliseconds since 1970 by the server's clock */
const ms = z.number()
const nullableMs = z.nullable(z.number())

const candidate = z.strictObject({
  id: z.uuid(),
  /** as the society calls them; who may not see names gets a username that stands for the candidate */
  name: z.nullable(z.string()),
  username: z.string(),
  room: z.nullable(z.string()),
  where: z.enum(['absent', 'verified', 'running', 'submitted']),
  answered: z.number(),
  /** questions of the paper; 0 before the start */
  total: z.number(),
  savedMs: nullableMs,
  endsMs: nullableMs,
  closedMs: nullableMs,
  reason: z.nullable(z.string()),
  /** as they count now */
  strikes: z.number(),
  takenBack: z.number(),
  /** planned */
  extraSeconds: z.number(),
  /** given on the day */
  givenSeconds: z.number(),
  /** answers that came after the end, undecided */
  late: z.number(),
  /** most urgent first; who has seen it, by name */
  marks: z.array(z.strictObject({ trouble: z.enum(TROUBLES), seenBy: z.nullable(z.string()) })),
})
export type LiveCandidate = z.infer<typeof candidate>

const troubleLine = z.strictObject({
  candidate: z.uuid(),
  name: z.nullable(z.string()),
  username: z.string(),
  room: z.nullable(z.string()),
  trouble: z.enum(TROUBLES),
  /** names it for `seen`: the same trouble again is another mark */
  mark: z.string(),
  sinceMs: ms,
  answered: z.number(),
  total: z.number(),
  heardMs: nullableMs,
  kind: z.nullable(z.string()),
  awayMs: nullableMs,
  others: z.nullable(z.number()),
  accounts: z.number(),
  addresses: z.number(),
  /** how other candidates are called */
  linked: z.array(z.string()),
})
export type LiveTrouble = z.infer<typeof troubleLine>

const counts = z.strictObject({
  toLookAt: z.number(),
  inside: z.number(),
  absent: z.number(),
  verified: z.number(),
  done: z.number(),
  /** candidates with late answers that nobody has decided on */
  late: z.number(),
})
export type LiveCounts = z.infer<typeof counts>

const feedLine = z.strictObject({
  id: z.number(),
  atMs: ms,
  by: z.string(),
  isYou: z.boolean(),
  what: z.string(),
})

/** of the newest simulation of the assessment instead of the assessment itself */
const simulation = z.optional(z.literal('1'))

const simulationWatched = z.strictObject({ isOver: z.boolean(), endsAt: z.iso.datetime() })
export type SimulationWatched = z.infer<typeof simulationWatched>

const live = z.strictObject({
  /** for the next call */
  cursor: z.string(),
  nowMs: ms,
  /** the moment that it shows */
  takenMs: ms,
  /** null: nothing has changed since the cursor */
  picture: z.nullable(
    z.strictObject({
      /** all candidates; else those that have changed */
      isWhole: z.boolean(),
      /** null: numbers alone may be seen, nobody's row */
      candidates: z.nullable(z.array(candidate)),
      /** of whom nothing else has changed: most of a room that sits; [id, answered, savedMs] each */
      saved: z.array(z.tuple([z.string(), z.number(), nullableMs])),
      /** those that are not on the list any more */
      gone: z.array(z.string()),
      counts,
      rooms: z.array(z.strictObject({ room: z.string(), listed: z.number(), inside: z.number() })),
      /** of the last 30 minutes, the one that goes on last */
      savesPerMinute: z.array(z.number()),
      /** most urgent first; null: as before */
      toLookAt: z.nullable(z.array(troubleLine)),
      /** newest first; null: as before */
      feed: z.nullable(z.array(feedLine)),
    }),
  ),
  /** the room that one sees alone; null: every room */
  room: z.nullable(z.string()),
  /** null: it is the assessment itself */
  simulation: z.nullable(simulationWatched),
})

export const watchLive = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/live',
  summary: 'Who is where and who needs somebody; since a cursor only what has changed',
  access: organiserMay('watch_live', ['counts', 'own_room']),
  knowsSession: true,
  params: ofAssessment,
  query: z.strictObject({
    since: z.optional(z.string().check(z.regex(/^[0-9a-f]{8}\.[0-9a-f]{8}(\.\d{1,16}){4}$/))),
    simulation,
  }),
  response: live,
})

const seenMark = z.strictObject({
  candidate: z.uuid(),
  mark: z.string().check(z.regex(/^[a-z_]{1,20}:\d{1,16}$/)),
  simulation: z.optional(z.boolean()),
})
const done = z.strictObject({ done: z.literal(true) })

export const markSeen = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/live/seen',
  summary: "Somebody has looked at a line of 'To look at': it goes for everybody",
  access: organiserMay('watch_live', ['own_room']),
  params: ofAssessment,
  body: seenMark,
  response: done,
})

export const markUnseen = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/live/unseen',
  summary: 'Take that back: the line stands again, if its trouble goes on',
  access: organiserMay('watch_live', ['own_room']),
  params: ofAssessment,
  body: seenMark,
  response: done,
})

export const exportLive = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/live/csv',
  summary: 'Candidates as they stand now, as CSV, in the order in which they are named',
  access: organiserMay('watch_live', ['own_room']),
  params: ofAssessment,
  body: z.strictObject({ candidates: z.array(z.uuid()).check(z.maxLength(20_000)) }),
  bodyBytes: 1_000_000,
  response: z.strictObject({ csv: z.string() }),
})
