import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { optionLetterSchema } from '../../platform/options.ts'
import { ofAssessment, organiserMay } from '../contract.ts'
import {
  COLUMN_ROLES,
  ENCODINGS,
  FILE_NOTICES,
  LAYOUT_LIMITS,
  LEFT_OUT,
  NOTICES,
  QUESTION_FILE_BYTES,
  READ_FORMATS,
} from '../questions/question-files.ts'
import { FORMS } from '../questions/two-forms.ts'
import { LONGEST } from '../questions/written-question.ts'

const keysOf = <K extends string>(record: Record<K, unknown>) => z.enum(Object.keys(record) as K[])

const column = z.optional(z.int().check(z.minimum(0), z.maximum(LAYOUT_LIMITS.column)))
const table = z.strictObject({
  rows: z.array(z.array(z.string())),
  skip: z.number(),
  columns: z.strictObject(
    Object.fromEntries(COLUMN_ROLES.map((role) => [role, column])) as Record<
      (typeof COLUMN_ROLES)[number],
      typeof column
    >,
  ),
})

/** 'question:0,a:1,b:2,c:3,d:4,correct:5' */
const COLUMNS = new RegExp(
  `^(${COLUMN_ROLES.join('|')}):1?\\d(,(${COLUMN_ROLES.join('|')}):1?\\d){0,${COLUMN_ROLES.length - 1}}$`,
)

export const reviewQuestionFile = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/questions/review',
  summary: 'What a file of questions holds, and what of it could be imported; stores nothing',
  access: organiserMay('write_questions'),
  params: ofAssessment,
  query: z.strictObject({
    format: z.optional(z.enum(READ_FORMATS)),
    encoding: z.optional(z.enum(ENCODINGS)),
    columns: z.optional(z.string().check(z.regex(COLUMNS))),
    /** rows above the first question */
    skip: z.optional(z.string().check(z.regex(/^(1?\d|20)$/))),
  }),
  fileBytes: QUESTION_FILE_BYTES,
  response: z.strictObject({
    format: z.nullable(z.enum(READ_FORMATS)),
    /** null for files that say it themselves */
    encoding: z.nullable(z.enum(ENCODINGS)),
    notices: z.array(keysOf(FILE_NOTICES)),
    /** of a table: how it begins */
    table: z.nullable(table),
    /** in the order of the file; null where somebody has to say first which column is what */
    questions: z.nullable(
      z.array(
        z.strictObject({
          /** 'line 12' */
          place: z.string(),
          question: z.string(),
          options: z.array(z.strictObject({ text: z.string(), isKey: z.boolean() })),
          explanation: z.string(),
          /** the file's category */
          category: z.string(),
          /** of the test's two forms, the one that asks it; null: both */
          form: z.nullable(z.enum(FORMS)),
          notices: z.array(keysOf(NOTICES)),
          /** null: it can be imported */
          reason: z.nullable(keysOf(LEFT_OUT)),
          /** an earlier question of the society, such as 'question 7', and how alike both are */
          resembles: z.nullable(z.strictObject({ name: z.string(), percent: z.number() })),
        }),
      ),
    ),
    /** of the questions that the assessment has now: shown again when they are to be replaced */
    standing: z.strictObject({ count: z.number(), fingerprint: z.string() }),
    /** that the society's questions have */
    topics: z.array(z.string()),
  }),
})

const text = (most: number) => z.string().check(z.maxLength(most))

/** A question as it is stored; what else is wrong with it is told in a sentence (flawOfTexts). */
export const writtenQuestion = z.strictObject({
  question: text(LONGEST.stem),
  options: z.strictObject({
    A: text(LONGEST.option),
    B: text(LONGEST.option),
    C: text(LONGEST.option),
    D: text(LONGEST.option),
  }),
  answer: optionLetterSchema,
  explanation: text(LONGEST.explanation),
  topic: text(LONGEST.topic),
  /** left out: both forms ask it */
  form: z.optional(z.nullable(z.enum(FORMS))),
})

export const importReviewed = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/questions/import',
  summary: 'Add reviewed questions to an assessment that nobody has started, or replace its own',
  access: organiserMay('write_questions'),
  params: ofAssessment,
  body: z.strictObject({
    /** made by the page: the same one again adds nothing */
    id: z.uuid(),
    mode: z.enum(['append', 'replace']),
    /** of the questions that are to be replaced */
    fingerprint: text(64),
    questions: z.array(writtenQuestion).check(z.minLength(1), z.maxLength(500)),
  }),
  bodyBytes: 2_000_000,
  response: z.strictObject({
    added: z.number(),
    /** asked by somebody in the meantime, and left out */
    askedAlready: z.number(),
    itemCount: z.number(),
  }),
})

export const undoImport = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/questions/import/undo',
  summary: 'Take exactly the questions of one’s own import of a moment ago out again',
  access: organiserMay('write_questions'),
  params: ofAssessment,
  body: z.strictObject({ id: z.uuid() }),
  response: z.strictObject({ removed: z.number(), itemCount: z.number() }),
})
