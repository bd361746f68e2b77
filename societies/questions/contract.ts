import * as z from 'zod/mini'
import { PICTURE_LIMITS } from '../../platform/exhibit.ts'
import { optionLetterSchema } from '../../platform/options.ts'
import { handingOutKeys, inTest, ofAssessment, organizerMay } from '../kit/contract.ts'
import { contentSchema as content } from './question-content.ts'
import { FORMS } from './two-forms.ts'

// The questions of an assessment (product 7.9). A question's id is the same in all its versions and copies, so links
// still work after a change.

export const TAKEN_AT_ONCE = 100
export const COMMENT_CHARACTERS = 1_000

const lastTime = z.strictObject({
  code: z.string(),
  /** 'Spring 2026', or the name that candidates see */
  name: z.string(),
  right: z.int(),
  /** candidates who got the question */
  of: z.int(),
})

/** A ruling that replaced the key, here or in another test with the same question (product 7.9.49). */
const correction = z.nullable(
  z.strictObject({
    from: optionLetterSchema,
    to: optionLetterSchema,
    at: z.iso.datetime(),
    /** made in another test, and this test still has the old key */
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
  /** members' answers to this version with the key hidden; a different option disputes the key (product 7.9.40) */
  checks: z.array(
    z.strictObject({
      name: z.string(),
      isYou: z.boolean(),
      choice: optionLetterSchema,
      comment: z.string(),
    }),
  ),
  /** the society's other tests with this question */
  sharedWith: z.array(z.string()),
  /** the form that has the question; null: both (product 7.19.1) */
  form,
})
export type ListedQuestion = z.infer<typeof item>

const ofQuestion = z.strictObject({ ...ofAssessment.shape, question: z.uuid() })

const WRITE = organizerMay('write_questions')
/** These actions show the keys. */
const EDIT = handingOutKeys(WRITE)
const SEE = organizerMay('read_keys', ['after_close'])
const READ = handingOutKeys(SEE)
/** Knowing whether an answer is disputed reveals the key. */
const CHECK = handingOutKeys(organizerMay('read_keys'))

export const listQuestions = inTest('GET /questions', READ, 'List the questions and keys', {
  response: z.strictObject({
    /** changes with the order and the content */
    listVersion: z.string(),
    /** why questions can't be changed anymore; null while they can */
    lockedBy: z.nullable(z.enum(['started'])),
    isSample: z.boolean(),
    items: z.array(item),
  }),
})

const written = z.strictObject({ questionId: z.uuid(), version: z.int() })

/** Adds a question after another one, or at the end. */
export const addQuestion = inTest('POST /questions', WRITE, 'Add a question', {
  body: z.strictObject({ content, after: z.nullable(z.uuid()) }),
  response: written,
})

/** Saves a question. Errors: 409 stale if there is a newer version. */
export const saveQuestion = inTest('PUT /questions/:question/content', EDIT, 'Save a new version', {
  params: ofQuestion,
  body: z.strictObject({ content, version: z.int().check(z.minimum(1)) }),
  response: written,
})

const listed = z.strictObject({ listVersion: z.string() })

/** Removes a question but keeps its versions. */
export const removeQuestion = inTest('POST /questions/:question/remove', EDIT, 'Remove question', {
  params: ofQuestion,
  body: z.strictObject({ version: z.int().check(z.minimum(1)) }),
  response: listed,
})

export const restoreQuestion = inTest('POST /questions/:question/restore', WRITE, 'Put it back', {
  params: ofQuestion,
  body: z.strictObject({
    /** from 1; the question goes to the end if there are fewer */
    position: z.int().check(z.minimum(1), z.maximum(1_000)),
    /** the question's form before; left out: both */
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

/** Assigns questions to a form; null: both. */
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

/** Stores a member's answer given with the key hidden; a different option disputes the key (product 7.9.40). */
export const checkKey = inTest('PUT /questions/:question/check', CHECK, 'Answer without the key', {
  params: ofQuestion,
  body: z.strictObject({
    version: z.int().check(z.minimum(1)),
    /** null withdraws the answer */
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

/** Lists the questions in the society's other tests, each in its latest version. */
export const listBank = inTest('GET /questions/bank', WRITE, 'List questions of other tests', {
  response: z.array(
    z.strictObject({
      questionId: z.uuid(),
      question: z.string(),
      topic: z.nullable(z.string()),
      /** the test that has the question */
      code: z.string(),
      name: z.string(),
      lastTime: z.nullable(lastTime),
      /** when a ruling replaced its key; only members who can read keys see the letters */
      correctedAt: z.nullable(z.iso.datetime()),
    }),
  ),
})

/** Adds copies in this order and skips existing questions. */
export const takeFromBank = inTest('POST /questions/take', WRITE, 'Copy questions of other tests', {
  body: z.strictObject({
    questions: z.array(z.uuid()).check(z.minLength(1), z.maxLength(TAKEN_AT_ONCE)),
  }),
  response: z.strictObject({ added: z.int() }),
})
