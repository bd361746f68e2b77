import * as z from 'zod/mini'
import { PARAGRAPHS } from '../../platform/paragraphs.ts'
import { fresh, inTest, ofAssessment, organizerMay, requestId } from '../kit/contract.ts'
import { MAX_MINUTES } from '../kit/minutes.ts'
import { TIME_GROUPS } from './time-groups.ts'

// Time, messages and strikes: what organizers change during the test (product 7.15).

export const MESSAGE_LENGTH = 500
export const REASON_LENGTH = 500
/** The most that an invigilator can give one candidate in all, seconds (product 7.7.4). */
export const INVIGILATOR_SECONDS = 15 * 60

/** Paragraphs without invisible characters or characters that reverse text. */
const words = (length: number) =>
  z
    .string()
    .check(z.trim(), z.minLength(1), z.maxLength(length), z.regex(PARAGRAPHS, 'control characters'))
const reason = words(REASON_LENGTH)
const seconds = z.int().check(z.minimum(0), z.maximum(MAX_MINUTES * 60))
/** on the clocks of the assessment's zone: 2026-03-02 09:00 */
const localTime = z.string().check(z.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d$/))
const events = z.array(z.int().check(z.minimum(1))).check(z.minLength(1), z.maxLength(2_000))

/** The candidates that a change is for: named ones, a room's, or with neither all of them. */
const to = z.strictObject({
  candidates: z.nullable(z.array(z.uuid()).check(z.minLength(1), z.maxLength(2_000))),
  room: z.nullable(z.string().check(z.maxLength(60))),
})
export type ActedTo = z.infer<typeof to>

/** A change of time (societies/acts/time-plan.ts). */
const timeAct = {
  to,
  kind: z.enum(['give', 'plan', 'end_at', 'reopen']),
  /** of give, plan and reopen */
  seconds: z.optional(seconds),
  /** of end_at */
  at: z.optional(localTime),
  /** of give and end_at: reopens closed tests too */
  reopens: z.boolean(),
}
/** The same, or the end of a test at once, which has a call of its own. */
const endable = { ...timeAct, kind: z.enum([...timeAct.kind.options, 'end_now']) }
export type AskedTime = z.infer<z.ZodMiniObject<typeof endable>>
export type TimeKind = AskedTime['kind']

const called = { username: z.string(), name: z.nullable(z.string()) }
const room = z.nullable(z.string())

const timePreview = z.strictObject({
  /** by name, the first 300 in order of the groups: candidates whose time changes or can't; the outcome says why */
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
      /** the current end; null unless the test is running */
      was: z.nullable(z.iso.datetime()),
      becomes: z.nullable(z.iso.datetime()),
      /** afterwards */
      plannedSeconds: z.number(),
      givenSeconds: z.number(),
      answered: z.number(),
      /** their credentials are revoked, so reopening the test doesn't let them in */
      isRevoked: z.boolean(),
    }),
  ),
  /** all in scope whose time changes or can't change, by group; leaves out empty ones */
  groups: z.array(z.strictObject({ group: z.enum(TIME_GROUPS), count: z.number() })),
  /** of those, how many are taking the test */
  inside: z.number(),
  /** of those who would end, how many have questions without an answer */
  unanswered: z.number(),
  /** candidates in scope who haven't started */
  notInside: z.number(),
  handedIn: z.number(),
  itemCount: z.number(),
  /** one to three sentences */
  summary: z.string(),
  /** what organizers changed about time in the last 15 minutes, newest first */
  recent: z.array(
    z.strictObject({
      at: z.iso.datetime(),
      by: z.string(),
      isYou: z.boolean(),
      /** 'gave 10 min to 43' */
      text: z.string(),
    }),
  ),
})
export type TimePreview = z.infer<typeof timePreview>

const timeDone = z.strictObject({
  /** what was done: 'Gave 10 min to 43, opened 1 again' */
  text: z.string(),
  /** whether it can be undone for a moment (undoTime) */
  canBeUndone: z.boolean(),
})
export type TimeDone = z.infer<typeof timeDone>

const ANY_TIME = organizerMay('give_any_time')

export const previewTime = inTest('POST /time/preview', ANY_TIME, 'Preview a change of time', {
  body: z.strictObject(endable),
  response: timePreview,
})

export const changeTime = inTest('POST /time', ANY_TIME, 'Change candidates’ time', {
  body: z.strictObject({
    ...timeAct,
    requestId,
    /** optional when time is planned */
    reason: z.optional(reason),
  }),
  response: timeDone,
})

/** A test that ended may only be reopened one by one, so it takes a proof (product 7.13.3). */
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

export const undoTime = inTest('POST /time/undo', OWN_TIME, "Undo one's own change of time", {
  body: z.strictObject({ requestId }),
  response: z.strictObject({ undone: z.number() }),
})

const MESSAGES = organizerMay('message_candidates', [], 'own_room')

export const listMessages = inTest('GET /messages', MESSAGES, 'Messages to candidates', {
  response: z.strictObject({
    messages: z.array(
      z.strictObject({
        /** several if it went to several candidates */
        ids: z.array(z.int()),
        text: z.string(),
        /** 'everybody', 'room 2.11', a name, '3 candidates' */
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
    /** how many of its recipients are taking the test now */
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

export const readStrikes = inTest('POST /strikes/read', VOID, 'Strikes, taken back or not', {
  body: z.strictObject({ to }),
  response: z.strictObject({
    strikes: z.array(
      z.strictObject({
        event: z.int(),
        ...called,
        room,
        kind: z.string(),
        /** the shortcut's key */
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
    /** the ones that counted until now */
    events: z.array(z.int()),
    /** candidates whose test was ended by strikes that no longer count */
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
            /** the question's number in the table */
            item: z.number(),
            chosenAt: z.nullable(z.iso.datetime()),
            receivedAt: z.iso.datetime(),
            /** whether it would count, or why not (product 7.5.4) */
            standing: z.enum(['counts', 'too_late', 'unknown', 'not_held_up', 'outdated', 'open']),
          }),
        ),
      }),
    ),
    acceptable: z.number(),
    /** how many results would change if all of them were accepted */
    changes: z.number(),
  }),
})

export const acceptLateAnswers = inTest('POST /late-answers/accept', LATE, 'Accept late answers', {
  body: z.strictObject({
    requestId,
    reason,
    /** null: all candidates */
    candidate: z.nullable(z.uuid()),
  }),
  response: z.strictObject({ accepted: z.number(), changes: z.number() }),
})
