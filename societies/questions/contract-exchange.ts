import * as z from 'zod/mini'
import { optionLetterSchema } from '../../platform/options.ts'
import { fresh, inTest, organizerMay } from '../kit/contract.ts'
import * as files from './question-files.ts'
import { FORMS } from './two-forms.ts'
import { CONTENT_LIMITS } from './written-question.ts'

const WRITE = organizerMay('write_questions')
const TAKE = fresh(organizerMay('read_keys'))

const keysOf = <K extends string>(record: Record<K, unknown>) => z.enum(Object.keys(record) as K[])

/** Lists the questions in a file and says which can be imported; stores nothing. */
export const reviewQuestionFile = inTest('POST /questions/review', WRITE, 'Read a question file', {
  fileBytes: files.QUESTION_FILE_BYTES,
  query: z.strictObject({
    /** column roles in the order of the response, separated by dots */
    columns: z.optional(z.string().check(z.maxLength(2_000))),
    keys: z.optional(keysOf(files.KEY_FORMS)),
  }),
  response: z.strictObject({
    format: keysOf(files.FORMAT_NAMES),
    notices: z.array(keysOf(files.FILE_NOTICES)),
    unread: z.array(z.string()),
    /** how the columns were read; null: the file is no table */
    table: z.nullable(
      z.strictObject({
        columns: z.array(z.strictObject({ name: z.string(), role: keysOf(files.COLUMN_ROLES) })),
        /** null: each cell was read separately, because no format or more than one fits all cells */
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
        /** the form that has the question; null: both */
        form: z.nullable(z.enum(FORMS)),
        notices: z.array(keysOf(files.NOTICES)),
        /** null: the question can be imported */
        reason: z.nullable(keysOf(files.LEFT_OUT)),
      }),
    ),
    /** the test's current questions; the client sends the fingerprint back to replace them */
    standing: z.strictObject({ count: z.number(), fingerprint: z.string() }),
  }),
})

const tidied = z.overwrite((text: string) => text.replace(/\r\n?/g, '\n').trim())
const text = (most: number) => z.string().check(tidied, z.maxLength(most))
const option = text(CONTENT_LIMITS.option)

/** A question in its stored format. flawOfTexts describes other problems in a sentence. */
const writtenQuestion = z.strictObject({
  question: text(CONTENT_LIMITS.question),
  options: z.strictObject({ A: option, B: option, C: option, D: option }),
  answer: optionLetterSchema,
  explanation: text(CONTENT_LIMITS.explanation),
  topic: text(CONTENT_LIMITS.topic),
  /** left out: both forms have it */
  form: z.optional(z.nullable(z.enum(FORMS))),
})

/** Adds questions to a test that no candidate has started, or replaces the test's questions. */
export const importReviewed = inTest('POST /questions/import', WRITE, 'Import reviewed questions', {
  body: z.strictObject({
    /** made by the page; a repeated id adds nothing */
    id: z.uuid(),
    mode: z.enum(['append', 'replace']),
    /** of the questions to replace */
    fingerprint: text(64),
    questions: z.array(writtenQuestion).check(z.minLength(1), z.maxLength(500)),
  }),
  bodyBytes: 2_000_000,
  response: z.strictObject({
    added: z.number(),
    /** questions that another member added meanwhile, so they were skipped */
    askedAlready: z.number(),
    itemCount: z.number(),
  }),
})

/** Undoes your own recent import by removing exactly its questions. */
export const undoImport = inTest('POST /questions/import/undo', WRITE, 'Undo an import', {
  body: z.strictObject({ id: z.uuid() }),
  response: z.strictObject({ removed: z.number(), itemCount: z.number() }),
})

/** The default format is CSV. */
export const exportAssessment = inTest('GET /questions/export', TAKE, 'Export the questions', {
  query: z.strictObject({ format: z.optional(z.enum(files.WRITTEN_FORMATS)) }),
  response: z.strictObject({ fileName: z.string(), content: z.string(), count: z.number() }),
})
