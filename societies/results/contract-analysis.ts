import * as z from 'zod/mini'
import { optionLetterSchema } from '../../platform/options.ts'
import {
  fresh,
  handingOutKeys,
  inTest,
  ofAssessment,
  organizerMay,
  requestId,
} from '../kit/contract.ts'
import { FLAG_KINDS } from '../kit/statistics/items.ts'

/* Item analysis and rulings (product 7.18). A figure is null when the group is too small for it;
   societies/kit/statistics/responses.ts sets the limits. */

const SEE = handingOutKeys(organizerMay('see_scores', ['item_statistics']))
const RULE = organizerMay('rule_on_question')
const DECIDE = fresh(RULE)
const PROPOSE = organizerMay('rule_on_question', ['propose'])

const numberUpTo = (digits: number) =>
  z.pipe(
    z.string().check(z.regex(new RegExp(`^[1-9]\\d{0,${digits - 1}}$`))),
    z.transform((text: string) => Number(text)),
  )
/** question number in the table, from 1 */
const ofQuestion = z.extend(ofAssessment, { item: numberUpTo(4) })
const ofRuling = z.extend(ofAssessment, { ruling: numberUpTo(9) })

const form = z.enum(['A', 'B'])
const interval = z.strictObject({ low: z.number(), high: z.number() })

/** Findings that need attention, most urgent first. Statistics count options from 0, which is A. */
const flag = z.strictObject({
  kind: z.enum(FLAG_KINDS),
  option: z.optional(z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])),
  share: z.optional(z.number()),
})

const optionRow = z.strictObject({
  /** null: the question was left blank */
  option: z.nullable(optionLetterSchema),
  isKey: z.boolean(),
  count: z.number(),
  /** mean score on the other questions of candidates who chose it */
  restMean: z.nullable(z.number()),
  r: z.nullable(z.number()),
  /** number of candidates in the top third who chose it */
  top: z.nullable(z.number()),
})

const asked = {
  item: z.number(),
  question: z.string(),
  options: z.record(optionLetterSchema, z.string()),
  key: optionLetterSchema,
  /** options that currently count as right */
  keys: z.array(optionLetterSchema),
  isVoid: z.boolean(),
  isFullMarks: z.boolean(),
}

const question = z.strictObject({
  ...asked,
  topic: z.nullable(z.string()),
  rulings: z.number(),
  /** proposals waiting for an owner */
  proposals: z.number(),
  right: z.number(),
  of: z.number(),
  interval: z.nullable(interval),
  /** item-rest correlation with its interval */
  discrimination: z.nullable(z.extend(interval, { r: z.number() })),
  /** A to D, then left blank */
  rows: z.array(optionRow),
  /** size of the top third; null for questions without statistics */
  topCount: z.nullable(z.number()),
  flags: z.array(flag),
  /** median viewing time in milliseconds, and the number of candidates it is based on */
  medianMs: z.nullable(z.number()),
  timed: z.number(),
  /** an owner checked the key and confirmed it */
  kept: z.nullable(z.strictObject({ by: z.string(), at: z.iso.datetime(), reason: z.string() })),
})
export type AnalyzedQuestion = z.infer<typeof question>

export const getAnalysis = inTest('GET /analysis', SEE, 'The analysis', {
  query: z.strictObject({ form: z.optional(form) }),
  response: z.strictObject({
    /** closed attempts on this form, without demo candidates */
    people: z.number(),
    /** candidates still taking the test; no figure includes them */
    openCount: z.number(),
    /** candidates with undecided incidents; no figure includes them, because it would reveal their scores */
    underReview: z.number(),
    forms: z.array(form),
    form: z.nullable(form),
    questionCount: z.number(),
    /** KR-20 and the standard error in points; null if the group is too small or all scores are equal */
    reliability: z.nullable(z.strictObject({ alpha: z.number(), error: z.number() })),
    /** attempts with known viewing times */
    timed: z.number(),
    /** candidates who answered faster than anyone can read, out of those with known times */
    pace: z.nullable(
      z.strictObject({
        notSerious: z.number(),
        /** KR-20 without them; null if there are none */
        without: z.nullable(z.number()),
      }),
    ),
    /** shares of candidates who ran out of time for the last fifth of the test, and for its last question */
    outOfTime: z.nullable(
      z.strictObject({
        missedEnd: z.number(),
        missedLast: z.number(),
        isTooLong: z.boolean(),
      }),
    ),
    questions: z.array(question),
    /** what the member can do about a question */
    ruling: z.enum(['rule', 'propose', 'none']),
  }),
})

const kind = z.enum(['accept', 'replace', 'void', 'full_marks'])
const option = z.nullable(optionLetterSchema)

const consequences = z.strictObject({
  /** null: no ruling */
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
  /** the current cut score, and a lower one for a voided question; empty without a cut score */
  lines: z.array(
    z.strictObject({
      points: z.number(),
      in: z.number(),
      out: z.number(),
      /** null for members who see no scores */
      crossing: z.nullable(
        z.array(
          z.strictObject({
            number: z.number(),
            points: z.number(),
            pointsAfter: z.number(),
            place: z.number(),
            placeAfter: z.number(),
          }),
        ),
      ),
    }),
  ),
})
export type ShownConsequences = z.infer<typeof consequences>
export type ShownLine = ShownConsequences['lines'][number]
export type Moved = NonNullable<ShownLine['crossing']>[number]

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
  /** number of results that the ruling changed */
  changed: z.number(),
  /** the changed results; null for members who can't see scores */
  results: z.nullable(
    z.array(z.strictObject({ number: z.number(), before: z.number(), after: z.number() })),
  ),
})
export type PastRuling = z.infer<typeof pastRuling>

export const getRulingPreview = inTest(
  'GET /analysis/:item',
  handingOutKeys(PROPOSE),
  'The consequences of rulings',
  {
    params: ofQuestion,
    response: z.strictObject({
      ...asked,
      people: z.number(),
      openCount: z.number(),
      /** another option that seems to be right, if any */
      suspected: option,
      /** the key from a ruling on this question in another test that this test hasn't adopted (product 7.9.49) */
      elsewhere: option,
      line: z.nullable(z.number()),
      /** no ruling first, then every possible ruling */
      rulings: z.array(consequences),
      past: z.array(pastRuling),
      /** clients send it back with a ruling */
      version: z.number(),
      ruling: z.enum(['rule', 'propose']),
    }),
  },
)

const reason = z.string().check(z.trim(), z.minLength(1), z.maxLength(500))
const version = z.int().check(z.minimum(0))
const done = z.strictObject({ done: z.literal(true), changed: z.number() })

/**
 * A ruling accepts another option, replaces the key, voids the question, or gives everyone the point (product
 * 7.18.7).
 */
const ruling = z.union([
  z.strictObject({ kind: z.enum(['accept', 'replace']), option: optionLetterSchema }),
  z.strictObject({ kind: z.enum(['void', 'full_marks']), option: z.null() }),
])
export type Ruling = z.infer<typeof ruling>
/** The reason is public: the fairness report shows it. */
const ruled = { ruling, reason, version, requestId }

export const ruleOnQuestion = inTest('POST /analysis/:item/rulings', DECIDE, 'Rule on a question', {
  params: ofQuestion,
  body: z.strictObject({
    ...ruled,
    /** the proposal that this ruling adopts */
    proposal: z.optional(z.int().check(z.minimum(1))),
    /** for a voided question: the new cut score */
    line: z.optional(z.number().check(z.minimum(0), z.maximum(1_000), z.multipleOf(0.5))),
  }),
  response: done,
})

export const proposeRuling = inTest(
  'POST /analysis/:item/proposals',
  // The refusals reveal the key.
  handingOutKeys(PROPOSE),
  'Propose a ruling',
  { params: ofQuestion, body: z.strictObject(ruled), response: done },
)

export const declineRuling = inTest('POST /rulings/:ruling/decline', RULE, 'Decline a proposal', {
  params: ofRuling,
  body: z.strictObject({ reason }),
  response: done,
})

export const withdrawRuling = inTest(
  'POST /rulings/:ruling/withdraw',
  DECIDE,
  'Withdraw a ruling; results are as they would be without it',
  { params: ofRuling, body: z.strictObject({ reason, version }), response: done },
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
