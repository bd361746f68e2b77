import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { optionLetterSchema } from '../../platform/options.ts'
import { ofAssessment, organiserMay } from '../contract.ts'
import { FORMS } from '../questions/two-forms.ts'

// Two forms, two sessions, and pairs of answers (product 7.19).

/** Characters of a reason. */
export const REASON_LENGTH = 500
const reason = z.string().check(z.trim(), z.minLength(1), z.maxLength(REASON_LENGTH))
const form = z.nullable(z.enum(FORMS))
const interval = z.strictObject({ low: z.number(), high: z.number() })
const rightOf = z.strictObject({ right: z.int(), of: z.int() })

/** Whose scores stand on which scale: 'forms', or the code of the other assessment, with a form 'CODE/A'. */
const comparisonId = z.string().check(z.regex(/^(forms|[A-Z0-9_]{1,40}(\/[AB])?)$/))

const group = z.strictObject({
  /** 'Form A', 'Morning', 'Morning, form A' */
  name: z.string(),
  code: z.string(),
  form,
  people: z.int(),
  /** points; null where there are too few people to say */
  mean: z.nullable(z.number()),
  /** of questions that count */
  questions: z.int(),
})

const anchor = z.strictObject({
  questionId: z.uuid(),
  question: z.string(),
  topic: z.nullable(z.string()),
  /** in the table of each */
  numbers: z.strictObject({ earlier: z.int(), later: z.int() }),
  earlier: rightOf,
  later: rightOf,
  /** share right, later minus earlier; null where there are too few people to say */
  shift: z.nullable(z.number()),
  /** from the principal axis of the delta plot */
  distance: z.nullable(z.number()),
  isDropped: z.boolean(),
  /** median milliseconds on it; null where nobody measured */
  medianMs: z.strictObject({ earlier: z.nullable(z.number()), later: z.nullable(z.number()) }),
})

/** A shift that may be applied: points that are added to each total of the later group. */
const offer = z.strictObject({
  points: z.number(),
  interval,
  chainedMean: z.number(),
  tuckerMean: z.number(),
  seed: z.int(),
})

const comparison = z.strictObject({
  id: comparisonId,
  kind: z.enum(['forms', 'session', 'session_within_form']),
  earlier: group,
  later: group,
  /** what may be said of it by the number of people, and why not */
  said: z.enum(['hidden', 'indicative', 'shown']),
  whyHidden: z.nullable(z.string()),
  /** by the rule on shifts (product 7.19.10) */
  outcome: z.enum([
    'too-few-people',
    'too-few-anchors',
    'no-variation',
    'no-difference',
    'leak-warning',
    'methods-disagree',
    'offer-shift',
  ]),
  /** of all common questions: share right, later minus earlier; null where it is not said */
  meanShift: z.nullable(z.strictObject({ shift: z.number(), interval: z.nullable(interval) })),
  /** of the others, as far as both have any: the mean share right of each */
  others: z.nullable(z.strictObject({ earlier: z.number(), later: z.number() })),
  methods: z.nullable(z.strictObject({ chainedMean: z.number(), tuckerMean: z.number() })),
  offer: z.nullable(offer),
  anchors: z.array(anchor),
  /** shared questions whose text or key differs, or that were ruled on differently, and so are none */
  changedCount: z.int(),
})

const shift = z.strictObject({
  id: z.uuid(),
  /** whose scores: of a form, or all of the assessment's */
  form,
  onto: z.string(),
  points: z.number(),
  interval,
  seed: z.int(),
  anchorCount: z.int(),
  reason: z.string(),
  appliedBy: z.string(),
  appliedAt: z.iso.datetime(),
  withdrawn: z.nullable(z.strictObject({ by: z.string(), at: z.iso.datetime() })),
})

const favoured = z.strictObject({
  group: z.enum(['session', 'form', 'room']),
  /** 'Room 2.11', 'Form B', 'Afternoon' */
  name: z.string(),
  people: z.int(),
  ofPeople: z.int(),
  /** null: it is said */
  whyHidden: z.nullable(z.string()),
  /** questions that were compared, and those that are not negligible */
  comparedCount: z.int(),
  questions: z.array(
    z.strictObject({
      number: z.int(),
      question: z.string(),
      letter: z.enum(['B', 'C']),
      /** on ETS' scale; below 0 harder for the named group than for equals */
      delta: z.number(),
    }),
  ),
})

export const getSessions = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/sessions',
  summary:
    'The forms of an assessment, and it with others of its season, by their common questions',
  access: organiserMay('see_scores', ['item_statistics']),
  params: ofAssessment,
  response: z.strictObject({
    closedCount: z.int(),
    /** who is still inside: what is compared is not all of it */
    openCount: z.int(),
    season: z.nullable(z.string()),
    comparisons: z.array(comparison),
    /** others of the season that share no question */
    unlinked: z.array(z.string()),
    favoured: z.array(favoured),
    /** newest first; at most one stands */
    shifts: z.array(shift),
    /** why no shift can be applied any more; null while one can */
    shiftLock: z.nullable(z.enum(['names_shown', 'released', 'still_inside'])),
  }),
})

export const previewShift = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/sessions/shift',
  summary: 'Whom an offered shift brings over the line; changes nothing',
  access: organiserMay('rule_on_question'),
  params: ofAssessment,
  query: z.strictObject({ comparison: comparisonId }),
  response: z.strictObject({
    offer,
    /** whose scores */
    name: z.string(),
    onto: z.string(),
    /** whose totals change */
    moved: z.int(),
    /** the least that is in; null where no line is drawn */
    line: z.nullable(z.number()),
    /** who crosses it, by blind number */
    crossing: z.array(
      z.strictObject({ number: z.int(), before: z.number(), after: z.number(), isIn: z.boolean() }),
    ),
  }),
})

export const applyShift = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/sessions/shift',
  summary:
    'Apply an offered shift, with a reason, before names are shown; 409 where it is another now',
  access: organiserMay('rule_on_question'),
  params: ofAssessment,
  body: z.strictObject({
    /** made by the page: the same one again applies nothing */
    id: z.uuid(),
    comparison: comparisonId,
    /** as it was previewed */
    points: z.number(),
    moved: z.int(),
    reason,
  }),
  response: shift,
})

export const withdrawShift = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/sessions/shift/:shift/withdraw',
  summary: 'Take a shift back, before names are shown',
  access: organiserMay('rule_on_question'),
  params: z.strictObject({ ...ofAssessment.shape, shift: z.uuid() }),
  response: z.strictObject({ done: z.literal(true) }),
})

const pair = z.strictObject({
  /** blind numbers, the smaller first */
  first: z.int(),
  second: z.int(),
  /** questions that both answered, and of them those answered alike */
  answered: z.int(),
  identical: z.int(),
  /** how many two independent people of their strength have on average */
  expected: z.number(),
  /** in how many such pairs so many or more happen once */
  onceIn: z.number(),
  standsOut: z.boolean(),
  /** identical wrong answers */
  identicalWrong: z.array(
    z.strictObject({
      number: z.int(),
      question: z.string(),
      option: optionLetterSchema,
      text: z.string(),
    }),
  ),
})

const similarityCheck = z.strictObject({
  id: z.uuid(),
  reason: z.string(),
  askedBy: z.string(),
  askedAt: z.iso.datetime(),
  /** by blind number; null: all pairs were */
  asked: z.nullable(z.strictObject({ first: z.int(), second: z.int() })),
})

export const SIMILARITY_LOCKS = ['still_inside', 'too_few_people', 'too_few_questions'] as const

export const listSimilarityChecks = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/similarity',
  summary: 'Whether pairs of answers may be compared, who asked for it and why; no figures',
  access: organiserMay('decide_incident', ['not_own_report']),
  params: ofAssessment,
  response: z.strictObject({
    people: z.int(),
    questions: z.int(),
    lock: z.nullable(z.enum(SIMILARITY_LOCKS)),
    /** blind numbers that sat at one address in the same minutes, which is a reason to name a pair */
    linked: z.array(z.strictObject({ first: z.int(), second: z.int() })),
    checks: z.array(similarityCheck),
  }),
})

export const checkPair = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/similarity/pair',
  summary: 'Compare the answers of a named pair; the reason is kept first',
  access: organiserMay('decide_incident', ['not_own_report']),
  params: ofAssessment,
  body: z.strictObject({
    /** made by the page: the same one again is one line of the log */
    id: z.uuid(),
    first: z.int().check(z.minimum(1)),
    second: z.int().check(z.minimum(1)),
    reason,
  }),
  response: z.strictObject({ check: similarityCheck, pair }),
})

export const checkAllPairs = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/similarity/all',
  summary:
    'List the pairs that stand out among all, by a limit that is shared by them; the reason is kept first',
  access: organiserMay('decide_incident', ['not_own_report']),
  params: ofAssessment,
  body: z.strictObject({ id: z.uuid(), reason }),
  response: z.strictObject({
    check: similarityCheck,
    pairs: z.int(),
    /** how many innocent pairs a whole exam lists by chance */
    expectedByChance: z.number(),
    /** in the order of their numbers: a list, no ranking */
    listed: z.array(pair),
  }),
})
