import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { inTest, organizerMay } from '../kit/contract.ts'

/** '2026-11-25', a day where the test was taken */
const day = z.iso.date()
const count = z.int()

/** What the public reads about a test (product 7.21.4): no name, no score, no statistic of fewer than fifteen. */
const fairnessContent = z.strictObject({
  society: z.string(),
  /** 'Autumn 2026' */
  name: z.string(),
  firstDay: z.nullable(day),
  lastDay: z.nullable(day),
  took: count,
  /** taken out of the ranking by an owner */
  excluded: z.optional(count),
  invited: z.optional(count),
  /** that candidates answered */
  questions: count,
  minutes: count,
  /** null: none was set */
  cutScore: z.optional(
    z.nullable(
      z.strictObject({
        points: z.number(),
        lockedAt: z.nullable(z.iso.datetime()),
        isBeforeNames: z.boolean(),
        /** null for fewer than fifteen candidates, like all figures below that can be null */
        atOrAbove: z.nullable(count),
      }),
    ),
  ),
  accuracy: z.optional(
    z.nullable(
      z.strictObject({
        /** 1.645 standard errors, in whole points */
        margin: count,
        /** how many were that close to the cut score; null without one */
        near: z.nullable(count),
      }),
    ),
  ),
  rulings: z.array(
    z.strictObject({
      /** its place in the test, from 1 */
      question: count,
      kind: z.enum(['accept', 'replace', 'void', 'full_marks']),
      /** null: it named a person */
      reason: z.nullable(z.string()),
      /** scores that it changed; null: not kept */
      changed: z.nullable(count),
      /** made before names were shown next to the scores */
      isBeforeNames: z.boolean(),
    }),
  ),
  incidents: z.strictObject({
    counts: count,
    doesNotCount: count,
    /** asked about, and not decided */
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
  /** null: no day is set */
  deletedOn: z.nullable(day),
})
export type FairnessContent = z.infer<typeof fairnessContent>

const published = {
  publishedAt: z.iso.datetime(),
  /** null: unchanged since it was first published */
  changedAt: z.nullable(z.iso.datetime()),
}

export const readFairnessReport = endpoint({
  method: 'GET',
  path: '/api/fairness/:report',
  summary: 'How a test was run, for the public; empty until the results are released',
  access: 'public',
  params: z.strictObject({ report: z.uuid() }),
  response: z.strictObject({
    /** null: the results are not released, or not anymore */
    report: z.nullable(
      z.strictObject({
        content: fairnessContent,
        ...published,
        /** of the days in `content` */
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
      /** null while no report can be made */
      content: z.nullable(fairnessContent),
      obstacle: z.nullable(z.enum(['nobody_took', 'still_open'])),
      /** before that, the public page says that the report appears later */
      isReleased: z.boolean(),
      /** `isCurrent`: it says what `content` says */
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
