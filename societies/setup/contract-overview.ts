import * as z from 'zod/mini'
import type { ResponseOf } from '../../platform/endpoint.ts'
import { getSocietyAssessment, inSociety, inTest, organizerMay } from '../kit/contract.ts'
import { done, instant, retention, version } from './contract.ts'

/** The list of tests, the overview of one with its checklist, and publishing (product 7.8). */

const SEE = organizerMay('see_assessments', [], 'none')
const SET = organizerMay('set_rules_before_start')

/** What counts before a test opens, in this order (product 7.8.7). */
export const CHECKLIST_ROWS = [
  'questions',
  'keys',
  'window',
  'candidates',
  'helpers',
  'rehearsal',
] as const
/** What is fine as it is. */
export const SELF_KEEPING_ROWS = ['accommodations', 'retention'] as const
/** What is left after a test, in this order; the deletion follows (product 7.8.7). */
export const AFTER_ROWS = [
  'incidents',
  'rulings',
  'cut_score',
  'release',
  'files',
  'fairness',
] as const

/** 'todo' is a gap in a draft, which is no fault yet, or waits for another row. */
const state = z.enum(['ready', 'attention', 'todo'])
export type RowState = z.infer<typeof state>

const pageLink = z.strictObject({
  /** of the test, or the society's team; '' is the overview */
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
  /** of the page of questions, the one that it opens */
  question: z.optional(z.uuid()),
  /** of the analysis, the number of the question that it opens */
  item: z.optional(z.int()),
})
export type ChecklistLink = z.infer<typeof pageLink>

const row = z.strictObject({
  state,
  /** 'Ready', 'Set', '1 of 3' */
  word: z.string(),
  /** a whole sentence: the headline and the list quote it while the row is not ready */
  finding: z.string(),
  rest: z.string(),
  /** where to fix it */
  link: pageLink,
})
export type Row = z.infer<typeof row>

/** What is left to do after the test, for members who can do it: 'Five incidents need a decision.' */
const waiting = z.array(
  z.strictObject({ text: z.string(), page: z.enum(['incidents', 'analysis']), label: z.string() }),
)

const listed = z.extend(getSocietyAssessment.response, {
  /** shown under the number of candidates: '18 inside', 'no candidate has a password' */
  candidateNote: z.string(),
  /** the states of CHECKLIST_ROWS; null where it is over, or not the member's */
  checklist: z.nullable(z.array(state)),
  /** what is next: words in amber if a member should look, the rest of the sentence, and the page to do it */
  next: z.strictObject({
    look: z.nullable(z.string()),
    text: z.string(),
    link: z.nullable(pageLink),
  }),
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
export type Listed = z.infer<typeof listed>

export const getOverview = inTest('GET /overview', SEE, 'The overview of an assessment', {
  response: z.strictObject({
    version: z.int(),
    isDraft: z.boolean(),
    isSample: z.boolean(),
    headline: z.string(),
    sentence: z.string(),
    /** the first of what is missing; null when nothing is */
    next: z.nullable(pageLink),
    rows: z.array(
      z.extend(row, { row: z.enum([...CHECKLIST_ROWS, ...SELF_KEEPING_ROWS, ...AFTER_ROWS]) }),
    ),
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
    /** who is an invigilator of it and nothing else; then there are no rows */
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
    /** 'Two forms of 24 questions, 10 in common, dealt at random'; null: one form */
    forms: z.nullable(z.string()),
    questionCount: z.int(),
    candidateCount: z.int(),
    withPasswordCount: z.int(),
    /** who start at another time than the window says */
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
