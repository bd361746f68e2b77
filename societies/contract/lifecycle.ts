import * as z from 'zod/mini'
import { CHECKLIST_PAGES, CHECKLIST_ROWS, ROW_STATES, SELF_KEEPING_ROWS } from '../checklist.ts'
import { fresh, inSociety, inTest, organiserMay } from '../contract.ts'

/** From the draft to the deletion of an assessment, its settings, its checklist (product 7.8). */

const SEE = organiserMay('see_assessments')
const WRITE = organiserMay('write_questions')
const SET = organiserMay('set_rules_before_start')
const DELETE = organiserMay('delete_test')

const code = z
  .string()
  .check(
    z.trim(),
    z.toUpperCase(),
    z.regex(/^[A-Z0-9_]{1,40}$/, 'capitals, digits and underscores alone, 40 at most'),
  )
const text = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most))
const season = z.nullable(text(60))
const session = z.nullable(text(60))
/** the name that candidates read */
const society = text(80)
const instant = z.nullable(z.iso.datetime())
const version = z.int().check(z.minimum(1))
const done = z.strictObject({ done: z.literal(true) })
/** `wanted`: the code that was asked for; another one was made of it where it was taken */
const made = z.strictObject({ code: z.string(), wanted: z.string() })

/** Bytes of an assessment's file: a call's body has 100,000 at most, and JSON makes a text longer. */
export const FILE_BYTES = 80_000

export const createAssessment = inSociety('POST /assessments', WRITE, 'Create an empty draft', {
  body: z.strictObject({ code, society, session, season }),
  response: made,
})

export const createAssessmentFromFile = inSociety(
  'POST /assessment-files',
  WRITE,
  'Create a draft from the YAML file of an assessment',
  {
    body: z.strictObject({
      yaml: z.string().check(z.minLength(1), z.maxLength(FILE_BYTES)),
      /** instead of the file's */
      code: z.nullable(code),
      season,
    }),
    response: made,
  },
)

export const copyAssessment = inTest('POST /copy', WRITE, 'Copy questions, rules and settings', {
  body: z.strictObject({ code, session, season }),
  response: made,
})

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

/** Until when answers and names are kept; null for a draft and a sample, which hold nobody's. */
const retention = z.nullable(
  z.strictObject({
    /** null: no day, since it never closes */
    until: instant,
    /** a day of its own, not the society's months after the close */
    hasOwnDay: z.boolean(),
    /** when owners were told that the day is near */
    warnedAt: instant,
  }),
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

/** A time on the clocks of the assessment's zone, as 2026-11-25 09:00. */
const localTime = z.nullable(
  z
    .string()
    .check(
      z.regex(/^[1-9]\d{3}-\d\d-\d\d[ T]\d\d:\d\d$/, 'a date and a time such as 2026-11-25 09:00'),
    ),
)
const lines = z.array(text(300)).check(z.maxLength(20))

const settings = z.strictObject({
  society,
  session,
  season,
  durationSeconds: z.int().check(z.minimum(60), z.maximum(86_400)),
  opens: localTime,
  closes: localTime,
  timeZone: text(60),
  shuffle: z.boolean(),
  navigator: z.boolean(),
  timing: lines,
  allowed: lines,
  forbidden: lines,
  contact: z.nullable(text(200)),
})
export type AssessmentSettings = z.infer<typeof settings>

const readableSettings = z.strictObject({
  version: z.int(),
  settings,
  opensAt: instant,
  closesAt: instant,
  isDraft: z.boolean(),
  startedCount: z.int(),
  /** have signed in and not started: a window that moves reaches them */
  waitingCount: z.int(),
  kept: retention,
  changed: z.nullable(z.strictObject({ by: z.string(), at: z.iso.datetime() })),
})

export const getSettings = inTest('GET /settings', SEE, 'The settings', {
  response: readableSettings,
})

/** What is left out stays. A version that is stale is 409 with who changed it and when. */
const changedSettings = z.strictObject({ version, change: z.partial(settings) })

export const changeSettings = inTest('PUT /settings', SET, 'Change settings before the start', {
  body: changedSettings,
  response: readableSettings,
})

export const changeSettingsAfterStart = inTest(
  'PUT /settings/after-start',
  organiserMay('set_rules_after_start'),
  'Change what may change after the first start: window, season, contact',
  {
    body: changedSettings,
    response: readableSettings,
  },
)

export const deleteAssessment = inTest('POST /deletion', fresh(DELETE), 'Delete an assessment', {
  response: done,
})

export const listDeletedAssessments = inSociety('GET /deleted', DELETE, 'The deleted assessments', {
  response: z.array(
    z.strictObject({
      code: z.string(),
      society: z.string(),
      session: z.nullable(z.string()),
      season: z.nullable(z.string()),
      candidateCount: z.int(),
      deletedAt: z.iso.datetime(),
      deletedBy: z.string(),
      /** until when it can be restored */
      until: z.iso.datetime(),
    }),
  ),
})

export const restoreAssessment = inSociety('POST /deleted/restore', DELETE, 'Restore a test', {
  body: z.strictObject({ code }),
  response: done,
})
