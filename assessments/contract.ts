import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { exhibitSchema } from '../platform/exhibit.ts'
import { optionLetterSchema } from '../platform/options.ts'
import { PARAGRAPHS } from '../platform/paragraphs.ts'
import { incidentFields, incidentStrike } from './attempt-log.ts'
import { HELP_LENGTH } from './help.ts'
import { EVENT_KINDS, WAYS_OPENED } from './violations.ts'

const params = z.strictObject({ code: z.string().check(z.regex(/^[A-Z0-9_]{1,40}$/)) })

/** The candidate token ends with the session that it belongs to, so each of these calls checks the session. */
const onAttempt = { access: 'user', knowsSession: true, params } as const

/** The candidate token from verify. Every call on an attempt sends this header. */
export const CANDIDATE_TOKEN_HEADER = 'X-Candidate-Token'
/** The calling window's id. The newest window owns the attempt. */
export const WINDOW_HEADER = 'X-Window-Id'

const windowIdSchema = z.string().check(z.regex(/^[\w-]{1,64}$/))

export const listAssessments = endpoint({
  method: 'GET',
  path: '/api/assessments',
  summary: 'The open processes, by society',
  access: 'user',
  response: z.array(
    z.strictObject({
      code: z.string(),
      society: z.string(),
      label: z.string(),
      /** The part after the society's name in the session picker. Null if the society has one session. */
      session: z.nullable(z.string()),
      durationSeconds: z.int(),
      questionCount: z.int(),
      navigator: z.boolean(),
      rules: z.strictObject({
        timing: z.array(z.string()),
        allowed: z.array(z.string()),
        forbidden: z.array(z.string()),
        contact: z.nullable(z.string()),
      }),
      opensAt: z.nullable(z.iso.datetime()),
      closesAt: z.nullable(z.iso.datetime()),
      /** Milliseconds until any candidate's last start, by the server's clock. Negative once it has passed. */
      closesInMs: z.nullable(z.int()),
      /** Whether this user has a test running there. */
      isRunning: z.boolean(),
      /** Whether candidates can read their results with their username and password. */
      isReleased: z.boolean(),
      /** IANA time zone of the society's times. */
      timeZone: z.string(),
    }),
  ),
})

const statusSchema = z.enum(['not_started', 'in_progress', 'submitted'])

/** A society's credentials, sent to verify, and as JSON for entry at the guest limit (product 6.2.13). */
export const credentialsShown = z.strictObject({
  username: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  password: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
})

export const verifyCandidate = endpoint({
  method: 'POST',
  path: '/api/assessments/:code/verify',
  summary: 'Check society credentials and issue a candidate token for this user and assessment',
  ...onAttempt,
  body: credentialsShown,
  response: z.strictObject({ candidateToken: z.string(), status: statusSchema }),
})

export const startAttempt = endpoint({
  method: 'POST',
  path: '/api/assessments/:code/attempt',
  summary:
    'Start, resume or take over an attempt. The paper, saved answers and deadline stay the same',
  ...onAttempt,
  body: z.strictObject({ windowId: z.optional(windowIdSchema) }),
  response: z.strictObject({
    /** First 8 characters of the attempt's id. */
    reference: z.string(),
    title: z.string(),
    /** Empty after the submit. */
    questions: z.array(
      z.strictObject({
        id: z.int(),
        question: z.string(),
        options: z.strictObject({ A: z.string(), B: z.string(), C: z.string(), D: z.string() }),
        /** A table, or a picture from getExhibitPicture. */
        exhibit: z.optional(exhibitSchema),
      }),
    ),
    answers: z.array(
      z.strictObject({ questionId: z.int(), choice: optionLetterSchema, revision: z.int() }),
    ),
    remainingMs: z.int(),
    violations: z.int(),
    maxViolations: z.int(),
    status: z.enum(['in_progress', 'submitted']),
  }),
})

export const getExhibitPicture = endpoint({
  method: 'GET',
  path: '/api/assessments/:code/attempt/pictures/:picture',
  summary: 'The bytes of a picture shown by a question of the running attempt',
  access: 'user',
  params: z.strictObject({ ...params.shape, picture: z.uuid() }),
  response: z.unknown(),
})

/**
 * One choice. `revision` grows with each, so a late save never overwrites a newer one. `at`: milliseconds since this
 * window started, by the page's monotonic clock. In the grace period only choices made before the deadline count.
 */
const answersSchema = z
  .array(
    z.strictObject({
      // The column's limit. A larger number would make the whole batch fail.
      questionId: z.int().check(z.minimum(1), z.maximum(2_147_483_647)),
      choice: z.string().check(z.maxLength(10)),
      revision: z.int().check(z.minimum(1), z.maximum(1_000_000)),
      at: z.optional(z.number().check(z.minimum(0), z.maximum(1e9))),
    }),
  )
  .check(z.maxLength(500))

/** The longest viewing time per question, milliseconds. No test lasts longer than a day. */
export const DWELL_LIMIT_MS = 86_400_000

/** Total viewing time per question in this window so far, without absences. For statistics only. */
const dwellSchema = z.optional(
  z
    .array(
      z.strictObject({
        item: z.int().check(z.minimum(1), z.maximum(2_147_483_647)),
        ms: z.int().check(z.minimum(0), z.maximum(DWELL_LIMIT_MS)),
      }),
    )
    .check(z.maxLength(500)),
)
/** Number of the newest message. A page that knows a smaller number fetches its status (product 6.14.2). */
const newsSchema = z.optional(z.int())

/** Number of this window's last event, so that the server can see gaps. */
const lastEventSchema = z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000)))

const sentAnswers = z.strictObject({
  answers: answersSchema,
  lastEvent: lastEventSchema,
  dwell: dwellSchema,
})

export const saveAnswers = endpoint({
  method: 'PUT',
  path: '/api/assessments/:code/attempt/answers',
  summary: 'Save choices and return the revision now stored for each',
  ...onAttempt,
  body: sentAnswers,
  response: z.strictObject({
    saved: z.array(z.strictObject({ questionId: z.int(), revision: z.int() })),
    news: newsSchema,
  }),
})

export const reportEvents = endpoint({
  method: 'POST',
  path: '/api/assessments/:code/attempt/events',
  summary: 'Report page events. The server counts the violations',
  ...onAttempt,
  body: z.strictObject({
    events: z
      .array(
        z.strictObject({
          /** Counts 1, 2, 3 … within a window. */
          id: z.int().check(z.minimum(1), z.maximum(1_000_000)),
          kind: z.enum(EVENT_KINDS),
          /** Milliseconds since this window started or resumed, by the page's monotonic clock. */
          at: z.number().check(z.minimum(-1e12), z.maximum(1e12)),
          detail: z.optional(
            z.strictObject({
              /** For a shortcut, such as 'Ctrl+C'. Short printable ASCII, so that it can't inject terminal codes. */
              key: z.optional(z.string().check(z.regex(/^[\x20-\x7e]{1,40}$/))),
              /** For a finished absence, an excused one or a leave prompt: its length in milliseconds. */
              awayMs: z.optional(z.number().check(z.minimum(0), z.maximum(1e12))),
              /** For `ready`: how the browser opened the document. */
              opened: z.optional(z.enum(WAYS_OPENED)),
              /** For a heartbeat: whether the page has the focus and is visible. */
              focused: z.optional(z.boolean()),
              visible: z.optional(z.boolean()),
              /** For a help request: the candidate's text. */
              text: z.optional(z.string().check(z.maxLength(HELP_LENGTH), z.regex(PARAGRAPHS))),
            }),
          ),
        }),
      )
      .check(z.minLength(1), z.maxLength(200)),
  }),
  response: z.strictObject({
    violations: z.int(),
    status: z.enum(['in_progress', 'submitted']),
    news: newsSchema,
  }),
})

export const submitAttempt = endpoint({
  method: 'POST',
  path: '/api/assessments/:code/attempt/submit',
  summary: 'Submit once. Repeated calls get the same response',
  ...onAttempt,
  body: sentAnswers,
  response: z.strictObject({
    status: z.literal('submitted'),
    reference: z.string(),
    submittedAt: z.iso.datetime(),
  }),
})

/** A help request: its event, its text, and when it arrived and when a member saw it, milliseconds since 1970. */
const helpAsked = z.strictObject({
  event: z.int(),
  text: z.nullable(z.string()),
  atMs: z.number(),
  readMs: z.nullable(z.number()),
})
export type HelpAsked = z.infer<typeof helpAsked>

export const getAttempt = endpoint({
  method: 'GET',
  path: '/api/assessments/:code/attempt',
  summary: "Status, remaining time and violations of the attempt, and the candidate's time limit",
  ...onAttempt,
  response: z.strictObject({
    status: statusSchema,
    remainingMs: z.int(),
    violations: z.int(),
    /** Before the start: the candidate's own start window, if it differs from the test's. */
    window: z.optional(
      z.strictObject({
        opensAt: z.iso.datetime(),
        closesAt: z.iso.datetime(),
      }),
    ),
    /** Planned extra time for this candidate. */
    extraSeconds: z.int(),
    /** Seconds added during the test. Omitted if none. */
    givenSeconds: z.optional(z.int()),
    news: newsSchema,
    /** The society's messages, newest first, while the test is running. */
    messages: z.optional(
      z.array(z.strictObject({ id: z.int(), text: z.string(), at: z.iso.datetime() })),
    ),
    /** The candidate's help requests, oldest first, while the test is running. */
    help: z.optional(z.array(helpAsked)),
    // After the submit: what the completion screen shows to a returning candidate.
    reference: z.optional(z.string()),
    submittedAt: z.optional(z.iso.datetime()),
    reason: z.optional(z.enum(['candidate', 'violations', 'deadline'])),
    /** Whether the society ended the test before its deadline. */
    endedBySociety: z.optional(z.literal(true)),
    /** The counted violations in order, if they ended the test. */
    strikes: z.optional(
      z.array(
        z.strictObject({
          kind: z.string(),
          key: z.optional(z.string()),
          at: z.iso.datetime(),
        }),
      ),
    ),
  }),
})

/** One of the user's finished attempts. */
const ofAttempt = z.strictObject({ reference: z.string().check(z.regex(/^[0-9a-f]{8}$/)) })

export const readRecord = endpoint({
  method: 'GET',
  path: '/api/attempts/:reference/record',
  summary: 'The record of a finished attempt of this user, without choices, keys or results',
  access: 'user',
  params: ofAttempt,
  response: z.strictObject({
    /** In order of arrival, the first 500. */
    entries: z.array(
      z.strictObject({
        kind: z.string(),
        /** Milliseconds since the start. */
        atMs: z.number(),
        /** Whether it counted, and still counts. */
        standing: z.nullable(z.enum(['strike', 'taken_back'])),
        key: z.nullable(z.string()),
        /** How long an absence or a similar event lasted. */
        awayMs: z.nullable(z.number()),
        /** For the submit: what ended the test. */
        endedBy: z.nullable(z.enum(['candidate', 'violations', 'deadline'])),
      }),
    ),
    entryCount: z.int(),
    saves: z.int(),
    heartbeats: z.int(),
    startedAt: z.iso.datetime(),
    /** The same events grouped into incidents (assessments/attempt-history.ts), the first 200. */
    incidents: z.array(
      z.strictObject({
        ...incidentFields,
        strike: z.nullable(z.strictObject(incidentStrike)),
        changed: z.array(z.strictObject({ question: z.int(), afterMs: z.number() })),
      }),
    ),
    /** Total unmonitored time, milliseconds. */
    unseenMs: z.number(),
    /** Codes of the stored answers and of their earlier versions, newest last. */
    receipts: z.array(
      z.strictObject({
        code: z.string(),
        at: z.iso.datetime(),
        why: z.enum(['submitted', 'late_accepted']),
      }),
    ),
    comment: z.nullable(z.string()),
    commentUntil: z.iso.datetime(),
    /** Milliseconds until the comment closes, by the server's clock. Negative once it has closed. */
    commentLeftMs: z.number(),
  }),
})

export const readReleasedResult = endpoint({
  method: 'GET',
  path: '/api/attempts/:reference/result',
  summary:
    'The released result of an attempt by this user or with credentials used in this session. Null before the release',
  access: 'user',
  params: ofAttempt,
  response: z.strictObject({
    result: z.nullable(
      z.strictObject({
        society: z.string(),
        right: z.int(),
        items: z.int(),
        /** Margin of error in whole points. Null if it can't be computed for this test. */
        error: z.nullable(z.int()),
        /** The cut score. Null if the society does not share it. */
        line: z.nullable(z.number()),
        /** The society's own words, or ''. */
        words: z.string(),
        /** How many questions had their key corrected afterwards. `change` is the points gained or lost. */
        corrected: z.int(),
        change: z.int(),
      }),
    ),
  }),
})

export const COMMENT_LENGTH = 2_000

export const writeComment = endpoint({
  method: 'PUT',
  path: '/api/attempts/:reference/comment',
  summary: 'Write a comment to the society, up to 48 hours after the end. Empty text removes it',
  access: 'user',
  params: ofAttempt,
  body: z.strictObject({
    text: z.string().check(z.maxLength(COMMENT_LENGTH), z.regex(PARAGRAPHS)),
  }),
  response: z.strictObject({ comment: z.nullable(z.string()) }),
})

export const openSuperdayTest = endpoint({
  method: 'POST',
  path: '/api/practice/superdays/:id/test',
  summary:
    'Credentials for the test of a mock superday, which then uses the same calls as any assessment',
  access: 'user',
  params: z.strictObject({ id: z.uuid() }),
  response: z.strictObject({
    /** The code for the calls of any assessment. */
    code: z.string(),
    username: z.string(),
    password: z.string(),
  }),
})
