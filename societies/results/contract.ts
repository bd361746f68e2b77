import * as z from 'zod/mini'
import { PARAGRAPHS } from '../../platform/paragraphs.ts'
import { fresh, inTest, ofAssessment, organizerMay } from '../kit/contract.ts'

/* Results, cut score, names and release (product 7.17). Members with access to scores see them without names. Only
   owners set the cut score, reveal all names and release results. */

const SEE = organizerMay('see_scores')
const OWN = organizerMay('release_results')

/** Maximum length in characters of the society's message with released results. */
export const RELEASE_WORDS_LENGTH = 1_000

const reason = z.string().check(z.trim(), z.minLength(1), z.maxLength(500))
const line = z.strictObject({
  /** the lowest score that passes */
  points: z.number(),
  version: z.int(),
  changedBy: z.string(),
  changedAt: z.iso.datetime(),
  fixedAt: z.nullable(z.iso.datetime()),
  fixedBy: z.nullable(z.string()),
})
export type ResultLine = z.infer<typeof line>

const scored = z.strictObject({
  /** random id for views without names */
  id: z.uuid(),
  /** blind number, shown instead of the name */
  number: z.int(),
  right: z.int(),
  /** from start to submission, rounded to minutes because Live shows names next to times */
  seconds: z.int(),
  /** the candidate's time limit in seconds */
  allowedSeconds: z.int(),
  /** monitoring was interrupted for some time */
  isUnwatched: z.boolean(),
  /** strikes that count; with at least one, files say 'cheated' */
  strikes: z.int(),
  /** three of them ended the test */
  isEndedByStrikes: z.boolean(),
  upheld: z.int(),
  /** open incidents; always 0 before the cut score is locked, because they hide the score */
  open: z.int(),
  /** the candidate answered most questions faster than anyone can read */
  isFast: z.boolean(),
  /** excluded from the ranking by an owner; the score stays */
  excluded: z.nullable(z.strictObject({ reason: z.string(), by: z.string() })),
})
export type ScoredCandidate = z.infer<typeof scored>

/** Median and quartiles of the share of right answers. */
const middle = z.strictObject({
  mean: z.number(),
  median: z.number(),
  low: z.number(),
  high: z.number(),
})

/** A session, or one form of it, for comparison with others. */
const sideBySide = z.strictObject({
  code: z.string(),
  name: z.string(),
  /** null: the session has one form */
  form: z.nullable(z.enum(['A', 'B'])),
  people: z.int(),
  questions: z.int(),
  /** null if there are too few candidates */
  middle: z.nullable(middle),
})

const form = z.strictObject({
  /** null: the test has one form */
  form: z.nullable(z.enum(['A', 'B'])),
  /** number of questions that count */
  items: z.int(),
  /** KR-20; null if there are too few candidates */
  reliability: z.nullable(z.number()),
  /** standard error of measurement in points; null as above */
  error: z.nullable(z.number()),
  /** best first; null if the scores support no order */
  groups: z.nullable(z.array(z.strictObject({ high: z.int(), low: z.int(), count: z.int() }))),
  /** 1.645 standard errors in whole points, shown as the ± of each score; null as above */
  margin: z.nullable(z.int()),
  /** sorted by blind number, without candidates under review */
  candidates: z.array(scored),
  /** candidates with undecided incidents; no role sees their scores before the decision */
  underReview: z.array(
    z.strictObject({
      id: z.uuid(),
      number: z.int(),
      /** incidents without a verdict, or waiting for follow-up */
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
      /** candidates who would cross the cut score with the likely key; null if unknown or without a cut score */
      crossing: z.nullable(z.int()),
    }),
  ),
  /** without a verdict, or waiting for follow-up */
  incidents: z.int(),
  /** late answers that need a decision */
  lateAnswers: z.int(),
  /** candidates with late answers that were not accepted, as in Live; they don't block the release */
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
  /** only 'over' includes scores */
  state: z.enum(['nobody', 'can_start', 'inside', 'over']),
  insideCount: z.int(),
  forms: z.array(form),
  /** the test's forms and the season's other finished sessions; empty if there is only one group */
  sideBySide: z.array(sideBySide),
  line: z.nullable(line),
  names: z.strictObject({
    /** when an owner revealed all names */
    shownAt: z.nullable(z.iso.datetime()),
    shownBy: z.nullable(z.string()),
    /** members who viewed single names or exported named files before that, and how often */
    looks: z.array(z.strictObject({ by: z.string(), count: z.int() })),
  }),
  obstacles,
  release: z.nullable(release),
  /** candidates with a result, by how they can read it after the release */
  readers: z.strictObject({
    /** candidates with username and password only, who took the test as guests */
    guests: z.int(),
    accounts: z.int(),
    /** removed candidates without an account */
    none: z.int(),
    /** candidates who can get an email */
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
      /** the version that the client read; 0: none yet */
      version: z.int().check(z.minimum(0)),
      /** whole or half points; the maximum is above any test's size */
      points: z.number().check(z.minimum(0), z.maximum(1_000), z.multipleOf(0.5)),
      /** required once the cut score is locked */
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

/** Only owners can export files with names. */
const resultFile = z.enum(['csv_without_names', 'workbook', 'sheets'])
export type ResultFile = z.infer<typeof resultFile>
/** Result sheets in one file. More come in parts. */
export const SHEETS_IN_FILE = 1_000

export const exportResultFile = inTest(
  'POST /results/files',
  fresh(organizerMay('release_results', ['without_names'])),
  'Export results as CSV, .xlsx or PDF',
  {
    body: z.strictObject({
      file: resultFile,
      /** of the result sheets, from 1; only if there are more than fit in a file */
      part: z.optional(z.int().check(z.minimum(1), z.maximum(5))),
    }),
    response: z.unknown(),
  },
)

export const releaseResults = inTest(
  'POST /results/release',
  fresh(OWN),
  'Let each candidate read their own result',
  {
    body: z.strictObject({
      /** the society's message in plain text */
      words: z.string().check(z.maxLength(RELEASE_WORDS_LENGTH), z.regex(PARAGRAPHS)),
      /** whether candidates see the cut score and whether they reached it */
      tellsLine: z.boolean(),
      /** whether to email each candidate who has an address; the email has no score */
      sendsEmails: z.optional(z.boolean()),
      /** required while there are open obstacles */
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
