import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'

/** '2026-11-25', a day where the test was sat */
const day = z.iso.date()
const count = z.int()

/** Of one session, or of one form of it: everybody in it had the same questions. */
const group = z.strictObject({
  /** 'Morning', 'Morning, form A'; null where there is one group alone, without a name */
  name: z.nullable(z.string()),
  sat: count,
  /** how many count */
  questions: count,
  minutes: count,
  /** null where the group is too small, or everybody had the same score */
  reliability: z.nullable(
    z.strictObject({
      said: z.enum(['indicative', 'shown']),
      kr20: z.number(),
      low: z.number(),
      high: z.number(),
      /** standard error, points */
      error: z.number(),
    }),
  ),
})

const comparison = z.strictObject({
  earlier: z.nullable(z.string()),
  later: z.nullable(z.string()),
  /** two forms of one session */
  areForms: z.boolean(),
  /** questions that both had, with the same text and key, which count */
  common: count,
  /** null where nothing can be said, and `why` says it */
  found: z.nullable(
    z.strictObject({
      said: z.enum(['indicative', 'shown']),
      /** right answers on the common questions, later minus earlier, on average; with 95% confidence */
      difference: z.number(),
      low: z.number(),
      high: z.number(),
      /** more right by more than chance: stronger candidates, or known questions */
      isWarning: z.boolean(),
    }),
  ),
  why: z.nullable(z.string()),
})

/**
 * What is public of how a season's test was run (product 7.21.4): counts of what was decided, and statistics of
 * groups of fifteen and more. Nobody's name, score or room.
 */
export const cardContent = z.strictObject({
  /** as candidates read it */
  society: z.string(),
  season: z.string(),
  firstDay: z.nullable(day),
  lastDay: z.nullable(day),
  sat: count,
  sessions: count,
  /** different ones, over all sessions */
  questions: count,
  groups: z.array(group),
  comparisons: z.array(comparison),
  /** points that an owner gave to a session for its harder questions */
  shifts: z.array(
    z.strictObject({
      name: z.nullable(z.string()),
      points: z.number(),
      reason: z.nullable(z.string()),
    }),
  ),
  rulings: z.array(
    z.strictObject({
      name: z.nullable(z.string()),
      /** its place in the test, from 1 */
      question: count,
      kind: z.enum(['accept', 'replace', 'void', 'full_marks']),
      /** null: it named somebody */
      reason: z.nullable(z.string()),
      /** scores that it changed; null where that was not kept, or fewer than fifteen sat */
      changed: z.nullable(count),
      /** made before names were shown beside the scores */
      isBeforeNames: z.boolean(),
    }),
  ),
  incidents: z.strictObject({
    cleared: count,
    upheld: count,
    /** asked for, and nobody was cleared by it */
    waitForTalk: count,
    undecided: count,
    /** two reviewers had to agree; only versions of before tell it */
    needsSecond: z.optional(z.boolean()),
    /** reports on a room or on all, such as of an alarm; versions of before do not tell them */
    ofRooms: z.optional(count),
    /** verdicts of who had reported something about the candidate */
    byReporter: count,
  }),
  time: z.strictObject({
    planned: count,
    given: count,
    /** what all of them got, seconds; null where it differs, or they are fewer than fifteen */
    givenSeconds: z.nullable(count),
    reopened: count,
    takenBack: count,
  }),
  /** who did something with the test, each once, by the role that allows most */
  people: z.strictObject({
    owner: count,
    reviewer: count,
    author: count,
    invigilator: count,
    /** whose role or account is gone */
    gone: count,
    /** something was done by whoever runs the server */
    isAtKeyboard: z.boolean(),
  }),
  log: z.strictObject({ entries: count, isWhole: z.boolean() }),
  kept: z.strictObject({
    /** of the society, after the last moment to start */
    months: count,
    until: z.array(
      z.strictObject({
        name: z.nullable(z.string()),
        /** null: no day */
        day: z.nullable(day),
        isOwn: z.boolean(),
      }),
    ),
  }),
})
export type CardContent = z.infer<typeof cardContent>

/** The parts of a card in which two versions of it may differ: its lead, and its seven questions. */
export const CARD_PARTS = [
  'lead',
  'reliability',
  'sessions',
  'keys',
  'incidents',
  'time',
  'people',
  'kept',
] as const
export type CardPart = (typeof CARD_PARTS)[number]

export const cardVersion = z.strictObject({
  version: count,
  madeAt: z.iso.datetime(),
  /** where it differs from the version before; empty of the first */
  differsIn: z.array(z.enum(CARD_PARTS)),
})

const ofCard = z.strictObject({ card: z.uuid() })

export const readCard = endpoint({
  method: 'GET',
  path: '/api/fairness/:card',
  summary: 'A season’s fairness card, of which nothing is public before the results are released',
  access: 'public',
  params: ofCard,
  query: z.strictObject({
    /** left out: the newest */
    version: z.optional(z.string().check(z.regex(/^[1-9]\d{0,4}$/))),
  }),
  response: z.strictObject({
    /** null: not yet, or not any more */
    card: z.nullable(
      z.strictObject({
        content: cardContent,
        version: count,
        madeAt: z.iso.datetime(),
        /** in which days are meant */
        timeZone: z.string(),
        /** all there are, the newest first */
        versions: z.array(cardVersion),
      }),
    ),
  }),
})

/** What a reference may look like: eight of the digits of an attempt, in two groups or not. */
export const REFERENCE = /^\s*[0-9a-fA-F]{4} ?[0-9a-fA-F]{4}\s*$/

export const checkReference = endpoint({
  method: 'POST',
  path: '/api/fairness/:card/check',
  summary: 'Whether the answers of a reference are among those counted, and nothing else',
  access: 'public',
  params: ofCard,
  body: z.strictObject({ reference: z.string().check(z.maxLength(40), z.regex(REFERENCE)) }),
  response: z.strictObject({
    /** deleted: the answers of a session are gone, and so cannot be looked for */
    found: z.enum(['counted', 'not_counted', 'deleted']),
  }),
})
