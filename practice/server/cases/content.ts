import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'
import {
  type Case,
  caseSchema,
  caseSlugSchema,
  chartSchema,
  columnSchema,
  noteSchema,
  QUESTIONS_PER_CASE,
  rowSchema,
  tableSchema,
} from '../../cases/case.ts'
import { categorySchema, difficultySchema } from '../../question.ts'
import type { Slip } from '../slips-store.ts'

// content/cases/README.md explains this format.

const text = z.string().trim().min(1)
const expression = z.union([z.string(), z.number().transform(String)])
const id = z.string().regex(/^[a-z][a-z0-9]*$/i, { error: 'must be a name without spaces' })

const tableContent = z.strictObject({
  ...tableSchema.shape,
  id,
  change: z.boolean().default(false),
  columns: z.array(z.strictObject({ ...columnSchema.shape, id, format: text.optional() })).min(1),
  rows: z
    .array(
      z.strictObject({
        ...rowSchema.shape,
        ...{ id, label: text, short: text.optional(), format: text.optional() },
        /** the row's total in each column, by the ids of other rows */
        sum: expression.optional(),
      }),
    )
    .min(1),
})
const noteContent = z.strictObject({
  ...noteSchema.shape,
  id,
  /** the figures used to calculate keys; each must appear in the text */
  values: z.record(id, z.number()).default({}),
})

const optionContent = z.strictObject({
  text,
  /** an expression over the exhibit's cells that gives the number shown */
  value: expression.optional(),
  key: z.literal(true).optional(),
  slip: text.optional(),
  why: text.optional(),
})

const caseContentSchema = z
  .strictObject({
    case: caseSlugSchema,
    /** 'error' is a work sample with one planted mistake and one question about it */
    kind: z.enum(['case', 'error']).default('case'),
    place: z.int().positive(),
    title: text,
    category: categorySchema,
    difficulty: difficultySchema,
    story: text,
    exhibits: z
      .array(z.discriminatedUnion('kind', [tableContent, chartSchema, noteContent]))
      .min(1),
    ties: z.array(text).default([]),
    questions: z.array(
      z.strictObject({
        ask: text,
        finds: text.max(34),
        from: z.array(z.int().positive()).default([]),
        carry: text.optional(),
        options: z.array(optionContent).length(4),
        explanation: text,
      }),
    ),
    retired: z.boolean().default(false),
  })
  .refine(
    ({ kind, questions, exhibits }) =>
      questions.length === (kind === 'error' ? 1 : QUESTIONS_PER_CASE) &&
      exhibits.length >= (kind === 'error' ? 1 : 2),
    { error: 'a case needs five questions and two exhibits, and a work sample one of each' },
  )
export type CaseContent = z.infer<typeof caseContentSchema>

export function parseCase(yaml: string): CaseContent {
  return caseContentSchema.parse(parseYaml(yaml))
}

/** Returns the letter of the key. The content check ensures that there is one. */
function keyOfCaseQuestion(question: CaseContent['questions'][number]): OptionLetter {
  return OPTION_LETTERS[question.options.findIndex(({ key }) => key)] as OptionLetter
}

/** A case as stored in practice_cases: the response for the browser, and the mistake patterns for the facts. */
export interface StoredCase {
  served: Case
  slips: Partial<Record<OptionLetter, string>>[]
}

export function toStoredCase(content: CaseContent, slips: ReadonlyMap<string, Slip>): StoredCase {
  const served: Case = {
    slug: content.case,
    title: content.title,
    category: content.category,
    difficulty: content.difficulty,
    story: content.story,
    exhibits: content.exhibits.map((exhibit) => {
      if (exhibit.kind === 'chart') return exhibit
      if (exhibit.kind === 'note') {
        const { values: _, ...note } = exhibit
        return note
      }
      return { ...exhibit, rows: exhibit.rows.map(({ sum: _, ...row }) => row) }
    }),
    questions: content.questions.map((question) => ({
      ask: question.ask,
      finds: question.finds,
      from: question.from,
      carry: question.carry ?? null,
      options: byLetter(question, ({ text }) => text) as Case['questions'][number]['options'],
      answer: keyOfCaseQuestion(question),
      explanation: question.explanation,
      why: byLetter(question, ({ why }) => why),
      slipNames: byLetter(question, ({ slip }) => slip && slips.get(slip)?.name),
    })),
  }
  return {
    served: caseSchema.parse(served),
    slips: content.questions.map((question) => byLetter(question, ({ slip }) => slip)),
  }
}

function byLetter(
  { options }: CaseContent['questions'][number],
  read: (option: CaseContent['questions'][number]['options'][number]) => string | undefined,
): Partial<Record<OptionLetter, string>> {
  return Object.fromEntries(
    options.flatMap((option, index) => {
      const value = read(option)
      return value === undefined ? [] : [[OPTION_LETTERS[index], value]]
    }),
  )
}
