import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { ofAssessment, organiserMay } from '../contract.ts'

/** '2026-11-25', a day where the test was taken */
const day = z.iso.date()
const count = z.int()

/**
 * What is public of how a test was run (product 7.21.4): counts, and no statistic of fewer than fifteen people.
 * Nobody's name, score or room. Reports of an earlier form leave some figures out.
 */
export const fairnessContent = z.strictObject({
  society: z.string(),
  /** 'Autumn 2026' */
  name: z.string(),
  firstDay: z.nullable(day),
  lastDay: z.nullable(day),
  took: count,
  invited: z.optional(count),
  /** that candidates answered */
  questions: count,
  minutes: count,
  /** null: the society set none */
  cutScore: z.optional(
    z.nullable(
      z.strictObject({
        points: z.number(),
        lockedAt: z.nullable(z.iso.datetime()),
        isBeforeNames: z.boolean(),
        /** null of fewer than fifteen people, as all figures below that are null */
        atOrAbove: z.nullable(count),
      }),
    ),
  ),
  accuracy: z.optional(
    z.nullable(
      z.strictObject({
        /** 1.645 standard errors, in whole points */
        margin: count,
        /** how many were within it of the cut score; null without one */
        near: z.nullable(count),
      }),
    ),
  ),
  rulings: z.array(
    z.strictObject({
      /** its place in the test, from 1 */
      question: count,
      kind: z.enum(['accept', 'replace', 'void', 'full_marks']),
      /** null: it named somebody */
      reason: z.nullable(z.string()),
      /** scores that it changed; null where that was not kept */
      changed: z.nullable(count),
      /** made before names were shown beside the scores */
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
  /** null: it is as it was published first */
  changedAt: z.nullable(z.iso.datetime()),
}

export const readFairnessReport = endpoint({
  method: 'GET',
  path: '/api/fairness/:report',
  summary: 'How a test was run, for everybody; nothing of it before the results are released',
  access: 'public',
  params: z.strictObject({ report: z.uuid() }),
  response: z.strictObject({
    /** null: not yet, or not any more */
    report: z.nullable(
      z.strictObject({
        content: fairnessContent,
        ...published,
        /** in which days are meant */
        timeZone: z.string(),
      }),
    ),
  }),
})

export const previewFairnessReport = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/fairness',
  summary: 'What the fairness report of a test would say now, and what is published',
  access: organiserMay('release_results'),
  params: ofAssessment,
  response: z.strictObject({
    /** null where an obstacle stands against it */
    content: z.nullable(fairnessContent),
    obstacle: z.nullable(z.enum(['nobody_took', 'still_open'])),
    /** before that its address says that it appears later */
    isReleased: z.boolean(),
    /** `isCurrent`: it says what `content` says */
    published: z.nullable(z.strictObject({ id: z.uuid(), ...published, isCurrent: z.boolean() })),
  }),
})

export const publishFairnessReport = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/fairness',
  summary: 'Publish the fairness report as it is now, or bring the published one up to date',
  access: organiserMay('release_results'),
  params: ofAssessment,
  response: z.strictObject({ id: z.uuid() }),
})
