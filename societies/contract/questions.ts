import * as z from 'zod/mini'
import { exhibitSchema, PICTURE_LIMITS, shownText } from '../../platform/exhibit.ts'
import { optionLetterSchema } from '../../platform/options.ts'
import { handingOutKeys, inTest, ofAssessment, organiserMay } from '../contract.ts'
import { TERM_CHARACTERS } from '../questions/computed-answer.ts'
import { CONTENT_LIMITS } from '../questions/question-content.ts'
import { FORMS } from '../questions/two-forms.ts'

// The questions of an assessment (product 7.9). A question is named by what is the same in all its versions and
// copies, so that an address still means it after a change.

/** Questions of one call. */
export const TAKEN_AT_ONCE = 100
/** Characters of a comment on a disputed key. */
export const COMMENT_CHARACTERS = 1_000

const option = shownText(CONTENT_LIMITS.option).check(z.trim())
const content = z.strictObject({
  question: shownText(CONTENT_LIMITS.question, true).check(z.trim()),
  options: z.strictObject({ A: option, B: option, C: option, D: option }),
  answer: optionLetterSchema,
  explanation: z.nullable(shownText(CONTENT_LIMITS.explanation, true).check(z.trim())),
  topic: z.nullable(shownText(CONTENT_LIMITS.topic).check(z.trim())),
  compute: z.nullable(shownText(TERM_CHARACTERS).check(z.trim())),
  exhibit: z.nullable(exhibitSchema),
})

/** How a question did the last time that the society used it. */
const lastTime = z.strictObject({
  code: z.string(),
  /** 'Spring 2026', or the name that candidates read */
  name: z.string(),
  right: z.int(),
  /** candidates who were asked */
  of: z.int(),
})

const form = z.nullable(z.enum(FORMS))

const item = z.strictObject({
  questionId: z.uuid(),
  version: z.int(),
  ...content.shape,
  lastTime: z.nullable(lastTime),
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

const ofQuestion = z.strictObject({ ...ofAssessment.shape, question: z.uuid() })

const WRITE = organiserMay('write_questions')
const READ_AFTERWARDS = organiserMay('read_keys', ['after_close'])

export const listQuestions = inTest(
  'GET /questions',
  handingOutKeys(READ_AFTERWARDS),
  'The questions of an assessment with their keys, and how each did before',
  {
    response: z.strictObject({
      /** changes with the order and with what is in it */
      listVersion: z.string(),
      /** why nothing can be changed any more; null while it can */
      lockedBy: z.nullable(z.enum(['started'])),
      isSample: z.boolean(),
      items: z.array(item),
    }),
  },
)

const written = z.strictObject({ questionId: z.uuid(), version: z.int() })

export const addQuestion = inTest(
  'POST /questions',
  WRITE,
  'Add a question, behind another one or at the end',
  {
    body: z.strictObject({ content, after: z.nullable(z.uuid()) }),
    response: written,
  },
)

export const saveQuestion = inTest(
  'PUT /questions/:question/content',
  handingOutKeys(WRITE),
  'Save a question as its next version; 409 stale with who changed it and when',
  {
    params: ofQuestion,
    body: z.strictObject({ content, version: z.int().check(z.minimum(1)) }),
    response: written,
  },
)

const listed = z.strictObject({ listVersion: z.string() })

export const removeQuestion = inTest(
  'POST /questions/:question/remove',
  handingOutKeys(WRITE),
  'Take a question out; its versions stay',
  {
    params: ofQuestion,
    body: z.strictObject({ version: z.int().check(z.minimum(1)) }),
    response: listed,
  },
)

export const restoreQuestion = inTest(
  'POST /questions/:question/restore',
  WRITE,
  'Put a removed question back as it was',
  {
    params: ofQuestion,
    body: z.strictObject({
      /** from 1; behind the last one where there are fewer */
      position: z.int().check(z.minimum(1), z.maximum(1_000)),
      /** that it had; left out: both */
      form: z.optional(form),
    }),
    response: listed,
  },
)

export const orderQuestions = inTest(
  'POST /questions/order',
  WRITE,
  'Put all questions into another order, at once',
  {
    body: z.strictObject({
      order: z.array(z.uuid()).check(z.maxLength(1_000)),
      listVersion: z.string().check(z.maxLength(100)),
    }),
    response: listed,
  },
)

export const assignForm = inTest(
  'POST /questions/forms',
  WRITE,
  'Say which form of the test asks some questions, or that both do',
  {
    body: z.strictObject({
      questions: z
        .array(z.strictObject({ questionId: z.uuid(), was: form }))
        .check(z.minLength(1), z.maxLength(1_000)),
      form,
    }),
    response: listed,
  },
)

export const listQuestionVersions = inTest(
  'GET /questions/:question/versions',
  handingOutKeys(READ_AFTERWARDS),
  'All versions of a question, the newest first',
  {
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
  },
)

export const checkKey = inTest(
  'PUT /questions/:question/check',
  organiserMay('read_keys'),
  'Keep what a member chose without seeing the key; another option disputes it',
  {
    params: ofQuestion,
    body: z.strictObject({
      version: z.int().check(z.minimum(1)),
      /** null takes the answer back */
      choice: z.nullable(optionLetterSchema),
      comment: z.string().check(z.trim(), z.maxLength(COMMENT_CHARACTERS)),
    }),
    response: z.strictObject({ done: z.literal(true) }),
  },
)

export const addPicture = inTest(
  'POST /questions/pictures',
  WRITE,
  'Keep a picture for an exhibit: its bytes as the body, PNG, JPEG or WebP',
  {
    fileBytes: PICTURE_LIMITS.bytes,
    response: z.strictObject({ picture: z.uuid(), width: z.int(), height: z.int() }),
  },
)

export const getPicture = inTest(
  'GET /questions/pictures/:picture',
  READ_AFTERWARDS,
  'The bytes of a picture of the society',
  {
    params: z.strictObject({ ...ofAssessment.shape, picture: z.uuid() }),
    response: z.unknown(),
  },
)

export const listBank = inTest(
  'GET /questions/bank',
  WRITE,
  "The society's questions of its other tests, each in its latest version",
  {
    response: z.array(
      z.strictObject({
        questionId: z.uuid(),
        question: z.string(),
        topic: z.nullable(z.string()),
        /** the test it stands in */
        code: z.string(),
        name: z.string(),
        lastTime: z.nullable(lastTime),
      }),
    ),
  },
)

export const takeFromBank = inTest(
  'POST /questions/take',
  WRITE,
  "Add copies of the society's questions, in this order; what is there already is left out",
  {
    body: z.strictObject({
      questions: z.array(z.uuid()).check(z.minLength(1), z.maxLength(TAKEN_AT_ONCE)),
    }),
    response: z.strictObject({ added: z.int() }),
  },
)
