import * as z from 'zod/mini'
import { endpoint } from '../../platform/endpoint.ts'
import { PARAGRAPHS } from '../../platform/paragraphs.ts'
import {
  CANDIDATE_LENGTHS,
  MOST_LINES,
  PARAGRAPH_LENGTH,
  TEXT_LENGTH,
} from '../candidate-limits.ts'
import { fresh, ofAssessment, organiserMay, requestId } from '../contract.ts'
import { MAX_MINUTES } from '../minutes.ts'

/*
 * The list of candidates and how their credentials reach them (product 7.10). An invigilator sees it, and may
 * give one candidate at a time a new password.
 */

const MANAGE = organiserMay('manage_candidates')
const SEE = organiserMay('manage_candidates', ['reset_password'])

/** Bytes of calls that carry a whole list. */
const LIST_BYTES = 1_500_000
/** Bytes of a spreadsheet. */
export const SHEET_BYTES = 1_000_000

const seconds = z.int().check(z.minimum(0), z.maximum(MAX_MINUTES * 60))
const text = (length: number) => z.string().check(z.maxLength(length))
const ids = z.array(z.uuid()).check(z.minLength(1), z.maxLength(MOST_LINES))
/** What stands in a list: one line, and nothing that nobody sees. */
const cell = (length: number) =>
  z
    .string()
    .check(
      z.maxLength(length),
      z.regex(
        /^[^\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]*$/u,
        'invisible characters',
      ),
    )

export const MAIL_STATES = ['queued', 'sent', 'failed', 'stopped', 'unsure'] as const

const mail = z.strictObject({
  state: z.enum(MAIL_STATES),
  address: z.string(),
  /** of the state */
  at: z.iso.datetime(),
  /** what the mail server said, or why it was stopped */
  error: z.nullable(z.string()),
})

const candidate = z.strictObject({
  id: z.uuid(),
  username: z.string(),
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  room: z.nullable(z.string()),
  note: z.nullable(z.string()),
  /** planned, in all; what is given on the day stands apart */
  extraSeconds: z.number(),
  exemptKinds: z.array(z.string()),
  version: z.number(),
  changedBy: z.nullable(z.string()),
  /** null: nobody has a password that opens anything */
  passwordMadeAt: z.nullable(z.iso.datetime()),
  isRevoked: z.boolean(),
  attempt: z.enum(['none', 'inside', 'done']),
  /** has entered the credentials and not started */
  isWaiting: z.boolean(),
  /** the newest */
  mail: z.nullable(mail),
  /** the newest mail has left, or the slip with the password was printed, and tells another time than holds now */
  isToldOtherwise: z.boolean(),
  /** when the computer was tried last; null: not yet */
  triedAt: z.nullable(z.iso.datetime()),
  /** what was found then: codes of assessments/rehearsal.ts */
  findings: z.array(z.string()),
})
export type CandidateFacts = z.infer<typeof candidate>

export const listCandidates = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/candidates',
  summary: 'The list of candidates, by name; those shut out too',
  access: SEE,
  params: ofAssessment,
  response: z.strictObject({
    candidates: z.array(candidate),
    /** for listMails */
    asOf: z.iso.datetime(),
  }),
})

export const getCandidate = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/candidates/by-id/:candidate',
  summary: "One candidate's time and the history of the password",
  access: SEE,
  params: z.extend(ofAssessment, { candidate: z.uuid() }),
  response: z.strictObject({
    /** given on the day, beside what was planned */
    givenSeconds: z.number(),
    mails: z.array(z.extend(mail, { madeBy: z.string(), createdAt: z.iso.datetime() })),
  }),
})

export const listMails = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/candidate-mails',
  summary: 'Mails whose state has changed since a moment, and how many wait',
  access: SEE,
  params: ofAssessment,
  query: z.strictObject({ since: z.iso.datetime() }),
  response: z.strictObject({
    changed: z.array(
      z.extend(mail, { candidate: z.uuid(), passwordMadeAt: z.nullable(z.iso.datetime()) }),
    ),
    waiting: z.number(),
    asOf: z.iso.datetime(),
  }),
})

const writtenLine = z.strictObject({
  line: z.int().check(z.minimum(1), z.maximum(1_000_000)),
  name: text(CANDIDATE_LENGTHS.name),
  email: text(CANDIDATE_LENGTHS.email),
  room: text(CANDIDATE_LENGTHS.room),
  extra: text(CANDIDATE_LENGTHS.extra),
  username: text(CANDIDATE_LENGTHS.username),
  exempt: text(CANDIDATE_LENGTHS.exempt),
  note: text(CANDIDATE_LENGTHS.note),
})

export const addCandidates = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/candidates',
  summary: 'Add candidates, all or none, and mail them their credentials if asked',
  access: MANAGE,
  params: ofAssessment,
  bodyBytes: LIST_BYTES,
  body: z.strictObject({
    requestId,
    lines: z.array(writtenLine).check(z.minLength(1), z.maxLength(MOST_LINES)),
    hasNames: z.boolean(),
    mail: z.boolean(),
  }),
  response: z.strictObject({
    added: z.number(),
    /** were on the list and stay as they are */
    unchanged: z.number(),
    mailed: z.number(),
  }),
})

export const readSheet = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/candidates/read-sheet',
  summary: 'The first sheet of an .xlsx as text, a line a row; stores nothing',
  access: MANAGE,
  params: ofAssessment,
  bodyBytes: LIST_BYTES,
  body: z.strictObject({
    /** base64 */
    file: z
      .string()
      .check(z.maxLength(Math.ceil(SHEET_BYTES / 3) * 4), z.regex(/^[A-Za-z0-9+/]*=*$/)),
  }),
  response: z.strictObject({
    text: z.string().check(z.maxLength(TEXT_LENGTH)),
    /** cells that show something else than they hold: formulas, other number formats */
    oddCells: z.number(),
  }),
})

export const changeCandidate = endpoint({
  method: 'PUT',
  path: '/api/societies/:society/assessments/:code/candidates/by-id/:candidate',
  summary: 'Change name, address, room, note, planned time and exemptions of one candidate',
  access: MANAGE,
  params: z.extend(ofAssessment, { candidate: z.uuid() }),
  body: z.strictObject({
    version: z.int(),
    name: z.nullable(cell(CANDIDATE_LENGTHS.name)),
    email: z.nullable(cell(CANDIDATE_LENGTHS.email)),
    room: z.nullable(cell(CANDIDATE_LENGTHS.room)),
    note: z.nullable(cell(CANDIDATE_LENGTHS.note)),
    /** in all; fixed once the candidate has started */
    extraSeconds: seconds,
    exemptKinds: z.array(text(40)).check(z.maxLength(20)),
  }),
  response: candidate,
})

export const changeCandidates = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/candidates/change',
  summary: 'Give several candidates a room',
  access: MANAGE,
  params: ofAssessment,
  body: z.strictObject({
    candidates: ids,
    room: z.nullable(cell(CANDIDATE_LENGTHS.room)),
  }),
  response: z.strictObject({ changed: z.number() }),
})

export const removeCandidates = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/candidates/remove',
  summary:
    'Take candidates off the list; those who have started are shut out and their answers stay',
  access: fresh(MANAGE),
  params: ofAssessment,
  body: z.strictObject({ candidates: ids }),
  response: z.strictObject({ removed: z.number(), shutOut: z.number() }),
})

export const sendCredentials = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/candidates/send',
  summary: 'Mail candidates their credentials, each with a new password made when the mail leaves',
  access: SEE,
  params: ofAssessment,
  body: z.strictObject({ candidates: ids }),
  response: z.strictObject({
    queued: z.number(),
    /** have no address, are shut out, or have a mail waiting already */
    left: z.number(),
    /** when the last of them leaves, if the mail server takes them */
    untilAt: z.iso.datetime(),
  }),
})

export const stopMails = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/candidates/stop',
  summary: 'Stop the mails that have not left yet',
  access: MANAGE,
  params: ofAssessment,
  body: z.strictObject({ candidates: z.optional(ids) }),
  response: z.strictObject({ stopped: z.number() }),
})

export const printSlips = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/candidates/slips',
  summary: 'New passwords, told this once, for slips on paper; the old ones open nothing',
  access: fresh(SEE),
  params: ofAssessment,
  body: z.strictObject({ candidates: ids }),
  response: z.strictObject({
    slips: z.array(
      z.strictObject({
        username: z.string(),
        name: z.nullable(z.string()),
        room: z.nullable(z.string()),
        extraSeconds: z.number(),
        password: z.string(),
      }),
    ),
  }),
})

export const writeCandidates = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/candidates/csv',
  summary: 'Candidates as CSV, in the order in which they are named',
  access: MANAGE,
  params: ofAssessment,
  body: z.strictObject({ candidates: ids }),
  response: z.strictObject({ csv: z.string() }),
})

export const getLetter = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/letter',
  summary: 'What the mail with the credentials is made of',
  access: SEE,
  params: ofAssessment,
  response: z.strictObject({
    paragraph: z.string(),
    /** 0: nobody has written one yet */
    version: z.number(),
    contact: z.nullable(z.string()),
    publicUrl: z.string(),
  }),
})

export const changeLetter = endpoint({
  method: 'PUT',
  path: '/api/societies/:society/assessments/:code/letter',
  summary: 'Write the paragraph that mails with credentials have besides',
  access: MANAGE,
  params: ofAssessment,
  body: z.strictObject({
    version: z.int(),
    paragraph: z.string().check(z.maxLength(PARAGRAPH_LENGTH), z.regex(PARAGRAPHS)),
  }),
  response: z.strictObject({ version: z.number() }),
})
