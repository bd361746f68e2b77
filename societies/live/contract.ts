import * as z from 'zod/mini'
import { inTest, organizerMay } from '../kit/contract.ts'

// Live shows who is taking the test, and who needs help (product 7.14).

export const TROUBLES = [
  'help',
  'third_strike',
  'no_save',
  'overdue',
  'second_strike',
  'unmonitored',
  'accounts',
] as const
export type Trouble = (typeof TROUBLES)[number]

/** milliseconds since 1970 by the server's clock */
const ms = z.number()
const nullableMs = z.nullable(z.number())

const candidate = z.strictObject({
  id: z.uuid(),
  /** null, with a placeholder as the username, for members who can't see names */
  name: z.nullable(z.string()),
  username: z.string(),
  room: z.nullable(z.string()),
  where: z.enum(['absent', 'verified', 'running', 'submitted']),
  answered: z.number(),
  total: z.number(),
  /** for running candidates */
  savedMs: nullableMs,
  /** before the start, the candidate's own start window, if there is one */
  startsMs: z.nullable(z.tuple([ms, ms])),
  endsMs: nullableMs,
  /** rounded to the minute */
  closedMs: nullableMs,
  reason: z.nullable(z.string()),
  strikes: z.number(),
  takenBack: z.number(),
  /** planned extra time */
  extraSeconds: z.number(),
  /** extra time given on the day */
  givenSeconds: z.number(),
  /** undecided late answers */
  late: z.number(),
  /** most urgent first, with the name of the member who marked it as seen */
  marks: z.array(z.strictObject({ trouble: z.enum(TROUBLES), seenBy: z.nullable(z.string()) })),
})
export type LiveCandidate = z.infer<typeof candidate>

const troubleLine = z.strictObject({
  candidate: z.uuid(),
  name: z.nullable(z.string()),
  username: z.string(),
  room: z.nullable(z.string()),
  trouble: z.enum(TROUBLES),
  /** identifies the alert in `seen`; the same kind of alert later has another mark */
  mark: z.string(),
  sinceMs: ms,
  answered: z.number(),
  total: z.number(),
  /** no_save, unmonitored: the last request from a page; null: none */
  heardMs: nullableMs,
  /** for strikes: the kind of the newest one that counts */
  kind: z.nullable(z.string()),
  awayMs: nullableMs,
  /** for an absence: the number of others in the room who were away in that minute; otherwise null */
  others: z.nullable(z.number()),
  /** for a request for help: the candidate's unread messages */
  text: z.nullable(z.string()),
  accounts: z.number(),
  addresses: z.number(),
  /** names of other candidates with the same account, or an address shared by few */
  linked: z.array(z.string()),
})
export type LiveTrouble = z.infer<typeof troubleLine>

const counts = z.strictObject({
  toLookAt: z.number(),
  inside: z.number(),
  absent: z.number(),
  verified: z.number(),
  done: z.number(),
  /** number of running candidates who are saving answers */
  saving: z.number(),
  /** candidates with undecided late answers */
  late: z.number(),
})
export type LiveCounts = z.infer<typeof counts>

const action = z.strictObject({
  id: z.number(),
  atMs: ms,
  by: z.string(),
  /** null: the command line or a deleted account */
  userId: z.nullable(z.uuid()),
  what: z.string(),
})

/** shows the test's newest simulation instead of the test */
const simulation = z.optional(z.literal('1'))

const simulationWatched = z.strictObject({ isOver: z.boolean(), endsAt: z.iso.datetime() })

const view = z.strictObject({
  /** by id; null for members who only see counts */
  candidates: z.nullable(z.array(candidate)),
  counts,
  rooms: z.array(z.strictObject({ room: z.string(), listed: z.number(), inside: z.number() })),
  /** most urgent first */
  toLookAt: z.array(troubleLine),
  /** organizers' actions, newest first */
  actions: z.array(action),
  /** the only room that the member sees; null: all rooms */
  room: z.nullable(z.string()),
  /** null: the test itself */
  simulation: z.nullable(simulationWatched),
})
export type LiveView = z.infer<typeof view>

const LOOK_MS = 2_000

/** Milliseconds until a page's next request, two seconds after its snapshot, so that all viewers share the next one. */
export const untilNextLook = (takenMs: number, serverMs: number): number =>
  Math.max(LOOK_MS / 2, takenMs + LOOK_MS - serverMs)

const WATCH = organizerMay('watch_live', ['counts', 'own_room'], 'own_room')
const OWN_ROOM = organizerMay('watch_live', ['own_room'], 'own_room')

export const watchLive = inTest('GET /live', WATCH, 'Who is where and who needs help', {
  knowsSession: true,
  query: z.strictObject({
    /** tag of the page's current snapshot */
    have: z.optional(z.string().check(z.regex(/^[\w-]{27}$/))),
    simulation,
  }),
  response: z.strictObject({
    tag: z.string(),
    takenMs: ms,
    /** null: unchanged since `have` */
    snapshot: z.nullable(view),
  }),
})

const seenMark = z.strictObject({
  candidate: z.uuid(),
  mark: z.string().check(z.regex(/^[a-z_]{1,20}:\d{1,16}$/)),
  simulation: z.optional(z.boolean()),
})
const seen = { body: seenMark, response: z.strictObject({ done: z.literal(true) }) }

export const markSeen = inTest('POST /live/seen', OWN_ROOM, 'Mark an alert as seen', seen)
export const markUnseen = inTest('POST /live/unseen', OWN_ROOM, 'Show a seen alert again', seen)
