import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { PARAGRAPHS } from '../../platform/paragraphs.ts'
import { fresh, inTest, ofAssessment, organiserMay } from '../contract.ts'

/*
 * Results, the line, names and release (product 7.17). What names nobody is for whoever sees scores; the line,
 * all names and the release are an owner's.
 */

const SEE = organiserMay('see_scores')
const OWN = organiserMay('release_results')

/** Characters of what a society writes beside a released result, and of a reason. */
export const RELEASE_WORDS_LENGTH = 1_000
const REASON_LENGTH = 500
/** Points of a line: more than a test can have. */
const MOST_POINTS = 1_000

const reason = z.string().check(z.trim(), z.minLength(1), z.maxLength(REASON_LENGTH))
const line = z.strictObject({
  /** the least that is in, points */
  points: z.number(),
  version: z.int(),
  changedBy: z.string(),
  changedAt: z.iso.datetime(),
  fixedAt: z.nullable(z.iso.datetime()),
  fixedBy: z.nullable(z.string()),
})
export type ResultLine = z.infer<typeof line>

const scored = z.strictObject({
  /** the candidate's, for the file */
  id: z.uuid(),
  /** stands for the candidate */
  number: z.int(),
  right: z.int(),
  /** seconds from start to submission */
  seconds: z.int(),
  /** seconds that there were */
  allowedSeconds: z.int(),
  /** a window saved without being watched throughout */
  isUnwatched: z.boolean(),
  /** that stand: from one on files say 'cheated' */
  strikes: z.int(),
  /** three of them ended the test */
  isEndedByStrikes: z.boolean(),
  /** incidents that were decided to be held against the candidate */
  upheld: z.int(),
})
export type ScoredCandidate = z.infer<typeof scored>

/** Of right answers; half of all have low to high. */
const middle = z.strictObject({
  mean: z.number(),
  median: z.number(),
  low: z.number(),
  high: z.number(),
})

/** A session, or a form of it, next to others. */
const sideBySide = z.strictObject({
  code: z.string(),
  name: z.string(),
  /** null: there is one */
  form: z.nullable(z.enum(['A', 'B'])),
  people: z.int(),
  questions: z.int(),
  /** null where there are too few to say it */
  middle: z.nullable(middle),
})
export type SideBySide = z.infer<typeof sideBySide>

const form = z.strictObject({
  /** null: there is one */
  form: z.nullable(z.enum(['A', 'B'])),
  /** questions that count */
  items: z.int(),
  /** KR-20; null where there are too few candidates to say it */
  reliability: z.nullable(z.number()),
  /** standard error of measurement, points; null as above */
  error: z.nullable(z.number()),
  /** best first; null where no order is supported */
  groups: z.nullable(z.array(z.strictObject({ high: z.int(), low: z.int(), count: z.int() }))),
  /** one standard error at each score from 0 on, whole points; null where no order is supported */
  errors: z.nullable(z.array(z.int())),
  /** null where there are too few to say it */
  middle: z.nullable(middle),
  /** by number, which tells nothing; without those under review */
  candidates: z.array(scored),
  /** whose incidents are undecided: the score is covered until then, from who decides too */
  underReview: z.array(
    z.strictObject({
      id: z.uuid(),
      number: z.int(),
      /** incidents without a verdict, or that wait for a talk */
      undecided: z.int(),
    }),
  ),
})
export type FormResults = z.infer<typeof form>

const obstacles = z.strictObject({
  /** questions whose key is probably wrong */
  keys: z.array(
    z.strictObject({
      position: z.int(),
      /** who would cross the line with the likely key; null where there is no line, or it is not known */
      crossing: z.nullable(z.int()),
    }),
  ),
  /** without a verdict, or waiting for a talk */
  incidents: z.int(),
  /** could be counted, and nobody decided */
  lateAnswers: z.int(),
  /** whose answers came late and were not accepted, as Live counts them; that alone holds nothing */
  lateCandidates: z.int(),
})
export type Obstacles = z.infer<typeof obstacles>

const release = z.strictObject({
  releasedAt: z.iso.datetime(),
  releasedBy: z.string(),
  words: z.string(),
  tellsLine: z.boolean(),
  withdrawnAt: z.nullable(z.iso.datetime()),
})
export type Release = z.infer<typeof release>

export const getResults = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/results',
  summary: 'Everybody’s score under a blind number, and what stands in the way of a release',
  access: SEE,
  params: ofAssessment,
  response: z.strictObject({
    /** 'over' alone has scores */
    state: z.enum(['nobody', 'can_start', 'inside', 'over']),
    insideCount: z.int(),
    /** one for each form */
    forms: z.array(form),
    /** its forms, and the other sessions of the season that are over; empty where there is one group */
    sideBySide: z.array(sideBySide),
    line: z.nullable(line),
    names: z.strictObject({
      /** when an owner showed all of them */
      shownAt: z.nullable(z.iso.datetime()),
      shownBy: z.nullable(z.string()),
      /** who looked at single ones, or took a file with names, and how often */
      looks: z.array(z.strictObject({ by: z.string(), count: z.int() })),
    }),
    obstacles,
    release: z.nullable(release),
  }),
})

export const setResultLine = endpoint({
  method: 'PUT',
  path: '/api/societies/:society/assessments/:code/results/line',
  summary: 'Draw the line, or move it; 409 stale where somebody moved it since it was read',
  access: OWN,
  params: ofAssessment,
  body: z.strictObject({
    /** as it was read; 0: there was none */
    version: z.int().check(z.minimum(0)),
    /** whole or half points */
    points: z.number().check(z.minimum(0), z.maximum(MOST_POINTS), z.multipleOf(0.5)),
    /** needed once it is fixed */
    reason: z.optional(reason),
  }),
  response: line,
})

export const fixResultLine = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/results/line/fix',
  summary: 'Fix the line: the choice is made, and it is moved with a reason alone',
  access: OWN,
  params: ofAssessment,
  body: z.strictObject({ version: z.int().check(z.minimum(1)) }),
  response: line,
})

const named = z.strictObject({
  id: z.uuid(),
  username: z.string(),
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  room: z.nullable(z.string()),
})
export type NamedCandidate = z.infer<typeof named>

export const showName = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/results/names/:candidate',
  summary: 'Who a blind number is; each look is noted',
  access: SEE,
  params: z.extend(ofAssessment, { candidate: z.uuid() }),
  response: named,
})

export const showNames = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/results/names',
  summary: 'Show all names beside the scores, once the line is fixed',
  access: OWN,
  params: ofAssessment,
  response: z.strictObject({ shownAt: z.iso.datetime() }),
})

export const listNames = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/results/names',
  summary: 'Who the blind numbers are; 409 as long as the names are covered',
  access: OWN,
  params: ofAssessment,
  response: z.strictObject({ names: z.array(named) }),
})

/** Files; those with names are an owner's. */
const RESULT_FILES = ['csv_without_names', 'workbook', 'sheets'] as const
export type ResultFile = (typeof RESULT_FILES)[number]

export const exportResultFile = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/results/files',
  summary: 'Take results out: CSV, .xlsx or PDF',
  access: fresh(organiserMay('release_results', ['without_names'])),
  params: ofAssessment,
  body: z.strictObject({ file: z.enum(RESULT_FILES) }),
  response: z.unknown(),
})

export const releaseResults = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/results/release',
  summary: 'Let each candidate read the own result',
  access: fresh(OWN),
  params: ofAssessment,
  body: z.strictObject({
    /** the society's own; plain text */
    words: z.string().check(z.maxLength(RELEASE_WORDS_LENGTH), z.regex(PARAGRAPHS)),
    /** whether candidates read where the line is, and on which side they are */
    tellsLine: z.boolean(),
    /** why in spite of what stands in the way */
    reason: z.optional(reason),
  }),
  response: release,
})

export const withdrawRelease = inTest(
  'POST /results/release/withdraw',
  OWN,
  'Withdraw the release',
  {
    body: z.strictObject({ reason }),
    response: release,
  },
)
