import * as z from 'zod/mini'
import type { OptionLetter } from '../platform/option-letters.ts'

/** Schemas of content/pages/*.yaml. page-shapes.test.ts checks every file. */

const text = z.string().check(z.minLength(1))
/** It is also a fragment: /faq#retaking opens that item. */
const id = z.string().check(z.regex(/^[a-z]+(-[a-z]+)*$/))
const titled = z.strictObject({ title: text, text })
const named = <Title extends string>(title: Title) =>
  z.strictObject({ title: z.literal(title), text })

const slide = <Id extends string>(name: Id) =>
  z.strictObject({ id: z.literal(name), alt: text, caption: text })

const landing = z.strictObject({
  hero: z.strictObject({ title: text, lead: text }),
  /** ids of the bank's questions that can be answered there, in this order */
  questions: z.array(z.int()).check(z.length(4)),
  blurbs: z.tuple([
    named('Practice Questions'),
    named('Mental Math & Logic'),
    named('Performance Analytics'),
  ]),
  slides: z.tuple([slide('dashboard'), slide('quiz'), slide('results'), slide('progress')]),
  whatYouGet: z.array(titled).check(z.length(6)),
  societies: z.strictObject({
    title: z.literal('For finance societies: run your recruitment test here'),
    text,
    does: z.array(titled).check(z.length(3)),
    begin: z.array(text).check(z.length(3)),
  }),
  callToAction: titled,
})

/** A question of the bank that the landing page shows with its key (product 8.1.6). */
export interface SampleQuestion {
  id: number
  category: string
  difficulty: string
  question: string
  options: Record<OptionLetter, string>
  correctOption: OptionLetter
  explanation: string
  /** for each distractor, the mistake that leads to it */
  why: Partial<Record<OptionLetter, string>>
}

const about = z.strictObject({
  story: z.array(text).check(z.minLength(1)),
  founders: z.array(z.strictObject({ role: text, studyArea: text, bio: text })).check(z.length(3)),
  values: z.tuple([
    named('Excellence in Education'),
    named('Global Perspective'),
    named('Continuous Innovation'),
  ]),
  mission: text,
})

const faq = z.strictObject({
  questions: z
    .array(z.strictObject({ id, question: text, answer: z.array(text).check(z.minLength(1)) }))
    .check(z.length(8)),
})

const career = <Title extends string>(title: Title) =>
  z.strictObject({
    id,
    title: z.literal(title),
    description: text,
    day: z.array(text).check(z.minLength(4)),
    process: text,
    hours: text,
    path: text,
    exits: text,
    keySkills: z.array(text).check(z.minLength(5)),
    /** the best practice category; practice/categories.test.ts checks that it exists */
    practise: z.strictObject({ category: text, why: text }),
  })

const careers = z.strictObject({
  buySide: z.tuple([
    career('Asset Management'),
    career('Venture Capital'),
    career('Hedge Funds'),
    career('Private Equity'),
  ]),
  sellSide: z.tuple([
    career('Investment Banking'),
    career('Research'),
    career('Sales & Trading'),
    career('Commercial & Corporate Banking'),
  ]),
  alsoInFinance: z.tuple([
    career('Leveraged Finance'),
    career('Equity & Debt Capital Markets (ECM and DCM)'),
    career('Restructuring'),
    career('Private Credit'),
    career('Proprietary Trading'),
    career('Consulting'),
    career('Financial Due Diligence (FDD)'),
  ]),
})

const month = z.int().check(z.minimum(1), z.maximum(12))

/** What follows a heading, in this order; at least one of them. */
const section = z
  .strictObject({
    heading: text,
    paragraphs: z.optional(z.array(text).check(z.minLength(1))),
    /** named entries; `months` are the first and last month in which each usually opens */
    entries: z.optional(
      z
        .array(z.strictObject({ name: text, months: z.optional(z.tuple([month, month])), text }))
        .check(z.minLength(2)),
    ),
    /** the first column names the row, the others are figures, '' if there is none */
    table: z.optional(
      z
        .strictObject({
          columns: z.array(text).check(z.minLength(2), z.maxLength(5)),
          rows: z.array(z.array(z.string())).check(z.minLength(2)),
        })
        .check(
          z.refine(({ columns, rows }) => rows.every((row) => row.length === columns.length), {
            error: 'every row needs as many cells as there are columns',
          }),
        ),
    ),
    steps: z.optional(z.array(text).check(z.minLength(1))),
    said: z.optional(z.array(text).check(z.minLength(1))),
  })
  .check(
    z.refine((parts) => Object.keys(parts).length > 1, {
      error: 'a section needs content below its heading',
    }),
  )

const guide = <Title extends string>(title: Title) =>
  z.strictObject({
    id,
    title: z.literal(title),
    lead: text,
    sections: z.array(section).check(z.minLength(4), z.maxLength(8)),
  })

const guides = z.strictObject({
  guides: z.tuple([
    guide('LinkedIn'),
    guide('CV'),
    guide('Cover letter'),
    guide('Networking'),
    guide('Interview tips'),
  ]),
})

const process = z.strictObject({
  guides: z.tuple([
    guide('Recruiting calendar'),
    guide('Online tests'),
    guide('Video interviews'),
    guide('Assessment centers'),
  ]),
})

/** `invented` says that company and figures are fictional. It is shown above the text. */
const example = <Title extends string>(title: Title) =>
  z.extend(guide(title), { invented: z.string().check(z.includes('invented')) })

const worked = z.strictObject({
  guides: z.tuple([example('A stock pitch, in full'), example('A deal discussion, in full')]),
})

const feedback = z.strictObject({
  lead: text,
  statement: z.string().check(z.includes('typically respond within 24 hours')),
  categories: z.tuple([
    named('Suggestions'),
    named('Bug Reports'),
    named('General Support'),
    named('Content Requests'),
  ]),
})

/** {supportEmail} and {privacyEmail} stand for the configured addresses. */
const legal = z.strictObject({
  sections: z
    .array(z.strictObject({ heading: text, paragraphs: z.array(text).check(z.minLength(1)) }))
    .check(z.length(11)),
})

const cvEntry = z.strictObject({
  title: text,
  place: z.nullable(text),
  dates: z.nullable(text),
  bullets: z.array(text).check(z.minLength(1)),
})
const cvSection = z.strictObject({ heading: text, entries: z.array(cvEntry) })
const cv = z.strictObject({ name: text, contact: text, sections: z.array(cvSection) })

const coverLetter = z.strictObject({
  name: text,
  contact: text,
  date: text,
  recipient: z.array(text),
  subject: text,
  greeting: text,
  paragraphs: z.array(text).check(z.minLength(1)),
  closing: text,
  signature: text,
})

/** The printed text, and the advice shown on screen. */
const templates = z.strictObject({
  cv: z.extend(cv, {
    hints: z.array(text),
    sections: z.array(z.extend(cvSection, { hint: text })),
  }),
  coverLetter: z.extend(coverLetter, { hints: z.array(text) }),
})

/** The same two, filled in. `mark` is printed on them and says that everything is invented. */
const specimens = z.strictObject({
  mark: z.string().check(z.includes('invented')),
  cv,
  coverLetter,
})

const formulas = z.strictObject({
  lead: text,
  groups: z.array(
    z.strictObject({
      id,
      title: text,
      formulas: z
        .array(z.strictObject({ name: text, formula: text, slip: text }))
        .check(z.minLength(5)),
    }),
  ),
})

export const PAGE_SCHEMAS = {
  landing,
  about,
  faq,
  careers,
  guides,
  process,
  worked,
  feedback,
  terms: legal,
  privacy: legal,
  templates,
  specimens,
  formulas,
} as const

export type PageName = keyof typeof PAGE_SCHEMAS
export type Page<Name extends PageName> = z.infer<(typeof PAGE_SCHEMAS)[Name]>

export type Career = Page<'careers'>[keyof Page<'careers'>][number]
export type Guide = Page<'guides' | 'process' | 'worked'>['guides'][number]
export type GuideSection = Guide['sections'][number]

/** The page name for a path such as content/pages/faq.yaml, or null. */
export function pageNameOf(file: string): PageName | null {
  const name = /([^/\\]+)\.yaml$/.exec(file)?.[1] ?? ''
  return name in PAGE_SCHEMAS ? (name as PageName) : null
}
