// The day: who is inside, and who needs somebody (product 7.14).
import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { ofAssessment, organiserMay } from '../contract.ts'

/** Most urgent first. */
export const TROUBLES = [
  'unmonitored',
  'no_save',
  'overdue',
  'third_strike',
  'second_strike',
  'accounts',
] as const
export type Trouble = (typeof TROUBLES)[number]

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
  /** no_save, unmonitored: when anything came last; null: nothing has */
  heardMs: nullableMs,
  /** of strikes: the kind of the newest one that counts */
  kind: z.nullable(z.string()),
  awayMs: nullableMs,
  /** of an absence: how many others of the room were away in that minute; null of anything else */
  others: z.nullable(z.number()),
  accounts: z.number(),
  addresses: z.number(),
  /** how other candidates are called who came in by one of its accounts, or share an address that few have */
  linked: z.array(z.string()),
})
export type LiveTrouble = z.infer<typeof troubleLine>

const counts = z.strictObject({
  toLookAt: z.number(),
  inside: z.number(),
  absent: z.number(),
  verified: z.number(),
  done: z.number(),
  /** of those inside, for how many answers are being saved */
  saving: z.number(),
  /** candidates with late answers that nobody has decided on */
  late: z.number(),
})
export type LiveCounts = z.infer<typeof counts>

const action = z.strictObject({
  id: z.number(),
  atMs: ms,
  by: z.string(),
  /** whose account it was; null: the command line, or an account that is gone */
  userId: z.nullable(z.uuid()),
  what: z.string(),
})

/** of the newest simulation of the assessment instead of the assessment itself */
const simulation = z.optional(z.literal('1'))

const simulationWatched = z.strictObject({ isOver: z.boolean(), endsAt: z.iso.datetime() })
export type SimulationWatched = z.infer<typeof simulationWatched>

const view = z.strictObject({
  /** by id; null: numbers alone may be seen, nobody's row */
  candidates: z.nullable(z.array(candidate)),
  counts,
  rooms: z.array(z.strictObject({ room: z.string(), listed: z.number(), inside: z.number() })),
  /** most urgent first */
  toLookAt: z.array(troubleLine),
  /** what organizers did, newest first */
  actions: z.array(action),
  /** the room that one sees alone; null: every room */
  room: z.nullable(z.string()),
  /** null: it is the assessment itself */
  simulation: z.nullable(simulationWatched),
})
export type LiveView = z.infer<typeof view>

/** How often a page asks, milliseconds. */
const LOOK_MS = 2_000

/**
 * Milliseconds until a page asks again: two seconds after what it shows was taken, so that all who watch find the next
 * snapshot new and a node is woken for them once; a second at least.
 */
export const untilNextLook = (takenMs: number, serverMs: number): number =>
  Math.max(LOOK_MS / 2, takenMs + LOOK_MS - serverMs)

export const watchLive = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/live',
  summary: 'Who is where and who needs somebody, as of the last two seconds',
  access: organiserMay('watch_live', ['counts', 'own_room']),
  knowsSession: true,
  params: ofAssessment,
  query: z.strictObject({
    /** tag of what the page shows */
    have: z.optional(z.string().check(z.regex(/^[\w-]{27}$/))),
    simulation,
  }),
  response: z.strictObject({
    tag: z.string(),
    /** the moment that it shows */
    takenMs: ms,
    /** null: it is what the page has */
    snapshot: z.nullable(view),
  }),
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
