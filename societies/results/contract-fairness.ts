import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { inTest, organizerMay } from '../kit/contract.ts'

/** '2026-11-25', a day on which candidates took the test */
const day = z.iso.date()
const count = z.int()

/**
 * The public part of a test's report (product 7.21.4). It has no names, no scores and no statistics of fewer than
 * fifteen.
 */
const fairnessContent = z.strictObject({
  society: z.string(),
  /** 'Autumn 2026' */
  name: z.string(),
  firstDay: z.nullable(day),
  lastDay: z.nullable(day),
  took: count,
  /** excluded from the ranking by an owner */
  excluded: z.optional(count),
  invited: z.optional(count),
  /** questions that candidates answered */
  questions: count,
  minutes: count,
  /** null: the test has no cut score */
  cutScore: z.optional(
    z.nullable(
      z.strictObject({
        points: z.number(),
        lockedAt: z.nullable(z.iso.datetime()),
        isBeforeNames: z.boolean(),
        /** null for fewer than fifteen candidates, like all nullable figures below */
        atOrAbove: z.nullable(count),
      }),
    ),
  ),
  accuracy: z.optional(
    z.nullable(
      z.strictObject({
        /** 1.645 standard errors, in whole points */
        margin: count,
        /** candidates within the margin of the cut score; null without one */
        near: z.nullable(count),
      }),
    ),
  ),
  rulings: z.array(
    z.strictObject({
      /** question number in the test, from 1 */
      question: count,
      kind: z.enum(['accept', 'replace', 'void', 'full_marks']),
      /** null: hidden because it named a person */
      reason: z.nullable(z.string()),
      /** number of changed scores; null: not kept */
      changed: z.nullable(count),
      /** made before names were shown next to the scores */
      isBeforeNames: z.boolean(),
    }),
  ),
  incidents: z.strictObject({
    counts: count,
    doesNotCount: count,
    /** late answers that still need a decision */
    asked: count,
    undecided: count,
  }),
  time: z.strictObject({
    planned: count,
    given: count,
    reopened: count,
    strikesTakenBack: count,
    endedEarly: z.optional(count),
  }),
  /** null: no deletion is scheduled */
  deletedOn: z.nullable(day),
})
export type FairnessContent = z.infer<typeof fairnessContent>

const published = {
  publishedAt: z.iso.datetime(),
  /** null: unchanged since its first publication */
  changedAt: z.nullable(z.iso.datetime()),
}

export const readFairnessReport = endpoint({
  method: 'GET',
  path: '/api/fairness/:report',
  summary: 'How a test was run, for the public; empty until the results are released',
  access: 'public',
  params: z.strictObject({ report: z.uuid() }),
  response: z.strictObject({
    /** null: the results are not released, or the release was withdrawn */
    report: z.nullable(
      z.strictObject({
        content: fairnessContent,
        ...published,
        /** time zone of the days in `content` */
        timeZone: z.string(),
      }),
    ),
  }),
})

export const previewFairnessReport = inTest(
  'GET /fairness',
  organizerMay('release_results'),
  'What the fairness report would say now, and what is published',
  {
    response: z.strictObject({
      /** null while a report is impossible */
      content: z.nullable(fairnessContent),
      obstacle: z.nullable(z.enum(['nobody_took', 'still_open'])),
      /** until then, the public page says that the report will appear later */
      isReleased: z.boolean(),
      /** `isCurrent`: the published report matches `content` */
      published: z.nullable(z.strictObject({ id: z.uuid(), ...published, isCurrent: z.boolean() })),
    }),
  },
)

export const publishFairnessReport = inTest(
  'POST /fairness',
  organizerMay('release_results'),
  'Publish the fairness report as it is now, or update the published one',
  { response: z.strictObject({ id: z.uuid() }) },
)
