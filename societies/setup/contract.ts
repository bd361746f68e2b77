import * as z from 'zod/mini'
import { hasLink, LINK_PROBLEM } from '../kit/candidate-limits.ts'
import { fresh, inSociety, inTest, organizerMay } from '../kit/contract.ts'

/** An assessment's life cycle from draft to deletion, and its settings (product 7.8). */

const SEE = organizerMay('see_assessments', [], 'none')
const WRITE = organizerMay('write_questions')
const DELETE = organizerMay('delete_test')

const code = z
  .string()
  .check(
    z.trim(),
    z.toUpperCase(),
    z.regex(/^[A-Z0-9_]{1,40}$/, 'only capital letters, digits and underscores, at most 40'),
  )
const text = (most: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(most))
const name = (most: number) => text(most).check(z.refine((given) => !hasLink(given), LINK_PROBLEM))
const season = z.nullable(name(60))
const session = z.nullable(name(60))
/** The name shown to candidates. */
const society = name(80)
export const instant = z.nullable(z.iso.datetime())
export const version = z.int().check(z.minimum(1))
export const done = z.strictObject({ done: z.literal(true) })
/** `wanted` is the requested code; `code` differs if that was taken. */
const made = z.strictObject({ code: z.string(), wanted: z.string() })
/** The cost allows forty requests a day. */
const creating = { response: made, costs: 249_000 }

/** The maximum file size in bytes. A request body can have 100,000, and JSON escaping adds some. */
export const FILE_BYTES = 80_000

export const createAssessment = inSociety('POST /assessments', WRITE, 'Create an empty draft', {
  body: z.strictObject({ code, society, session, season }),
  ...creating,
})

export const createAssessmentFromFile = inSociety(
  'POST /assessment-files',
  WRITE,
  'Create a draft from the YAML file of an assessment',
  {
    body: z.strictObject({
      yaml: z.string().check(z.minLength(1), z.maxLength(FILE_BYTES)),
      /** Replaces the code in the file. */
      code: z.nullable(code),
      season,
    }),
    ...creating,
  },
)

export const copyAssessment = inTest('POST /copy', WRITE, 'Copy questions, rules and settings', {
  body: z.strictObject({ code, session, season }),
  ...creating,
})

/** How long answers and names are kept; null for drafts and samples. */
export const retention = z.nullable(
  z.strictObject({
    /** Null if the test never closes. */
    until: instant,
    /** Whether the test has its own date instead of the society's months after the close. */
    hasOwnDay: z.boolean(),
    warnedAt: instant,
  }),
)

/** Local time in the assessment's zone, such as 2026-11-25 09:00. */
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
  version,
  settings,
  isDraft: z.boolean(),
  startedCount: z.int(),
  /** Candidates who have signed in and not started. A change of the window affects them. */
  waitingCount: z.int(),
  kept: retention,
  changed: z.nullable(z.strictObject({ by: z.string(), at: z.iso.datetime() })),
})

export const getSettings = inTest('GET /settings', SEE, 'The settings', {
  response: readableSettings,
})

/** Omitted settings stay unchanged. A stale version returns 409 with the author and time of the other change. */
const changedSettings = z.strictObject({ version, change: z.partial(settings) })

export const changeSettings = inTest(
  'PUT /settings',
  organizerMay('set_rules_before_start'),
  'Change settings before the start',
  { body: changedSettings, response: readableSettings },
)

export const changeSettingsAfterStart = inTest(
  'PUT /settings/after-start',
  organizerMay('set_rules_after_start'),
  'Change what can still change after the first start: window, season, contact',
  { body: changedSettings, response: readableSettings },
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
      /** The last moment to restore the test. */
      until: z.iso.datetime(),
    }),
  ),
})

export const restoreAssessment = inSociety('POST /deleted/restore', DELETE, 'Restore a test', {
  body: z.strictObject({ code }),
  response: done,
})

export const setKeepUntil = inTest(
  'PUT /keep-until',
  organizerMay('edit_society'),
  'Until when answers and names are kept; fourteen days from now at the earliest',
  {
    /** Null means the society's setting applies. */
    body: z.strictObject({ keepUntil: z.nullable(z.iso.datetime()) }),
    response: z.strictObject({ keepUntil: z.nullable(z.iso.datetime()) }),
  },
)
