import * as z from 'zod/mini'
import { optionLetterSchema } from '../../platform/options.ts'
import { fresh, inTest, organizerMay } from '../kit/contract.ts'
import * as files from './question-files.ts'
import { FORMS } from './two-forms.ts'
import { CONTENT_LIMITS } from './written-question.ts'

const WRITE = organizerMay('write_questions')
const TAKE = fresh(organizerMay('read_keys'))

const keysOf = <K extends string>(record: Record<K, unknown>) => z.enum(Object.keys(record) as K[])

/** What a file holds, and what of it can be imported; stores nothing. */
export const reviewQuestionFile = inTest('POST /questions/review', WRITE, 'Read a question file', {
  fileBytes: files.QUESTION_FILE_BYTES,
  query: z.strictObject({
    /** roles of a table's columns in the order of the answer, with dots between them */
    columns: z.optional(z.string().check(z.maxLength(2_000))),
    keys: z.optional(keysOf(files.KEY_FORMS)),
  }),
  response: z.strictObject({
    format: keysOf(files.FORMAT_NAMES),
    notices: z.array(keysOf(files.FILE_NOTICES)),
    /** sheets that were not read */
    unread: z.array(z.string()),
    /** how its columns were read; null: the file is no table */
    table: z.nullable(
      z.strictObject({
        columns: z.array(z.strictObject({ name: z.string(), role: keysOf(files.COLUMN_ROLES) })),
        /** null: each cell by itself, as no form or more than one fits them all */
        keys: z.nullable(keysOf(files.KEY_FORMS)),
      }),
    ),
    /** in the order of the file */
    questions: z.array(
      z.strictObject({
        /** 'line 12' */
        place: z.string(),
        question: z.string(),
        options: z.array(z.strictObject({ text: z.string(), isKey: z.boolean() })),
        explanation: z.string(),
        /** the file's category, which becomes the topic */
        category: z.string(),
        /** of the test's two forms, the one that asks it; null: both */
        form: z.nullable(z.enum(FORMS)),
        notices: z.array(keysOf(files.NOTICES)),
        /** null: it can be imported */
        reason: z.nullable(keysOf(files.LEFT_OUT)),
      }),
    ),
    /** of the questions that the assessment has now: sent back when they are to be replaced */
    standing: z.strictObject({ count: z.number(), fingerprint: z.string() }),
  }),
})

const tidied = z.overwrite((text: string) => text.replace(/\r\n?/g, '\n').trim())
const text = (most: number) => z.string().check(tidied, z.maxLength(most))
const option = text(CONTENT_LIMITS.option)

/** A question as it is stored; what else is wrong with it is told in a sentence (flawOfTexts). */
const writtenQuestion = z.strictObject({
  question: text(CONTENT_LIMITS.question),
  options: z.strictObject({ A: option, B: option, C: option, D: option }),
  answer: optionLetterSchema,
  explanation: text(CONTENT_LIMITS.explanation),
  topic: text(CONTENT_LIMITS.topic),
  /** left out: both forms ask it */
  form: z.optional(z.nullable(z.enum(FORMS))),
})

/** Adds them to a test that no candidate has started, or replaces its own. */
export const importReviewed = inTest('POST /questions/import', WRITE, 'Import reviewed questions', {
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
    /** added by another member in the meantime, and left out */
    askedAlready: z.number(),
    itemCount: z.number(),
  }),
})

/** Takes exactly the questions of your own import of a moment ago out again. */
export const undoImport = inTest('POST /questions/import/undo', WRITE, 'Undo an import', {
  body: z.strictObject({ id: z.uuid() }),
  response: z.strictObject({ removed: z.number(), itemCount: z.number() }),
})

/** CSV unless another format is asked for. */
export const exportAssessment = inTest('GET /questions/export', TAKE, 'Export the questions', {
  query: z.strictObject({ format: z.optional(z.enum(files.WRITTEN_FORMATS)) }),
  response: z.strictObject({ fileName: z.string(), content: z.string(), count: z.number() }),
})
