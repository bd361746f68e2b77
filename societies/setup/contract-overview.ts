import * as z from 'zod/mini'
import type { ResponseOf } from '../../platform/endpoint.ts'
import { getSocietyAssessment, inSociety, inTest, organizerMay } from '../kit/contract.ts'
import { done, instant, retention, version } from './contract.ts'

/** The list of tests, one test's overview with its checklist, and publishing (product 7.8). */

const SEE = organizerMay('see_assessments', [], 'none')
const SET = organizerMay('set_rules_before_start')

/** The checklist before a test opens, in this order (product 7.8.7). */
export const CHECKLIST_ROWS = [
  'questions',
  'keys',
  'window',
  'candidates',
  'helpers',
  'rehearsal',
] as const
/** Rows that need no action. */
export const SELF_KEEPING_ROWS = ['accommodations', 'retention'] as const
/** The tasks after a test, in this order; the deletion follows (product 7.8.7). */
export const AFTER_ROWS = [
  'incidents',
  'rulings',
  'cut_score',
  'release',
  'files',
  'fairness',
] as const

/** 'todo' is a gap in a draft, which isn't a problem yet, or waits for another row. */
const state = z.enum(['ready', 'attention', 'todo'])
export type RowState = z.infer<typeof state>

const pageLink = z.strictObject({
  /** A page of the test, or the society's team; '' is the overview. */
  page: z.enum([
    '',
    'questions',
    'questions/import',
    'settings',
    'candidates',
    'candidates/add',
    'team',
    'incidents',
    'analysis',
    'results',
    'fairness',
  ]),
  label: z.string(),
  /** For the questions page, the question to open. */
  question: z.optional(z.uuid()),
  /** For the analysis page, the number of the question to open. */
  item: z.optional(z.int()),
})
export type ChecklistLink = z.infer<typeof pageLink>

const row = z.strictObject({
  state,
  /** Examples: 'Ready', 'Set', '1 of 3'. */
  word: z.string(),
  /** A full sentence, which the headline and the list quote while the row is not ready. */
  finding: z.string(),
  rest: z.string(),
  /** The page that fixes it. */
  link: pageLink,
})
export type Row = z.infer<typeof row>

/** Tasks after the test, for members who can do them: 'Five incidents need a decision.' */
const waiting = z.array(
  z.strictObject({ text: z.string(), page: z.enum(['incidents', 'analysis']), label: z.string() }),
)

const listed = z.extend(getSocietyAssessment.response, {
  /** Shown under the number of candidates: '18 in progress', 'no candidate has a password'. */
  candidateNote: z.string(),
  /** The states of CHECKLIST_ROWS; null if the test is over or the member can't see them. */
  checklist: z.nullable(z.array(state)),
  /** The next step: amber words if a member should act, the rest of the sentence, and the page for it. */
  next: z.strictObject({
    look: z.nullable(z.string()),
    text: z.string(),
    link: z.nullable(pageLink),
  }),
  waiting,
  kept: retention,
  /** The id of the published fairness report; null if there is none. */
  fairnessReport: z.nullable(z.uuid()),
})

export const listChecklists = inSociety('GET /checklists', SEE, 'All tests with checklists', {
  response: z.strictObject({
    headline: z.string(),
    mayCreate: z.boolean(),
    /** Grouped by season, newest first. */
    assessments: z.array(listed),
  }),
})
export type Listed = z.infer<typeof listed>

export const getOverview = inTest('GET /overview', SEE, 'The overview of an assessment', {
  response: z.strictObject({
    version: z.int(),
    isDraft: z.boolean(),
    isSample: z.boolean(),
    headline: z.string(),
    sentence: z.string(),
    /** The first open item; null if there is none. */
    next: z.nullable(pageLink),
    rows: z.array(
      z.extend(row, { row: z.enum([...CHECKLIST_ROWS, ...SELF_KEEPING_ROWS, ...AFTER_ROWS]) }),
    ),
    day: z.strictObject({
      durationSeconds: z.int(),
      /** The maximum of any candidate. */
      extraSeconds: z.int(),
      candidateCount: z.int(),
      extraCount: z.int(),
    }),
    waiting,
    startedCount: z.int(),
    /** The contact for candidates: the test's own, otherwise the society's. */
    contact: z.nullable(z.string()),
    /** True for a member who is only an invigilator of this test; then there are no rows. */
    isHelper: z.boolean(),
    duty: z.array(
      z.strictObject({ name: z.string(), isYou: z.boolean(), role: z.string(), may: z.string() }),
    ),
    changes: z.array(z.strictObject({ at: z.iso.datetime(), by: z.string(), what: z.string() })),
  }),
})
export type OverviewFacts = ResponseOf<typeof getOverview>

const publicationError = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('no_questions') }),
  z.strictObject({ kind: z.literal('wrong_questions'), positions: z.array(z.int()) }),
  z.strictObject({ kind: z.literal('uneven_forms'), A: z.int(), B: z.int() }),
  z.strictObject({ kind: z.literal('window_past') }),
])

export const getPublication = inTest('GET /publication', SET, 'What publishing does', {
  response: z.strictObject({
    version: z.int(),
    errors: z.array(publicationError),
    /** Example: 'Two forms of 24 questions, 10 in common, dealt at random'. Null for one form. */
    forms: z.nullable(z.string()),
    questionCount: z.int(),
    candidateCount: z.int(),
    withPasswordCount: z.int(),
    /** How many candidates have their own start window. */
    otherStartCount: z.int(),
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
