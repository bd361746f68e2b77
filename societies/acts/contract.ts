import * as z from 'zod/mini'
import { PARAGRAPHS } from '../../platform/paragraphs.ts'
import { fresh, inTest, ofAssessment, organizerMay, requestId } from '../kit/contract.ts'
import { MAX_MINUTES } from '../kit/minutes.ts'

// Organizers change time, messages and strikes during the test (product 7.15).

export const MESSAGE_LENGTH = 500
export const REASON_LENGTH = 500
/** The maximum an invigilator can give one candidate in total, in seconds (product 7.7.4). */
export const INVIGILATOR_SECONDS = 15 * 60

/** Allows several paragraphs, but no invisible characters and none that reverse text. */
const words = (length: number) =>
  z
    .string()
    .check(z.trim(), z.minLength(1), z.maxLength(length), z.regex(PARAGRAPHS, 'control characters'))
const reason = words(REASON_LENGTH)
const seconds = z.int().check(z.minimum(0), z.maximum(MAX_MINUTES * 60))
/** Local time in the assessment's time zone: 2026-03-02 09:00. */
const localTime = z.string().check(z.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d$/))
const events = z.array(z.int().check(z.minimum(1))).check(z.minLength(1), z.maxLength(2_000))

/** The affected candidates: the listed ones, one room's, or all of them when both fields are null. */
const to = z.strictObject({
  candidates: z.nullable(z.array(z.uuid()).check(z.minLength(1), z.maxLength(2_000))),
  room: z.nullable(z.string().check(z.maxLength(60))),
})
export type ActedTo = z.infer<typeof to>

const timeAct = {
  to,
  kind: z.enum(['give', 'plan', 'end_at', 'reopen']),
  /** Used by give, plan and reopen. */
  seconds: z.optional(seconds),
  /** Used by end_at. */
  at: z.optional(localTime),
  /** Used by give and end_at. If true, closed tests are reopened too. */
  reopens: z.boolean(),
}
/** Adds 'end_now', which has its own endpoint. */
const endable = { ...timeAct, kind: z.enum([...timeAct.kind.options, 'end_now']) }
export type AskedTime = z.infer<z.ZodMiniObject<typeof endable>>
export type TimeKind = AskedTime['kind']

const called = { username: z.string(), name: z.nullable(z.string()) }
const room = z.nullable(z.string())

/** Outcome groups in a time preview, rarest first. */
export const TIME_GROUPS = ['reopens', 'ends', 'plans', 'has_extra', 'moves', 'stays'] as const
export type TimeGroup = (typeof TIME_GROUPS)[number]

const timePreview = z.strictObject({
  /**
   * Candidates whose time changes or can't, by name. Of more than 300, those in the rarest groups. The outcome gives the
   * reason.
   */
  people: z.array(
    z.strictObject({
      id: z.uuid(),
      ...called,
      room,
      outcome: z.enum([
        'moves',
        'reopens',
        'plans',
        'ends',
        'unchanged',
        'not_started',
        'handed_in',
        'closed',
        'strikes_stand',
        'too_late',
        'would_end',
        'still_open',
      ]),
      /** The current end; null unless the test is running. */
      was: z.nullable(z.iso.datetime()),
      becomes: z.nullable(z.iso.datetime()),
      /** The total after the change. */
      plannedSeconds: z.number(),
      givenSeconds: z.number(),
      answered: z.number(),
      /** True if the credentials are revoked, so reopening the test doesn't let the candidate in. */
      isRevoked: z.boolean(),
    }),
  ),
  /** All candidates in scope whose time changes or can't change, by group. Empty groups are left out. */
  groups: z.array(z.strictObject({ group: z.enum(TIME_GROUPS), count: z.number() })),
  /** How many of them are taking the test. */
  inside: z.number(),
  /** How many of the candidates whose test would end have unanswered questions. */
  unanswered: z.number(),
  /** Candidates in scope who haven't started. */
  notInside: z.number(),
  handedIn: z.number(),
  itemCount: z.number(),
  summary: z.string(),
  /** Time changes made by organizers in the last 15 minutes, newest first. */
  recent: z.array(
    z.strictObject({
      at: z.iso.datetime(),
      by: z.string(),
      isYou: z.boolean(),
      /** Example: 'gave 10 min to 43'. */
      text: z.string(),
    }),
  ),
})
export type TimePreview = z.infer<typeof timePreview>

const timeDone = z.strictObject({
  /** Example: 'Gave 10 min to 43, opened 1 again'. */
  text: z.string(),
  /** Whether undoTime still accepts it. */
  canBeUndone: z.boolean(),
})
export type TimeDone = z.infer<typeof timeDone>

const ANY_TIME = organizerMay('give_any_time')

export const previewTime = inTest('POST /time/preview', ANY_TIME, 'Preview a time change', {
  body: z.strictObject(endable),
  response: timePreview,
})

export const changeTime = inTest('POST /time', ANY_TIME, 'Change candidates’ time', {
  body: z.strictObject({
    ...timeAct,
    requestId,
    /** Optional for planned time. */
    reason: z.optional(reason),
  }),
  response: timeDone,
})

/** Requires re-authentication because ended tests can only be reopened one by one (product 7.13.3). */
export const endNow = inTest('POST /time/end-now', fresh(ANY_TIME), 'End candidates’ tests now', {
  body: z.strictObject({ to, requestId, reason }),
  response: timeDone,
})

const MINUTES = organizerMay('give_incident_time', [], 'named')
const OWN_TIME = organizerMay('give_incident_time', [], 'none')
const ofCandidate = z.extend(ofAssessment, { candidate: z.uuid() })

export const previewMinutes = inTest(
  'POST /candidates/by-id/:candidate/minutes/preview',
  MINUTES,
  'Preview minutes',
  {
    params: ofCandidate,
    body: z.strictObject({ seconds }),
    response: timePreview,
  },
)

export const giveMinutes = inTest(
  'POST /candidates/by-id/:candidate/minutes',
  MINUTES,
  'Give a candidate minutes',
  {
    params: ofCandidate,
    body: z.strictObject({ seconds, requestId, reason }),
    response: timeDone,
  },
)

export const undoTime = inTest('POST /time/undo', OWN_TIME, 'Undo your own time change', {
  body: z.strictObject({ requestId }),
  response: z.strictObject({ undone: z.number() }),
})

const MESSAGES = organizerMay('message_candidates', [], 'own_room')

export const listMessages = inTest('GET /messages', MESSAGES, 'Messages to candidates', {
  response: z.strictObject({
    messages: z.array(
      z.strictObject({
        /** A message to several candidates has several ids. */
        ids: z.array(z.int()),
        text: z.string(),
        /** Examples: 'everybody', 'room 2.11', a name, '3 candidates'. */
        to: z.string(),
        at: z.iso.datetime(),
        by: z.string(),
        isWithdrawn: z.boolean(),
      }),
    ),
  }),
})

const WRITE = organizerMay('message_candidates', [], 'named')

export const sendMessage = inTest('POST /messages', WRITE, 'Write to candidates', {
  body: z.strictObject({ requestId, to, text: words(MESSAGE_LENGTH) }),
  response: z.strictObject({
    ids: z.array(z.int()),
    text: z.string(),
    /** How many recipients are taking the test now. */
    inside: z.number(),
  }),
})

export const withdrawMessage = inTest('POST /messages/withdraw', MESSAGES, 'Withdraw messages', {
  body: z.strictObject({
    ids: z
      .array(z.int().check(z.minimum(1), z.maximum(2_147_483_647)))
      .check(z.minLength(1), z.maxLength(2_000)),
  }),
  response: z.strictObject({ withdrawn: z.number() }),
})

const VOID = organizerMay('void_event')

export const readStrikes = inTest('POST /strikes/read', VOID, 'Strikes, even those taken back', {
  body: z.strictObject({ to }),
  response: z.strictObject({
    strikes: z.array(
      z.strictObject({
        event: z.int(),
        ...called,
        room,
        kind: z.string(),
        key: z.nullable(z.string()),
        at: z.iso.datetime(),
        takenBack: z.nullable(z.string()),
        endedTest: z.boolean(),
      }),
    ),
  }),
})

export const takeStrikesBack = inTest('POST /strikes/take-back', VOID, 'Take strikes back', {
  body: z.strictObject({ requestId, events, reason }),
  response: z.strictObject({
    /** The strikes that counted until now. */
    events: z.array(z.int()),
    /** Candidates whose test was ended by strikes that no longer count. */
    mayBeReopened: z.array(z.strictObject({ id: z.uuid(), username: z.string() })),
  }),
})

export const restoreStrikes = inTest('POST /strikes/restore', VOID, 'Count strikes again', {
  body: z.strictObject({ events, reason }),
  response: z.strictObject({ events: z.array(z.int()) }),
})

const LATE = organizerMay('accept_late_answers')

export const listLateAnswers = inTest('GET /late-answers', LATE, 'Late answers and their effect', {
  response: z.strictObject({
    people: z.array(
      z.strictObject({
        id: z.uuid(),
        ...called,
        answers: z.array(
          z.strictObject({
            /** The question's number in the table. */
            item: z.number(),
            chosenAt: z.nullable(z.iso.datetime()),
            receivedAt: z.iso.datetime(),
            /** Whether the answer would count, or the reason it wouldn't (product 7.5.4). */
            standing: z.enum(['counts', 'too_late', 'unknown', 'not_held_up', 'outdated', 'open']),
          }),
        ),
      }),
    ),
    acceptable: z.number(),
    /** How many results would change if every answer were accepted. */
    changes: z.number(),
  }),
})

export const acceptLateAnswers = inTest('POST /late-answers/accept', LATE, 'Accept late answers', {
  body: z.strictObject({
    requestId,
    reason,
    /** Null means all candidates. */
    candidate: z.nullable(z.uuid()),
  }),
  response: z.strictObject({ accepted: z.number(), changes: z.number() }),
})
