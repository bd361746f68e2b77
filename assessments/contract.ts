import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { exhibitSchema } from '../platform/exhibit.ts'
import { optionLetterSchema } from '../platform/options.ts'
import { PARAGRAPHS } from '../platform/paragraphs.ts'
import { incidentFields, incidentStrike } from './attempt-log.ts'
import { HELP_LENGTH } from './help.ts'
import { EVENT_KINDS, WAYS_OPENED } from './violations.ts'

const params = z.strictObject({ code: z.string().check(z.regex(/^[A-Z0-9_]{1,40}$/)) })

/** The seat's token is made of its session's row and ends with it, so each of these looks at it all the same. */
const onAttempt = { access: 'user', knowsSession: true, params } as const

/** Which candidate calls: what verify gave (header of every call on an attempt). */
export const CANDIDATE_TOKEN_HEADER = 'X-Candidate-Token'
/** Which window calls: the newest one owns the attempt. */
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
      /** what follows the society's name in the choice of sessions; null when it has one session */
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
      /** until the last start of any candidate, by the server's clock; negative once it is over */
      closesInMs: z.nullable(z.int()),
      /** whether a test that this user has started there goes on */
      isRunning: z.boolean(),
      /** candidates can read their result with their username and password */
      isReleased: z.boolean(),
      /** IANA zone in which the society names its times */
      timeZone: z.string(),
    }),
  ),
})

const statusSchema = z.enum(['not_started', 'in_progress', 'submitted'])

/** A society's credentials: at verify, and as a text of JSON where guests are too many (product 6.2.13). */
export const credentialsShown = z.strictObject({
  username: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  password: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
})

export const verifyCandidate = endpoint({
  method: 'POST',
  path: '/api/assessments/:code/verify',
  summary: 'Check society credentials: a candidate token for this user and assessment',
  ...onAttempt,
  body: credentialsShown,
  response: z.strictObject({ candidateToken: z.string(), status: statusSchema }),
})

export const startAttempt = endpoint({
  method: 'POST',
  path: '/api/assessments/:code/attempt',
  summary: 'Start, or resume: same paper, saved answers, remaining time. Takes the attempt over',
  ...onAttempt,
  body: z.strictObject({ windowId: z.optional(windowIdSchema) }),
  response: z.strictObject({
    /** first 8 of the attempt's id */
    reference: z.string(),
    title: z.string(),
    /** empty once submitted */
    questions: z.array(
      z.strictObject({
        id: z.int(),
        question: z.string(),
        options: z.strictObject({ A: z.string(), B: z.string(), C: z.string(), D: z.string() }),
        /** a table, or a picture that getExhibitPicture gives */
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
  summary: 'The bytes of a picture that a question of the running attempt shows',
  access: 'user',
  params: z.strictObject({ ...params.shape, picture: z.uuid() }),
  response: z.unknown(),
})

/**
 * One choice. `revision` grows with each, so a late save never overwrites a newer one. `at`: milliseconds since this
 * window started, on the page's monotonic clock; in the grace only choices made before the deadline are taken.
 */
const answersSchema = z
  .array(
    z.strictObject({
      // What the column holds: a larger number would fail the round of everybody who saves now.
      questionId: z.int().check(z.minimum(1), z.maximum(2_147_483_647)),
      choice: z.string().check(z.maxLength(10)),
      revision: z.int().check(z.minimum(1), z.maximum(1_000_000)),
      at: z.optional(z.number().check(z.minimum(0), z.maximum(1e9))),
    }),
  )
  .check(z.maxLength(500))

/** The longest that a page can have looked at a question, milliseconds: no test lasts longer than a day. */
export const DWELL_LIMIT_MS = 86_400_000

/** How long questions were looked at in this window so far, without absences. For statistics alone. */
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
/** Number of the newest message: a page that knows a smaller one asks how its attempt stands (product 6.14.2). */
const newsSchema = z.optional(z.int())

/** Number of this window's last event, so that a gap shows. */
const lastEventSchema = z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000)))

const sentAnswers = z.strictObject({
  answers: answersSchema,
  lastEvent: lastEventSchema,
  dwell: dwellSchema,
})

export const saveAnswers = endpoint({
  method: 'PUT',
  path: '/api/assessments/:code/attempt/answers',
  summary: 'Save choices; answers with the revision that is stored now for each',
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
  summary: 'Report what the page saw; the server counts',
  ...onAttempt,
  body: z.strictObject({
    events: z
      .array(
        z.strictObject({
          /** counts 1, 2, 3 … within a window */
          id: z.int().check(z.minimum(1), z.maximum(1_000_000)),
          kind: z.enum(EVENT_KINDS),
          /** milliseconds since this window started or resumed, on the page's monotonic clock */
          at: z.number().check(z.minimum(-1e12), z.maximum(1e12)),
          detail: z.optional(
            z.strictObject({
              /** of a shortcut, as 'Ctrl+C': short, and nothing that an organizer's terminal would obey */
              key: z.optional(z.string().check(z.regex(/^[\x20-\x7e]{1,40}$/))),
              /** of an absence that ended, of what was excused, of a leave prompt: how long */
              awayMs: z.optional(z.number().check(z.minimum(0), z.maximum(1e12))),
              /** of `ready`: how the browser opened the document */
              opened: z.optional(z.enum(WAYS_OPENED)),
              /** of a heartbeat: whether the page has the focus, and is visible */
              focused: z.optional(z.boolean()),
              visible: z.optional(z.boolean()),
              /** of a request for help: what the candidate wrote */
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
  summary: 'Submit, once; a repeat gets the same answer',
  ...onAttempt,
  body: sentAnswers,
  response: z.strictObject({
    status: z.literal('submitted'),
    reference: z.string(),
    submittedAt: z.iso.datetime(),
  }),
})

/** A request for help: its event, what was written, and when it came and a member saw it, milliseconds since 1970. */
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
  summary: "Status, remaining time and violations of the attempt, and the candidate's own time",
  ...onAttempt,
  response: z.strictObject({
    status: statusSchema,
    remainingMs: z.int(),
    violations: z.int(),
    /** before the start: the candidate's own window, where it is not the test's */
    window: z.optional(
      z.strictObject({
        opensAt: z.iso.datetime(),
        closesAt: z.iso.datetime(),
      }),
    ),
    /** how much longer than the others this candidate has, as it was planned */
    extraSeconds: z.int(),
    /** seconds added because something happened; left out if none were */
    givenSeconds: z.optional(z.int()),
    news: newsSchema,
    /** of the society, the newest first, while the test goes on */
    messages: z.optional(
      z.array(z.strictObject({ id: z.int(), text: z.string(), at: z.iso.datetime() })),
    ),
    /** the candidate's requests for help, the oldest first, while the test goes on */
    help: z.optional(z.array(helpAsked)),
    // Once submitted, what the completion screen shows to who comes back.
    reference: z.optional(z.string()),
    submittedAt: z.optional(z.iso.datetime()),
    reason: z.optional(z.enum(['candidate', 'violations', 'deadline'])),
    /** by the society, before its time was over */
    endedBySociety: z.optional(z.literal(true)),
    /** what counted, in its order, where that ended the test */
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

/** One that is over, of the user. */
const ofAttempt = z.strictObject({ reference: z.string().check(z.regex(/^[0-9a-f]{8}$/)) })

export const readRecord = endpoint({
  method: 'GET',
  path: '/api/attempts/:reference/record',
  summary: 'What was recorded of an attempt of this user that is over: no choice, key or result',
  access: 'user',
  params: ofAttempt,
  response: z.strictObject({
    /** in the order in which they came in, the first 500 */
    entries: z.array(
      z.strictObject({
        kind: z.string(),
        /** since the start */
        atMs: z.number(),
        /** whether it counted, and still does */
        standing: z.nullable(z.enum(['strike', 'taken_back'])),
        key: z.nullable(z.string()),
        /** how long an absence or its like lasted */
        awayMs: z.nullable(z.number()),
        /** of the hand-in: by what the test ended */
        endedBy: z.nullable(z.enum(['candidate', 'violations', 'deadline'])),
      }),
    ),
    entryCount: z.int(),
    saves: z.int(),
    heartbeats: z.int(),
    startedAt: z.iso.datetime(),
    /** the same, gathered into what happened (assessments/attempt-history.ts), the first 200 */
    incidents: z.array(
      z.strictObject({
        ...incidentFields,
        strike: z.nullable(z.strictObject(incidentStrike)),
        changed: z.array(z.strictObject({ question: z.int(), afterMs: z.number() })),
      }),
    ),
    /** how long nobody watched */
    unseenMs: z.number(),
    /** of the answers as they are stored, with what it was before; the newest last */
    receipts: z.array(
      z.strictObject({
        code: z.string(),
        at: z.iso.datetime(),
        why: z.enum(['submitted', 'late_accepted']),
      }),
    ),
    comment: z.nullable(z.string()),
    /** until when a comment may be written */
    commentUntil: z.iso.datetime(),
    /** until then from now on, by the server's clock; negative once it is over */
    commentLeftMs: z.number(),
  }),
})

export const readReleasedResult = endpoint({
  method: 'GET',
  path: '/api/attempts/:reference/result',
  summary:
    'The released result of an attempt that this user took, or whose credentials this session entered; null before',
  access: 'user',
  params: ofAttempt,
  response: z.strictObject({
    result: z.nullable(
      z.strictObject({
        society: z.string(),
        right: z.int(),
        items: z.int(),
        /** the margin of error, whole points; null: no one can say it of this test */
        error: z.nullable(z.int()),
        /** the least that is in; null where the society does not tell it */
        line: z.nullable(z.number()),
        /** the society's own; '' for none */
        words: z.string(),
        /** questions of the paper whose key was corrected afterwards, and the points that this gave */
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
  summary: 'What the candidate tells the society, until 48 hours after the end; empty for nothing',
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
    'Credentials for the test of a mock superday, which is then verified, started, saved and submitted like every other',
  access: 'user',
  params: z.strictObject({ id: z.uuid() }),
  response: z.strictObject({
    /** its calls are those of any assessment */
    code: z.string(),
    username: z.string(),
    password: z.string(),
  }),
})
