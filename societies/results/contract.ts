import * as z from 'zod/mini'
import { PARAGRAPHS } from '../../platform/paragraphs.ts'
import { fresh, inTest, ofAssessment, organizerMay } from '../kit/contract.ts'

/*
 * Results, the cut score, names and release (product 7.17). Scores without names are open to every member who sees
 * scores; the cut score, all names and the release only to owners.
 */

const SEE = organizerMay('see_scores')
const OWN = organizerMay('release_results')

/** Characters of what a society writes next to a released result. */
export const RELEASE_WORDS_LENGTH = 1_000

const reason = z.string().check(z.trim(), z.minLength(1), z.maxLength(500))
const line = z.strictObject({
  /** the lowest score that is in */
  points: z.number(),
  version: z.int(),
  changedBy: z.string(),
  changedAt: z.iso.datetime(),
  fixedAt: z.nullable(z.iso.datetime()),
  fixedBy: z.nullable(z.string()),
})
export type ResultLine = z.infer<typeof line>

const scored = z.strictObject({
  /** made for views without names */
  id: z.uuid(),
  /** blind: shown in place of the name */
  number: z.int(),
  right: z.int(),
  /** from start to submission, without the seconds of the last minute: Live tells names next to times */
  seconds: z.int(),
  /** seconds that the candidate had */
  allowedSeconds: z.int(),
  /** there was a time without monitoring */
  isUnwatched: z.boolean(),
  /** that count: from the first on, files say 'cheated' */
  strikes: z.int(),
  /** three of them ended the test */
  isEndedByStrikes: z.boolean(),
  /** incidents that were upheld */
  upheld: z.int(),
  /** open incidents; before the cut score is locked they hide the score, so there are none */
  open: z.int(),
  /** most of the test was answered faster than it can be read */
  isFast: z.boolean(),
  /** an owner took the candidate out of the ranking; the score stays */
  excluded: z.nullable(z.strictObject({ reason: z.string(), by: z.string() })),
})
export type ScoredCandidate = z.infer<typeof scored>

/** Of right answers; half of the candidates have low to high. */
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
  /** null for too few candidates */
  middle: z.nullable(middle),
})

const form = z.strictObject({
  /** null: there is one */
  form: z.nullable(z.enum(['A', 'B'])),
  /** questions that count */
  items: z.int(),
  /** KR-20; null for too few candidates */
  reliability: z.nullable(z.number()),
  /** standard error of measurement, points; null as above */
  error: z.nullable(z.number()),
  /** best first; null where no order is supported */
  groups: z.nullable(z.array(z.strictObject({ high: z.int(), low: z.int(), count: z.int() }))),
  /** 1.645 standard errors in whole points, the ± of each score; null as above */
  margin: z.nullable(z.int()),
  /** by blind number; without those under review */
  candidates: z.array(scored),
  /** candidates with undecided incidents: every role gets the score only after the decision */
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
      /** candidates who would cross the cut score with the likely key; null without a cut score, or not known */
      crossing: z.nullable(z.int()),
    }),
  ),
  /** without a verdict, or waiting for a talk */
  incidents: z.int(),
  /** that could count and are undecided */
  lateAnswers: z.int(),
  /** with late answers that were not accepted, as Live counts them; they don't hold the release up */
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

const results = z.strictObject({
  /** only 'over' has scores */
  state: z.enum(['nobody', 'can_start', 'inside', 'over']),
  insideCount: z.int(),
  forms: z.array(form),
  /** its forms, and the other sessions of the season that are over; empty for a single group */
  sideBySide: z.array(sideBySide),
  line: z.nullable(line),
  names: z.strictObject({
    /** when an owner showed all of them */
    shownAt: z.nullable(z.iso.datetime()),
    shownBy: z.nullable(z.string()),
    /** members who looked at single names before that, or exported a file with names, and how often */
    looks: z.array(z.strictObject({ by: z.string(), count: z.int() })),
  }),
  obstacles,
  release: z.nullable(release),
  /** candidates with a result, by how they read it once it is released */
  readers: z.strictObject({
    /** with username and password only: they took the test as guests */
    guests: z.int(),
    accounts: z.int(),
    /** removed from the list, and without an account */
    none: z.int(),
    /** candidates to whom an email can go */
    withEmail: z.int(),
  }),
})
export type Results = z.infer<typeof results>

export const getResults = inTest(
  'GET /results',
  SEE,
  'Scores under blind numbers, and what to settle before a release',
  { response: results },
)

export const setResultLine = inTest(
  'PUT /results/line',
  OWN,
  'Set or change the cut score; 409 stale if it changed since it was read',
  {
    body: z.strictObject({
      /** as it was read; 0: there was none */
      version: z.int().check(z.minimum(0)),
      /** whole or half points; no test has so many questions */
      points: z.number().check(z.minimum(0), z.maximum(1_000), z.multipleOf(0.5)),
      /** needed once it is locked */
      reason: z.optional(reason),
    }),
    response: line,
  },
)

export const fixResultLine = inTest(
  'POST /results/line/fix',
  OWN,
  'Lock the cut score: from then on a change needs a reason',
  { body: z.strictObject({ version: z.int().check(z.minimum(1)) }), response: line },
)

export const excludeFromRanking = inTest(
  'PUT /results/exclusions/:candidate',
  organizerMay('release_results', [], 'covered'),
  'Exclude a candidate from the ranking, or put one back; no score changes',
  {
    params: z.extend(ofAssessment, { candidate: z.uuid() }),
    body: z.strictObject({ isExcluded: z.boolean(), reason }),
    response: z.strictObject({ done: z.literal(true) }),
  },
)

const named = z.strictObject({
  id: z.uuid(),
  username: z.string(),
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  room: z.nullable(z.string()),
})
export type NamedCandidate = z.infer<typeof named>

export const showName = inTest(
  'POST /results/names/:candidate',
  organizerMay('see_scores', [], 'covered'),
  'The name behind a blind number; each look is logged',
  { params: z.extend(ofAssessment, { candidate: z.uuid() }), response: named },
)

export const showNames = inTest(
  'POST /results/names',
  OWN,
  'Show all names next to the scores, once the cut score is locked',
  { response: z.strictObject({ shownAt: z.iso.datetime() }) },
)

export const listNames = inTest(
  'GET /results/names',
  OWN,
  'The names behind the blind numbers; 409 until they are shown',
  { response: z.strictObject({ names: z.array(named) }) },
)

/** Only owners get those with names. */
const resultFile = z.enum(['csv_without_names', 'workbook', 'sheets'])
export type ResultFile = z.infer<typeof resultFile>

export const exportResultFile = inTest(
  'POST /results/files',
  fresh(organizerMay('release_results', ['without_names'])),
  'Export results as CSV, .xlsx or PDF',
  { body: z.strictObject({ file: resultFile }), response: z.unknown() },
)

export const releaseResults = inTest(
  'POST /results/release',
  fresh(OWN),
  'Let each candidate read their own result',
  {
    body: z.strictObject({
      /** the society's own; plain text */
      words: z.string().check(z.maxLength(RELEASE_WORDS_LENGTH), z.regex(PARAGRAPHS)),
      /** whether candidates read the cut score, and on which side of it they are */
      tellsLine: z.boolean(),
      /** whether each candidate with an address gets an email, without the score */
      sendsEmails: z.optional(z.boolean()),
      /** needed while something is not settled */
      reason: z.optional(reason),
    }),
    response: z.extend(release, { emails: z.int() }),
  },
)

export const withdrawRelease = inTest(
  'POST /results/release/withdraw',
  OWN,
  'Withdraw the release',
  { body: z.strictObject({ reason }), response: release },
)
