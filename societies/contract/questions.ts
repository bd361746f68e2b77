import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { exhibitSchema, PICTURE_LIMITS, shownText } from '../../platform/exhibit.ts'
import { optionLetterSchema } from '../../platform/options.ts'
import { handingOutKeys, ofAssessment, organiserMay } from '../contract.ts'
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
export type ListedQuestion = z.infer<typeof item>

const ofQuestion = z.strictObject({ ...ofAssessment.shape, question: z.uuid() })
const questions = '/api/societies/:society/assessments/:code/questions'

export const listQuestions = endpoint({
  method: 'GET',
  path: questions,
  summary: 'The questions of an assessment with their keys, and how each did before',
  access: handingOutKeys(organiserMay('read_keys', ['after_close'])),
  params: ofAssessment,
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

export const addQuestion = endpoint({
  method: 'POST',
  path: questions,
  summary: 'Add a question, behind another one or at the end',
  access: organiserMay('write_questions'),
  params: ofAssessment,
  body: z.strictObject({ content, after: z.nullable(z.uuid()) }),
  response: written,
})

export const saveQuestion = endpoint({
  method: 'PUT',
  path: `${questions}/:question/content`,
  summary: 'Save a question as its next version; 409 stale with who changed it and when',
  access: handingOutKeys(organiserMay('write_questions')),
  params: ofQuestion,
  body: z.strictObject({ content, version: z.int().check(z.minimum(1)) }),
  response: written,
})

const listed = z.strictObject({ listVersion: z.string() })

export const removeQuestion = endpoint({
  method: 'POST',
  path: `${questions}/:question/remove`,
  summary: 'Take a question out; its versions stay',
  access: handingOutKeys(organiserMay('write_questions')),
  params: ofQuestion,
  body: z.strictObject({ version: z.int().check(z.minimum(1)) }),
  response: listed,
})

export const restoreQuestion = endpoint({
  method: 'POST',
  path: `${questions}/:question/restore`,
  summary: 'Put a removed question back as it was',
  access: organiserMay('write_questions'),
  params: ofQuestion,
  body: z.strictObject({
    /** from 1; behind the last one where there are fewer */
    position: z.int().check(z.minimum(1), z.maximum(1_000)),
    /** that it had; left out: both */
    form: z.optional(form),
  }),
  response: listed,
})

export const orderQuestions = endpoint({
  method: 'POST',
  path: `${questions}/order`,
  summary: 'Put all questions into another order, at once',
  access: organiserMay('write_questions'),
  params: ofAssessment,
  body: z.strictObject({
    order: z.array(z.uuid()).check(z.maxLength(1_000)),
    listVersion: z.string().check(z.maxLength(100)),
  }),
  response: listed,
})

export const assignForm = endpoint({
  method: 'POST',
  path: `${questions}/forms`,
  summary: 'Say which form of the test asks some questions, or that both do',
  access: organiserMay('write_questions'),
  params: ofAssessment,
  body: z.strictObject({
    questions: z
      .array(z.strictObject({ questionId: z.uuid(), was: form }))
      .check(z.minLength(1), z.maxLength(1_000)),
    form,
  }),
  response: listed,
})

export const listQuestionVersions = endpoint({
  method: 'GET',
  path: `${questions}/:question/versions`,
  summary: 'All versions of a question, the newest first',
  access: handingOutKeys(organiserMay('read_keys', ['after_close'])),
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

export const checkKey = endpoint({
  method: 'PUT',
  path: `${questions}/:question/check`,
  summary: 'Keep what a member chose without seeing the key; another option disputes it',
  access: organiserMay('read_keys'),
  params: ofQuestion,
  body: z.strictObject({
    version: z.int().check(z.minimum(1)),
    /** null takes the answer back */
    choice: z.nullable(optionLetterSchema),
    comment: z.string().check(z.trim(), z.maxLength(COMMENT_CHARACTERS)),
  }),
  response: z.strictObject({ done: z.literal(true) }),
})

export const addPicture = endpoint({
  method: 'POST',
  path: `${questions}/pictures`,
  summary: 'Keep a picture for an exhibit: its bytes as the body, PNG, JPEG or WebP',
  access: organiserMay('write_questions'),
  params: ofAssessment,
  fileBytes: PICTURE_LIMITS.bytes,
  response: z.strictObject({ picture: z.uuid(), width: z.int(), height: z.int() }),
})

export const getPicture = endpoint({
  method: 'GET',
  path: `${questions}/pictures/:picture`,
  summary: 'The bytes of a picture of the society',
  access: organiserMay('read_keys', ['after_close']),
  params: z.strictObject({ ...ofAssessment.shape, picture: z.uuid() }),
  response: z.unknown(),
})

export const listBank = endpoint({
  method: 'GET',
  path: `${questions}/bank`,
  summary: "The society's questions of its other tests, each in its latest version",
  access: organiserMay('write_questions'),
  params: ofAssessment,
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
})

export const takeFromBank = endpoint({
  method: 'POST',
  path: `${questions}/take`,
  summary:
    "Add copies of the society's questions, in this order; what is there already is left out",
  access: organiserMay('write_questions'),
  params: ofAssessment,
  body: z.strictObject({
    questions: z.array(z.uuid()).check(z.minLength(1), z.maxLength(TAKEN_AT_ONCE)),
  }),
  response: z.strictObject({ added: z.int() }),
})
