import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { PARAGRAPHS } from '../../platform/paragraphs.ts'
import { ofAssessment, organiserMay, requestId } from '../contract.ts'
import { MAX_MINUTES } from '../minutes.ts'

/* Time, messages, strikes: what organisers do while candidates write (product 7.15). */

/** Characters of a message. */
export const MESSAGE_LENGTH = 500
/** Characters of a reason. */
export const REASON_LENGTH = 500
/** What an invigilator gives to one candidate, in all, seconds (product 7.7.4). */
export const INVIGILATOR_SECONDS = 15 * 60

/** One paragraph or several, nothing that nobody sees or that turns the direction of writing. */
const words = (length: number) =>
  z
    .string()
    .check(z.trim(), z.minLength(1), z.maxLength(length), z.regex(PARAGRAPHS, 'control characters'))
const reason = words(REASON_LENGTH)
const seconds = z.int().check(z.minimum(0), z.maximum(MAX_MINUTES * 60))
/** on the clocks of the assessment's zone: 2026-03-02 09:00 */
const localTime = z.string().check(z.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d$/))
const events = z.array(z.int().check(z.minimum(1))).check(z.minLength(1), z.maxLength(2_000))

/** Whom an act is for: named candidates, those of a room, or with neither everybody. */
const to = z.strictObject({
  candidates: z.nullable(z.array(z.uuid()).check(z.minLength(1), z.maxLength(2_000))),
  room: z.nullable(z.string().check(z.maxLength(60))),
})
export type ActedTo = z.infer<typeof to>

export const TIME_KINDS = ['give', 'plan', 'end_at', 'reopen', 'end_now'] as const
export type TimeKind = (typeof TIME_KINDS)[number]

/** What is done about time (societies/day/time-plan.ts). */
const timeAct = {
  to,
  kind: z.enum(TIME_KINDS),
  /** of give, plan and reopen */
  seconds: z.optional(seconds),
  /** of end_at */
  at: z.optional(localTime),
  /** of give and end_at: closed ones too */
  reopens: z.boolean(),
}
export type AskedTime = z.infer<z.ZodMiniObject<typeof timeAct>>

const timePreview = z.strictObject({
  /** who is touched, or stays closed though it was asked for; by name, exceptions are found by their outcome */
  people: z.array(
    z.strictObject({
      id: z.uuid(),
      username: z.string(),
      name: z.nullable(z.string()),
      room: z.nullable(z.string()),
      outcome: z.enum([
        ...['moves', 'reopens', 'plans', 'ends', 'unchanged', 'not_started', 'handed_in', 'closed'],
        ...['strikes_stand', 'too_late', 'would_end', 'still_open'],
      ] as const),
      /** the end so far; null where nothing runs */
      was: z.nullable(z.iso.datetime()),
      becomes: z.nullable(z.iso.datetime()),
      /** afterwards */
      plannedSeconds: z.number(),
      givenSeconds: z.number(),
      answered: z.number(),
      /** shut out: opening the attempt again lets nobody in */
      isRevoked: z.boolean(),
    }),
  ),
  /** of those who are meant: nobody's act changes what is not there */
  notInside: z.number(),
  handedIn: z.number(),
  itemCount: z.number(),
  /** in a sentence or three */
  summary: z.string(),
  /** what organisers did about time in the last quarter of an hour, the newest first */
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
  /** for a moment it can be taken back (undoTime) */
  canBeUndone: z.boolean(),
})

export const previewTime = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/time/preview',
  summary: "What an act on candidates' time would do to each; changes nothing",
  access: organiserMay('give_any_time'),
  params: ofAssessment,
  body: z.strictObject(timeAct),
  response: timePreview,
})

export const changeTime = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/time',
  summary: 'Give time, plan it, set an end, open again or end now',
  access: organiserMay('give_any_time'),
  params: ofAssessment,
  body: z.strictObject({
    ...timeAct,
    requestId,
    /** may be missing where time is planned */
    reason: z.optional(reason),
  }),
  response: timeDone,
})

const ofCandidate = z.extend(ofAssessment, { candidate: z.uuid() })

export const previewMinutes = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/candidates/by-id/:candidate/minutes/preview',
  summary: 'The same for minutes to one candidate',
  access: organiserMay('give_incident_time'),
  params: ofCandidate,
  body: z.strictObject({ seconds }),
  response: timePreview,
})

export const giveMinutes = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/candidates/by-id/:candidate/minutes',
  summary: 'Give one candidate minutes for something that happened, 15 in all',
  access: organiserMay('give_incident_time'),
  params: ofCandidate,
  body: z.strictObject({ seconds, requestId, reason }),
  response: timeDone,
})

export const undoTime = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/time/undo',
  summary: "Take back one's own change of time of a moment ago, by its request",
  access: organiserMay('give_incident_time'),
  params: ofAssessment,
  body: z.strictObject({ requestId }),
  response: z.strictObject({ undone: z.number() }),
})

const MESSAGES = organiserMay('message_candidates')

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/messages',
  summary: 'What was written to candidates, the newest first',
  access: MESSAGES,
  params: ofAssessment,
  response: z.strictObject({
    messages: z.array(
      z.strictObject({
        /** of one message to several there are several */
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

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/messages',
  summary: 'Write to one candidate, several, a room or all; read on their screens within a minute',
  access: MESSAGES,
  params: ofAssessment,
  body: z.strictObject({ requestId, to, text: words(MESSAGE_LENGTH) }),
  response: z.strictObject({
    ids: z.array(z.int()),
    text: z.string(),
    /** of those it is for, how many are inside now */
    inside: z.number(),
  }),
})

export const withdrawMessage = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/messages/withdraw',
  summary: 'Take messages back: who has not read one never does',
  access: MESSAGES,
  params: ofAssessment,
  body: z.strictObject({
    ids: z
      .array(z.int().check(z.minimum(1), z.maximum(2_147_483_647)))
      .check(z.minLength(1), z.maxLength(2_000)),
  }),
  response: z.strictObject({ withdrawn: z.number() }),
})

const VOID = organiserMay('void_event')

export const readStrikes = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/strikes/read',
  summary: 'What counted against candidates, event by event, what was taken back too',
  access: VOID,
  params: ofAssessment,
  body: z.strictObject({ to }),
  response: z.strictObject({
    /** kinds that are not counted for the one who is asked about; of several none */
    exemptKinds: z.array(z.string()),
    strikes: z.array(
      z.strictObject({
        event: z.int(),
        candidate: z.uuid(),
        username: z.string(),
        name: z.nullable(z.string()),
        room: z.nullable(z.string()),
        kind: z.string(),
        /** of a shortcut */
        key: z.nullable(z.string()),
        at: z.iso.datetime(),
        takenBack: z.nullable(z.string()),
        endedTest: z.boolean(),
        isClosed: z.boolean(),
      }),
    ),
  }),
})

export const takeStrikesBack = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/strikes/take-back',
  summary: 'Take strikes back: they stay, with the reason, and count no more',
  access: VOID,
  params: ofAssessment,
  body: z.strictObject({ requestId, events, reason }),
  response: z.strictObject({
    /** those that counted until now */
    events: z.array(z.int()),
    /** whose test was ended by strikes that stand no more */
    mayBeReopened: z.array(z.strictObject({ id: z.uuid(), username: z.string() })),
  }),
})

export const restoreStrikes = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/strikes/restore',
  summary: 'Let strikes count again that were taken back',
  access: VOID,
  params: ofAssessment,
  body: z.strictObject({ events, reason }),
  response: z.strictObject({ events: z.array(z.int()) }),
})

export const exemptFromKinds = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/candidates/by-id/:candidate/exempt',
  summary: 'Count kinds of events no more for one candidate, those of before too',
  access: organiserMay('manage_candidates'),
  params: ofCandidate,
  body: z.strictObject({
    kinds: z.array(z.string().check(z.maxLength(40))).check(z.maxLength(20)),
  }),
  response: z.strictObject({ kinds: z.array(z.string()), strikes: z.number() }),
})

const LATE = organiserMay('accept_late_answers')

export const listLateAnswers = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/late-answers',
  summary: 'Answers that came after the end, and what accepting them would do',
  access: LATE,
  params: ofAssessment,
  response: z.strictObject({
    people: z.array(
      z.strictObject({
        id: z.uuid(),
        username: z.string(),
        name: z.nullable(z.string()),
        answers: z.array(
          z.strictObject({
            /** number of the question in the table */
            item: z.number(),
            chosenAt: z.nullable(z.iso.datetime()),
            receivedAt: z.iso.datetime(),
            /** whether it would count, or why not */
            standing: z.enum(['counts', 'too_late', 'unknown', 'not_held_up', 'outdated', 'open']),
          }),
        ),
      }),
    ),
    acceptable: z.number(),
    /** how many results accepting all of them changes */
    changes: z.number(),
  }),
})

export const acceptLateAnswers = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/late-answers/accept',
  summary: 'Count the late answers that may count',
  access: LATE,
  params: ofAssessment,
  body: z.strictObject({
    requestId,
    reason,
    /** of one candidate; null: of all */
    candidate: z.nullable(z.uuid()),
  }),
  response: z.strictObject({ accepted: z.number(), changes: z.number() }),
})
