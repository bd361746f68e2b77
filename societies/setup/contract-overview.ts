import * as z from 'zod/mini'
import { inSociety, inTest, organiserMay } from '../kit/contract.ts'
import { CHECKLIST_PAGES, CHECKLIST_ROWS, ROW_STATES, SELF_KEEPING_ROWS } from './checklist.ts'
import { retention } from './contract.ts'

/** The list of tests, the overview of one with its checklist, and publishing (product 7.8). */

const SEE = organiserMay('see_assessments')
const SET = organiserMay('set_rules_before_start')

const instant = z.nullable(z.iso.datetime())
const version = z.int().check(z.minimum(1))
const done = z.strictObject({ done: z.literal(true) })

const pageLink = z.strictObject({
  page: z.enum(CHECKLIST_PAGES),
  label: z.string(),
  /** of the page of questions, the one that it opens */
  question: z.optional(z.uuid()),
})
const link = z.nullable(pageLink)

/** What waits once it is over, a line each for whoever may settle it: 'Five incidents wait to be decided.' */
const waiting = z.array(
  z.strictObject({ text: z.string(), page: z.enum(['incidents', 'analysis']), label: z.string() }),
)

const listed = z.strictObject({
  code: z.string(),
  society: z.string(),
  session: z.nullable(z.string()),
  season: z.nullable(z.string()),
  version: z.int(),
  isDraft: z.boolean(),
  isSample: z.boolean(),
  durationSeconds: z.int(),
  opensAt: instant,
  closesAt: instant,
  timeZone: z.string(),
  questionCount: z.int(),
  candidateCount: z.int(),
  runningCount: z.int(),
  submittedCount: z.int(),
  /** what stands under the number of candidates: '18 inside', 'nobody has a password' */
  candidateNote: z.string(),
  /** the states of CHECKLIST_ROWS; null where it is over, or not the member's */
  checklist: z.nullable(z.array(z.enum(ROW_STATES))),
  /** what is next in a sentence, its first words amber where somebody should look, and where it is done */
  next: z.strictObject({ look: z.nullable(z.string()), text: z.string(), link }),
  waiting,
  kept: retention,
  /** of its fairness report; null where none is published */
  fairnessReport: z.nullable(z.uuid()),
})

export const listChecklists = inSociety('GET /checklists', SEE, 'All tests with checklists', {
  response: z.strictObject({
    headline: z.string(),
    mayCreate: z.boolean(),
    /** seasons in their order, the newest first */
    assessments: z.array(listed),
  }),
})

const row = z.strictObject({
  row: z.enum([...CHECKLIST_ROWS, ...SELF_KEEPING_ROWS]),
  state: z.enum(ROW_STATES),
  word: z.string(),
  finding: z.string(),
  rest: z.string(),
  link: pageLink,
})

export const getOverview = inTest('GET /overview', SEE, 'The overview of an assessment', {
  response: z.strictObject({
    version: z.int(),
    isDraft: z.boolean(),
    isSample: z.boolean(),
    headline: z.string(),
    sentence: z.string(),
    /** the first of what is missing; null when nothing is */
    next: link,
    rows: z.array(row),
    day: z.strictObject({
      durationSeconds: z.int(),
      /** the most that a candidate has */
      extraSeconds: z.int(),
      candidateCount: z.int(),
      extraCount: z.int(),
    }),
    waiting,
    startedCount: z.int(),
    /** whom candidates ask: the test's own, else the society's */
    contact: z.nullable(z.string()),
    /** of who is an invigilator of it and nothing else; then there are no rows */
    helping: z.nullable(
      z.strictObject({
        /** null: every room */
        room: z.nullable(z.string()),
        owners: z.array(z.string()),
        contact: z.nullable(z.string()),
      }),
    ),
    duty: z.array(
      z.strictObject({
        name: z.string(),
        isYou: z.boolean(),
        role: z.string(),
        may: z.string(),
      }),
    ),
    changes: z.array(z.strictObject({ at: z.iso.datetime(), by: z.string(), what: z.string() })),
  }),
})

const publicationError = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('no_questions') }),
  z.strictObject({ kind: z.literal('wrong_questions'), positions: z.array(z.int()) }),
  z.strictObject({ kind: z.literal('uneven_forms'), A: z.int(), B: z.int() }),
  z.strictObject({ kind: z.literal('window_past') }),
])

export const getPublication = inTest('GET /publication', SET, 'What publishing does', {
  response: z.strictObject({
    version: z.int(),
    isDraft: z.boolean(),
    errors: z.array(publicationError),
    /** 'Two forms of 24 questions, 10 in common, dealt at random'; null: one form */
    forms: z.nullable(z.string()),
    questionCount: z.int(),
    candidateCount: z.int(),
    withPasswordCount: z.int(),
    startedCount: z.int(),
    opensAt: instant,
    closesAt: instant,
  }),
})

export const publishAssessment = inTest('POST /publication', SET, 'Publish a draft', {
  body: z.strictObject({ version }),
  response: done,
})

export const takeBackAssessment = inTest('POST /publication/take-back', SET, 'Make it a draft', {
  body: z.strictObject({ version }),
  response: done,
})
