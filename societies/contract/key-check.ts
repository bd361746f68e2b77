import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { optionLetterSchema } from '../../platform/options.ts'
import { handingOutKeys, ofAssessment, organiserMay } from '../contract.ts'

/** Characters of a comment on a question. */
export const COMMENT_CHARACTERS = 1_000
/** Characters of the reason why a disputed key stands. */
export const REASON_CHARACTERS = 500

const options = z.strictObject({
  A: z.string(),
  B: z.string(),
  C: z.string(),
  D: z.string(),
})

/** A question as who checks it sees it: never its key. */
const asked = z.strictObject({
  itemId: z.number(),
  version: z.number(),
  /** in the assessment, from 1 */
  position: z.number(),
  question: z.string(),
  options,
  choice: z.nullable(optionLetterSchema),
  comment: z.string(),
})

export const getKeyCheck = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/key-check',
  summary: 'Who has sat the blind key check, and one’s own sitting while it goes on; no keys',
  access: organiserMay('check_keys'),
  params: ofAssessment,
  response: z.strictObject({
    questionCount: z.number(),
    /** questions that the member has not checked as they stand now */
    leftForYou: z.number(),
    sitters: z.array(
      z.strictObject({
        name: z.string(),
        isYou: z.boolean(),
        /** of the newest sitting; null while it goes on */
        finishedAt: z.nullable(z.iso.datetime()),
        /** questions, as they stand now, in finished sittings */
        checked: z.number(),
      }),
    ),
    sitting: z.nullable(
      z.strictObject({ id: z.uuid(), startedAt: z.iso.datetime(), questions: z.array(asked) }),
    ),
  }),
})

export const startKeyCheck = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/key-check',
  summary: 'Begin a sitting, or go on with the one that is open',
  access: organiserMay('check_keys'),
  params: ofAssessment,
  response: z.strictObject({ id: z.uuid() }),
})

const ofSitting = z.strictObject({ ...ofAssessment._zod.def.shape, sitting: z.uuid() })

export const answerKeyCheck = endpoint({
  method: 'PUT',
  path: '/api/societies/:society/assessments/:code/key-check/:sitting/answers',
  summary: 'Keep what was chosen of one question, and a comment',
  access: organiserMay('check_keys'),
  params: ofSitting,
  body: z.strictObject({
    itemId: z.int().check(z.minimum(1), z.maximum(2_147_483_647)),
    version: z.int().check(z.minimum(1), z.maximum(2_147_483_647)),
    choice: z.nullable(optionLetterSchema),
    comment: z.string().check(z.maxLength(COMMENT_CHARACTERS)),
  }),
  response: z.strictObject({ done: z.literal(true) }),
})

export const finishKeyCheck = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/key-check/:sitting/finish',
  summary: 'Finish a sitting: from now on its answers count',
  access: organiserMay('check_keys'),
  params: ofSitting,
  response: z.strictObject({ checked: z.number() }),
})

export const compareKeys = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/key-check/comparison',
  summary: 'What was chosen against the keys; not during a sitting of one’s own',
  access: handingOutKeys(organiserMay('read_keys')),
  params: ofAssessment,
  response: z.strictObject({
    questions: z.array(
      z.strictObject({
        itemId: z.number(),
        questionId: z.uuid(),
        position: z.number(),
        question: z.string(),
        options,
        key: optionLetterSchema,
        version: z.number(),
        state: z.enum(['confirmed', 'disputed', 'upheld', 'unchecked']),
        agree: z.number(),
        of: z.number(),
        isByWriterAlone: z.boolean(),
        /** of the question as it stands now */
        choices: z.array(
          z.strictObject({
            name: z.string(),
            choice: z.nullable(optionLetterSchema),
            comment: z.string(),
            /** by the ruling */
            isOverruled: z.boolean(),
          }),
        ),
        /** that the key stands all the same */
        ruling: z.nullable(
          z.strictObject({
            id: z.uuid(),
            by: z.string(),
            at: z.iso.datetime(),
            reason: z.string(),
          }),
        ),
        /** people who checked it before it was changed */
        outdated: z.number(),
      }),
    ),
  }),
})

export const overruleKey = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/key-check/upheld',
  summary: 'Say that a disputed key stands, and why',
  access: organiserMay('overrule_key_check'),
  params: ofAssessment,
  body: z.strictObject({
    /** made when the dialog opens */
    id: z.uuid(),
    itemId: z.int().check(z.minimum(1), z.maximum(2_147_483_647)),
    version: z.int().check(z.minimum(1), z.maximum(2_147_483_647)),
    /** how many answers were seen */
    of: z.int().check(z.minimum(1), z.maximum(10_000)),
    reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(REASON_CHARACTERS)),
  }),
  response: z.strictObject({ done: z.literal(true) }),
})

export const withdrawOverruledKey = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/key-check/upheld/:upheld/withdraw',
  summary: 'Take back that a disputed key stands',
  access: organiserMay('overrule_key_check'),
  params: z.strictObject({ ...ofAssessment._zod.def.shape, upheld: z.uuid() }),
  response: z.strictObject({ done: z.literal(true) }),
})
