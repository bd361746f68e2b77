import * as z from 'zod/mini'
import { optionLetterSchema } from '../../platform/options.ts'
import { fresh, inTest, ofAssessment, organiserMay, requestId } from '../kit/contract.ts'

/*
 * What a test is worth, question by question, and rulings (product 7.18). What a group is too small for is
 * null: the limits of societies/kit/statistics/sample-size.ts hold before anything leaves the server.
 */

const SEE = organiserMay('see_scores', ['item_statistics'])
const RULE = organiserMay('rule_on_question')
const DECIDE = fresh(RULE)
const PROPOSE = organiserMay('rule_on_question', ['propose'])

const numberUpTo = (digits: number) =>
  z.pipe(
    z.string().check(z.regex(new RegExp(`^[1-9]\\d{0,${digits - 1}}$`))),
    z.transform((text: string) => Number(text)),
  )
/** by its number in the table, from 1 */
const ofQuestion = z.extend(ofAssessment, { item: numberUpTo(4) })
const ofRuling = z.extend(ofAssessment, { ruling: numberUpTo(9) })

const form = z.enum(['A', 'B'])
const interval = z.strictObject({ low: z.number(), high: z.number() })

/** KR-20 and what it means for a score. */
const reliability = z.strictObject({
  alpha: z.number(),
  /** standard error of measurement, points */
  error: z.number(),
})

/** An option as statistics count it, from 0: A. */
const choice = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])

const flag = z.union([
  z.strictObject({
    kind: z.enum(['key-suspicious', 'attracts-the-good', 'not-working']),
    option: choice,
  }),
  z.strictObject({ kind: z.literal('left-blank'), share: z.number() }),
  z.strictObject({ kind: z.enum(['negative', 'too-hard', 'too-easy']) }),
])

const optionRow = z.strictObject({
  /** null: nothing was chosen */
  option: z.nullable(optionLetterSchema),
  isKey: z.boolean(),
  count: z.number(),
  /** mean on the other questions of who chose it */
  restMean: z.nullable(z.number()),
  r: z.nullable(z.number()),
  /** of the best third, how many chose it */
  top: z.nullable(z.number()),
})

const asked = {
  /** its number in the table */
  item: z.number(),
  question: z.string(),
  options: z.record(optionLetterSchema, z.string()),
  key: optionLetterSchema,
  /** what counts as right now */
  keys: z.array(optionLetterSchema),
  isVoid: z.boolean(),
  isFullMarks: z.boolean(),
}

const question = z.strictObject({
  ...asked,
  topic: z.nullable(z.string()),
  /** rulings that stand */
  rulings: z.number(),
  /** proposals that wait for an owner */
  proposals: z.number(),
  right: z.number(),
  of: z.number(),
  interval: z.nullable(interval),
  /** item-rest correlation with its interval */
  discrimination: z.nullable(z.extend(interval, { r: z.number() })),
  /** A to D, then nothing chosen */
  rows: z.array(optionRow),
  /** how many are in the best third; null where nothing is said of it */
  topCount: z.nullable(z.number()),
  flags: z.array(flag),
  /** milliseconds that half of them looked at it at most, and of how many that is known */
  medianMs: z.nullable(z.number()),
  timed: z.number(),
  /** an owner looked and found the key right */
  kept: z.nullable(z.strictObject({ by: z.string(), at: z.iso.datetime(), reason: z.string() })),
})
export type AnalysedQuestion = z.infer<typeof question>

export const getAnalysis = inTest('GET /analysis', SEE, 'The analysis', {
  query: z.strictObject({ form: z.optional(form) }),
  response: z.strictObject({
    /** closed attempts that are no demo, of the form shown */
    people: z.number(),
    /** who is still inside, and in none of the figures */
    openCount: z.number(),
    forms: z.array(form),
    form: z.nullable(form),
    /** questions that count */
    questionCount: z.number(),
    /** null where the group is too small, or the scores do not differ */
    reliability: z.nullable(reliability),
    /** attempts of which it is known how long questions were looked at */
    timed: z.number(),
    /** who guessed faster than questions can be read, of those whose times are known */
    pace: z.nullable(
      z.strictObject({
        notSerious: z.number(),
        /** KR-20 without them; null where nobody is left out */
        without: z.nullable(z.number()),
      }),
    ),
    /** shares who had no time for the last fifth of their paper, and for its last question */
    outOfTime: z.nullable(
      z.strictObject({
        missedEnd: z.number(),
        missedLast: z.number(),
        isTooLong: z.boolean(),
      }),
    ),
    questions: z.array(question),
    /** what the member may do about a question */
    ruling: z.enum(['rule', 'propose', 'none']),
  }),
})

export const writeAnalysis = inTest('GET /analysis-table', SEE, 'The analysis as CSV', {
  query: z.strictObject({ form: z.optional(form) }),
  response: z.strictObject({ csv: z.string() }),
})

const kind = z.enum(['accept', 'replace', 'void', 'full_marks'])
const option = z.nullable(optionLetterSchema)

/** Who moves; only to whom may see candidates' scores. */
const moved = z.strictObject({
  number: z.number(),
  points: z.number(),
  pointsAfter: z.number(),
  place: z.number(),
  placeAfter: z.number(),
})
export type Moved = z.infer<typeof moved>

/** Somebody's line in the picture of places: where in the order before and after, from 1. */
const placed = z.strictObject({
  number: z.number(),
  points: z.number(),
  pointsAfter: z.number(),
  at: z.number(),
  atAfter: z.number(),
})
export type Placed = z.infer<typeof placed>

const consequences = z.strictObject({
  /** null: leave it */
  kind: z.nullable(kind),
  option,
  questions: z.number(),
  /** null where the group is too small */
  reliability: z.nullable(z.number()),
  error: z.nullable(z.number()),
  up: z.number(),
  down: z.number(),
  largestRise: z.number(),
  largestFall: z.number(),
  /** the line stays, or goes down with a question that is left out; empty without a line */
  lines: z.array(
    z.strictObject({
      points: z.number(),
      in: z.number(),
      out: z.number(),
      crossing: z.nullable(z.array(moved)),
    }),
  ),
  /** those about the line, or the first ones; the best first */
  places: z.nullable(
    z.strictObject({ from: z.number(), to: z.number(), candidates: z.array(placed) }),
  ),
})
export type ShownConsequences = z.infer<typeof consequences>

const pastRuling = z.strictObject({
  id: z.number(),
  kind,
  option,
  reason: z.string(),
  by: z.nullable(z.string()),
  at: z.iso.datetime(),
  isProposal: z.boolean(),
  withdrawn: z.nullable(
    z.strictObject({ by: z.string(), at: z.iso.datetime(), reason: z.nullable(z.string()) }),
  ),
  /** how many results it moved when it was made */
  changed: z.number(),
  /** each of them; null for whoever sees no scores */
  results: z.nullable(
    z.array(z.strictObject({ number: z.number(), before: z.number(), after: z.number() })),
  ),
})
export type PastRuling = z.infer<typeof pastRuling>

export const getRulingPreview = inTest(
  'GET /analysis/:item',
  PROPOSE,
  'The consequences of rulings',
  {
    params: ofQuestion,
    response: z.strictObject({
      ...asked,
      people: z.number(),
      openCount: z.number(),
      /** the other option that seems to be right, if one does */
      suspected: option,
      /** where the society's line is */
      line: z.nullable(z.number()),
      /** leave it first, then every ruling that can be made */
      rulings: z.array(consequences),
      past: z.array(pastRuling),
      /** to be sent back with a ruling */
      version: z.number(),
      ruling: z.enum(['rule', 'propose']),
    }),
  },
)

const reason = z.string().check(z.trim(), z.minLength(1), z.maxLength(500))
const done = z.strictObject({ done: z.literal(true), changed: z.number() })
const ruling = {
  ruling: z.union([
    z.strictObject({ kind: z.enum(['accept', 'replace']), option: optionLetterSchema }),
    z.strictObject({ kind: z.enum(['void', 'full_marks']), option: z.null() }),
  ]),
  /** public: the fairness report shows it */
  reason,
  version: z.int().check(z.minimum(0)),
  requestId,
}

export const ruleOnQuestion = inTest('POST /analysis/:item/rulings', DECIDE, 'Rule on a question', {
  params: ofQuestion,
  body: z.strictObject({
    ...ruling,
    /** the proposal that it takes on */
    proposal: z.optional(z.int().check(z.minimum(1))),
    /** of a question that is left out: where the line is from now on */
    line: z.optional(z.number().check(z.minimum(0), z.maximum(1_000))),
  }),
  response: done,
})

export const proposeRuling = inTest('POST /analysis/:item/proposals', PROPOSE, 'Propose a ruling', {
  params: ofQuestion,
  body: z.strictObject(ruling),
  response: done,
})

export const declineRuling = inTest('POST /rulings/:ruling/decline', RULE, 'Decline a proposal', {
  params: ofRuling,
  body: z.strictObject({ reason }),
  response: done,
})

export const withdrawRuling = inTest(
  'POST /rulings/:ruling/withdraw',
  DECIDE,
  'Withdraw a ruling; results are as they would be without it',
  {
    params: ofRuling,
    body: z.strictObject({ reason, version: z.int().check(z.minimum(0)) }),
    response: done,
  },
)

export const keepKey = inTest('POST /analysis/:item/keep', RULE, 'Confirm a key that seems wrong', {
  params: ofQuestion,
  body: z.strictObject({ reason }),
  response: done,
})

export const doubtKey = inTest('POST /analysis/:item/doubt', RULE, 'Withdraw the confirmation', {
  params: ofQuestion,
  response: done,
})
