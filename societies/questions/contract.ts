import * as z from 'zod/mini'
import { PICTURE_LIMITS } from '../../platform/exhibit.ts'
import { optionLetterSchema } from '../../platform/options.ts'
import { handingOutKeys, inTest, ofAssessment, organizerMay } from '../kit/contract.ts'
import { contentSchema as content } from './question-content.ts'
import { FORMS } from './two-forms.ts'

// The questions of an assessment (product 7.9). A question is named by what is the same in all its versions and
// copies, so that an address still means it after a change.

export const TAKEN_AT_ONCE = 100
export const COMMENT_CHARACTERS = 1_000

const lastTime = z.strictObject({
  code: z.string(),
  /** 'Spring 2026', or the name that candidates read */
  name: z.string(),
  right: z.int(),
  /** candidates who were asked */
  of: z.int(),
})

/** A ruling that replaced the key, here or in another test that asks the question (product 7.9.49). */
const correction = z.nullable(
  z.strictObject({
    from: optionLetterSchema,
    to: optionLetterSchema,
    at: z.iso.datetime(),
    /** made in another test, and this one has the old key */
    isOpen: z.boolean(),
  }),
)
export type KeyCorrection = NonNullable<z.infer<typeof correction>>

const form = z.nullable(z.enum(FORMS))

const item = z.strictObject({
  questionId: z.uuid(),
  version: z.int(),
  ...content.shape,
  lastTime: z.nullable(lastTime),
  correction,
  /** what members chose without seeing the key, in this version; another option disputes it (product 7.9.40) */
  checks: z.array(
    z.strictObject({
      name: z.string(),
      isYou: z.boolean(),
      choice: optionLetterSchema,
      comment: z.string(),
    }),
  ),
  /** other tests of the society that ask it */
  sharedWith: z.array(z.string()),
  /** of the two forms of the test, the one that asks it; null: both do (product 7.19.1) */
  form,
})
export type ListedQuestion = z.infer<typeof item>

const ofQuestion = z.strictObject({ ...ofAssessment.shape, question: z.uuid() })

const WRITE = organizerMay('write_questions')
/** With the keys in sight. */
const EDIT = handingOutKeys(WRITE)
const SEE = organizerMay('read_keys', ['after_close'])
const READ = handingOutKeys(SEE)
/** Whether an answer is disputed tells the key. */
const CHECK = handingOutKeys(organizerMay('read_keys'))

export const listQuestions = inTest('GET /questions', READ, 'List the questions and keys', {
  response: z.strictObject({
    /** changes with the order and with what is in it */
    listVersion: z.string(),
    /** why nothing can be changed any more; null while it can */
    lockedBy: z.nullable(z.enum(['started'])),
    isSample: z.boolean(),
    items: z.array(item),
  }),
})

const written = z.strictObject({ questionId: z.uuid(), version: z.int() })

/** Behind another one, or at the end. */
export const addQuestion = inTest('POST /questions', WRITE, 'Add a question', {
  body: z.strictObject({ content, after: z.nullable(z.uuid()) }),
  response: written,
})

/** 409 stale where another version stands. */
export const saveQuestion = inTest('PUT /questions/:question/content', EDIT, 'Save a new version', {
  params: ofQuestion,
  body: z.strictObject({ content, version: z.int().check(z.minimum(1)) }),
  response: written,
})

const listed = z.strictObject({ listVersion: z.string() })

/** Its versions stay. */
export const removeQuestion = inTest('POST /questions/:question/remove', EDIT, 'Remove question', {
  params: ofQuestion,
  body: z.strictObject({ version: z.int().check(z.minimum(1)) }),
  response: listed,
})

export const restoreQuestion = inTest('POST /questions/:question/restore', WRITE, 'Put it back', {
  params: ofQuestion,
  body: z.strictObject({
    /** from 1; behind the last one where there are fewer */
    position: z.int().check(z.minimum(1), z.maximum(1_000)),
    /** that it had; left out: both */
    form: z.optional(form),
  }),
  response: listed,
})

export const orderQuestions = inTest('POST /questions/order', WRITE, 'Reorder all questions', {
  body: z.strictObject({
    order: z.array(z.uuid()).check(z.maxLength(1_000)),
    listVersion: z.string().check(z.maxLength(100)),
  }),
  response: listed,
})

/** Says which form asks some questions; null: both. */
export const assignForm = inTest('POST /questions/forms', WRITE, 'Set the form of questions', {
  body: z.strictObject({
    questions: z
      .array(z.strictObject({ questionId: z.uuid(), was: form }))
      .check(z.minLength(1), z.maxLength(1_000)),
    form,
  }),
  response: listed,
})

export const listQuestionVersions = inTest('GET /questions/:question/versions', READ, 'Versions', {
  params: ofQuestion,
  response: z.array(
    z.strictObject({
      version: z.int(),
      content,
      changedByName: z.nullable(z.string()),
      changedByYou: z.boolean(),
      changedAt: z.nullable(z.iso.datetime()),
    }),
  ),
})

/** Keeps what a member chose without seeing the key; another option disputes it (product 7.9.40). */
export const checkKey = inTest('PUT /questions/:question/check', CHECK, 'Answer without the key', {
  params: ofQuestion,
  body: z.strictObject({
    version: z.int().check(z.minimum(1)),
    /** null takes the answer back */
    choice: z.nullable(optionLetterSchema),
    comment: z.string().check(z.trim(), z.maxLength(COMMENT_CHARACTERS)),
  }),
  response: z.strictObject({ done: z.literal(true) }),
})

export const addPicture = inTest('POST /questions/pictures', WRITE, 'Upload a PNG, JPEG or WebP', {
  fileBytes: PICTURE_LIMITS.bytes,
  response: z.strictObject({ picture: z.uuid(), width: z.int(), height: z.int() }),
})

export const getPicture = inTest('GET /questions/pictures/:picture', SEE, 'Read an image', {
  params: z.strictObject({ ...ofAssessment.shape, picture: z.uuid() }),
  response: z.unknown(),
})

/** The society's questions of its other tests, each in its latest version. */
export const listBank = inTest('GET /questions/bank', WRITE, 'List questions of other tests', {
  response: z.array(
    z.strictObject({
      questionId: z.uuid(),
      question: z.string(),
      topic: z.nullable(z.string()),
      /** the test it stands in */
      code: z.string(),
      name: z.string(),
      lastTime: z.nullable(lastTime),
      /** when a ruling replaced its key; the letters are for who may read keys */
      correctedAt: z.nullable(z.iso.datetime()),
    }),
  ),
})

/** Adds copies, in this order; what is there already is left out. */
export const takeFromBank = inTest('POST /questions/take', WRITE, 'Copy questions of other tests', {
  body: z.strictObject({
    questions: z.array(z.uuid()).check(z.minLength(1), z.maxLength(TAKEN_AT_ONCE)),
  }),
  response: z.strictObject({ added: z.int() }),
})
