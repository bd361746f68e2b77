import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { timeZoneSchema } from '../../platform/local-day.ts'
import { optionLetterSchema } from '../../platform/options.ts'
import { PROMPT_KINDS } from '../aloud/spoken-prompt.ts'
import { categorySchema, questionSchema } from '../question.ts'
import { ratingSchema } from './aloud.ts'

const testResultSchema = z.strictObject({
  right: z.int(),
  total: z.int(),
  answered: z.int(),
  strikes: z.int(),
  reason: z.enum(['candidate', 'violations', 'deadline']),
  tookSeconds: z.int(),
  categories: z.array(
    z.strictObject({ category: categorySchema, right: z.int(), answered: z.int() }),
  ),
  review: z.array(
    z.strictObject({ question: questionSchema, choice: z.nullable(optionLetterSchema) }),
  ),
})

const slipSchema = z.strictObject({
  name: z.string(),
  line: z.string(),
  tonight: z.int(),
  before: z.int(),
})

export const eveningSchema = z.strictObject({
  id: z.uuid(),
  startedAt: z.iso.datetime(),
  closesAt: z.iso.datetime(),
  isOpen: z.boolean(),
  test: z.strictObject({
    lastStartAt: z.iso.datetime(),
    /** true if it's too late to start the test, by the server's clock; a started test continues */
    isTooLate: z.boolean(),
    runsUntil: z.nullable(z.iso.datetime()),
    result: z.nullable(testResultSchema),
  }),
  case: z.strictObject({
    slug: z.string(),
    title: z.string(),
    result: z.nullable(z.strictObject({ right: z.int(), total: z.int() })),
  }),
  aloud: z.array(
    z.strictObject({
      slug: z.string(),
      prompt: z.string(),
      kind: z.enum(PROMPT_KINDS),
      result: z.nullable(
        z.strictObject({
          pointsSaid: z.int(),
          rating: ratingSchema,
          tookMs: z.int(),
        }),
      ),
    }),
  ),
  drill: z.strictObject({
    preset: z.string(),
    result: z.nullable(
      z.strictObject({ id: z.uuid(), right: z.int(), wrong: z.int(), skipped: z.int() }),
    ),
    /** right minus wrong in the last five runs of this drill before the session, newest first */
    earlierNets: z.array(z.int()),
  }),
  slips: z.array(slipSchema),
})
export type Evening = z.infer<typeof eveningSchema>

const params = z.strictObject({ id: z.uuid() })

export const LISTED_EVENINGS = 50

export const listSuperdays = endpoint({
  method: 'GET',
  path: '/api/practice/superdays',
  summary: `The mock superdays of a person, newest first, at most ${LISTED_EVENINGS}`,
  access: 'user',
  response: z.array(
    z.strictObject({
      id: z.uuid(),
      startedAt: z.iso.datetime(),
      isOpen: z.boolean(),
      right: z.nullable(z.int()),
      total: z.nullable(z.int()),
    }),
  ),
})

export const startSuperday = endpoint({
  method: 'PUT',
  path: '/api/practice/superdays/:id',
  summary: 'Start a mock superday and draw its parts. A retry returns the same one',
  access: 'user',
  params,
  body: z.strictObject({
    startedAt: z.iso.datetime({ offset: true }),
    timeZone: timeZoneSchema,
  }),
  response: eveningSchema,
})

export const getSuperday = endpoint({
  method: 'GET',
  path: '/api/practice/superdays/:id',
  summary: 'One mock superday so far, with the data for its report',
  access: 'user',
  params,
  response: eveningSchema,
})

export const endSuperday = endpoint({
  method: 'POST',
  path: '/api/practice/superdays/:id/end',
  summary: 'End a mock superday. A retry changes nothing',
  access: 'user',
  params,
  response: eveningSchema,
})

export const EVENING_MS = 4 * 3_600_000

export const TEST_QUESTIONS = 20
export const TEST_SECONDS = 1_800

export const EVENING_DRILL = '80-in-8'

export const PARTS = ['test', 'case', 'aloud', 'drill'] as const
export type Part = (typeof PARTS)[number]
export const PART_MINUTES: Record<Part, number> = { test: 30, case: 12, aloud: 12, drill: 8 }

export const closesAtMs = (startedAtMs: number): number => startedAtMs + EVENING_MS

export const lastTestStartMs = (startedAtMs: number): number =>
  closesAtMs(startedAtMs) - TEST_SECONDS * 1_000
