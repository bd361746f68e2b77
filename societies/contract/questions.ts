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

/** How long after its last call somebody still counts as being there. */
export const PRESENCE_MS = 30_000
/** Questions of one call. */
export const TAKEN_AT_ONCE = 100

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
  changedByName: z.nullable(z.string()),
  changedByYou: z.boolean(),
  changedAt: z.nullable(z.iso.datetime()),
  lastTime: z.nullable(lastTime),
  /** the blind check: how many of those who answered it chose the key (product 7.9.42) */
  check: z.strictObject({ agree: z.int(), of: z.int(), isDisputed: z.boolean() }),
  /** other tests of the society that ask it */
  sharedWith: z.array(z.string()),
  /** of the two forms of the test, the one that asks it; null: both do (product 7.19.1) */
  form,
})

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
  summary: 'Save a question as its next version; 409 stale with what was saved meanwhile',
  access: handingOutKeys(organiserMay('write_questions')),
  params: ofQuestion,
  body: z.strictObject({ content, version: z.int().check(z.minimum(1)) }),
  response: written,
})

/** What a 409 stale has besides code and message. */
export const staleQuestion = z.object({
  version: z.int(),
  content,
  changedByName: z.nullable(z.string()),
  changedByYou: z.boolean(),
  changedAt: z.nullable(z.iso.datetime()),
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

// Needs keys that are open, and keeps them so: whoever looks at a question has not gone away.
export const beAtQuestion = endpoint({
  method: 'POST',
  path: `${questions}/here`,
  summary: 'Say at which question one is, and hear who else is where',
  access: handingOutKeys(organiserMay('write_questions')),
  params: ofAssessment,
  body: z.strictObject({ question: z.nullable(z.uuid()) }),
  response: z.strictObject({
    others: z.array(z.strictObject({ name: z.string(), questionId: z.nullable(z.uuid()) })),
    /** changes with anything in the list */
    stateVersion: z.string(),
  }),
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
