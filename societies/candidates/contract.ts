import * as z from 'zod/mini'
import { PARAGRAPHS } from '../../platform/paragraphs.ts'
import {
  CANDIDATE_LENGTHS,
  MOST_LINES,
  PARAGRAPH_LENGTH,
  TEXT_LENGTH,
  VISIBLE,
} from '../kit/candidate-limits.ts'
import { fresh, inTest, ofAssessment, organizerMay, requestId } from '../kit/contract.ts'
import { MAX_MINUTES } from '../kit/minutes.ts'

/* The list of candidates and how they get their credentials (product 7.10). An invigilator sees the list and can reset
   one candidate's password at a time. */

const MANAGE = organizerMay('manage_candidates', [], 'named')
/** An invigilator with a room sees only that room. */
const LIST = organizerMay('manage_candidates', ['reset_password'], 'own_room')
const ONE = organizerMay('manage_candidates', ['reset_password'], 'named')
/** These endpoints create passwords or change where they are sent, so they require re-authentication. */
const PASSWORDS = fresh(MANAGE)

const LIST_BYTES = 1_500_000
export const SHEET_BYTES = 1_000_000

const seconds = z.int().check(z.minimum(0), z.maximum(MAX_MINUTES * 60))
/** Local time in the test's time zone: 2026-03-02 09:00. */
const localTime = z.string().check(z.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d$/))
const text = (length: number) => z.string().check(z.maxLength(length))
const ids = z.array(z.uuid()).check(z.minLength(1), z.maxLength(MOST_LINES))
/** A cell of a list: null, or one line without invisible characters. */
const cell = (length: number) =>
  z.nullable(z.string().check(z.maxLength(length), z.regex(VISIBLE, 'invisible characters')))

const mail = z.strictObject({
  state: z.enum(['queued', 'sent', 'failed', 'stopped', 'unsure']),
  address: z.string(),
  /** The time of the state. */
  at: z.iso.datetime(),
  /** The mail server's error, or why the mail was stopped. */
  error: z.nullable(z.string()),
})

const words = z.nullable(z.string())
const moment = z.nullable(z.iso.datetime())

const candidate = z.strictObject({
  ...{ id: z.uuid(), username: z.string(), name: words, email: words, room: words, note: words },
  /** The total planned extra time. Time given during the test is separate. */
  extraSeconds: z.number(),
  /** The candidate's own start window, in local time and as timestamps. Null means the test's window. */
  starts: z.nullable(
    z.strictObject({
      ...{ from: z.string(), until: z.string() },
      ...{ fromAt: z.iso.datetime(), untilAt: z.iso.datetime() },
    }),
  ),
  exemptKinds: z.array(z.string()),
  version: z.number(),
  changedBy: words,
  /** Null if no password has been issued. */
  passwordMadeAt: moment,
  isRevoked: z.boolean(),
  attempt: z.enum(['none', 'inside', 'done']),
  /** True if the candidate has entered the credentials and not started. */
  isWaiting: z.boolean(),
  mail: z.nullable(mail),
  /** True if the newest mail or printed sheet with the password shows an outdated time. */
  isToldOtherwise: z.boolean(),
  /** When the candidate's computer was last checked; null if never. */
  triedAt: moment,
  /** The findings of that check: codes from assessments/rehearsal.ts. */
  findings: z.array(z.string()),
})
export type CandidateFacts = z.infer<typeof candidate>

export const listCandidates = inTest('GET /candidates', LIST, 'Candidates, with removed ones', {
  response: z.strictObject({
    candidates: z.array(candidate),
    /** The value to pass to listMails. */
    asOf: z.iso.datetime(),
  }),
})

const ofCandidate = z.extend(ofAssessment, { candidate: z.uuid() })

export const getCandidate = inTest(
  'GET /candidates/by-id/:candidate',
  ONE,
  "One candidate's time and the history of the password",
  {
    params: ofCandidate,
    response: z.strictObject({
      /** Time given during the test, on top of the planned time. */
      givenSeconds: z.number(),
      mails: z.array(z.extend(mail, { madeBy: z.string(), createdAt: z.iso.datetime() })),
    }),
  },
)

export const listMails = inTest(
  'GET /candidate-mails',
  LIST,
  'Emails that changed, and how many are waiting',
  {
    query: z.strictObject({ since: z.iso.datetime() }),
    response: z.strictObject({
      changed: z.array(z.extend(mail, { candidate: z.uuid(), passwordMadeAt: moment })),
      waiting: z.number(),
      asOf: z.iso.datetime(),
    }),
  },
)

const { name, email, room, note, extra, username, exempt } = CANDIDATE_LENGTHS

const writtenLine = z.strictObject({
  line: z.int().check(z.minimum(1), z.maximum(1_000_000)),
  ...{ name: text(name), email: text(email), room: text(room), note: text(note) },
  ...{ extra: text(extra), username: text(username), exempt: text(exempt) },
})

export const addCandidates = inTest('POST /candidates', PASSWORDS, 'Add candidates, all or none', {
  bodyBytes: LIST_BYTES,
  body: z.strictObject({
    requestId,
    lines: z.array(writtenLine).check(z.minLength(1), z.maxLength(MOST_LINES)),
    hasNames: z.boolean(),
    /** Whether added candidates with an address get their credentials by mail. */
    mail: z.boolean(),
  }),
  response: z.strictObject({
    added: z.number(),
    /** Candidates who were already on the list. */
    unchanged: z.number(),
    mailed: z.number(),
  }),
})

export const readSheet = inTest(
  'POST /candidates/read-sheet',
  MANAGE,
  'Convert a text file or the first sheet of an .xlsx to text, one line per row; stores nothing',
  {
    bodyBytes: LIST_BYTES,
    body: z.strictObject({
      file: z
        .string()
        .check(z.maxLength(Math.ceil(SHEET_BYTES / 3) * 4), z.regex(/^[A-Za-z0-9+/]*=*$/)),
    }),
    response: z.strictObject({
      text: z.string().check(z.maxLength(TEXT_LENGTH)),
      /** Sentences about anything to check: unusual cells, other sheets, a guessed encoding. */
      notes: z.array(z.string()),
    }),
  },
)

export const changeCandidate = inTest(
  'PUT /candidates/by-id/:candidate',
  PASSWORDS,
  'Change name, address, room, note, planned time, start and exemptions of one candidate',
  {
    params: ofCandidate,
    body: z.strictObject({
      version: z.int(),
      ...{ name: cell(name), email: cell(email), room: cell(room), note: cell(note) },
      /** The total. It is fixed once the candidate has started. */
      extraSeconds: seconds,
      /** The candidate's own start window in local time. It is fixed once the candidate has started. */
      starts: z.nullable(z.strictObject({ from: localTime, until: localTime })),
      exemptKinds: z.array(text(40)).check(z.maxLength(20)),
    }),
    response: candidate,
  },
)

export const changeCandidates = inTest('POST /candidates/change', MANAGE, 'Set a room for many', {
  body: z.strictObject({ candidates: ids, room: cell(room) }),
  response: z.strictObject({ changed: z.number() }),
})

const chosen = z.strictObject({ candidates: ids })

export const removeCandidates = inTest(
  'POST /candidates/remove',
  PASSWORDS,
  'Remove candidates; those who have started are shut out and their answers are kept',
  { body: chosen, response: z.strictObject({ removed: z.number(), shutOut: z.number() }) },
)

export const sendCredentials = inTest(
  'POST /candidates/send',
  fresh(ONE),
  'Send candidates their credentials, each with a new password made when the email is sent',
  {
    body: chosen,
    response: z.strictObject({
      queued: z.number(),
      /** Candidates who have no address, are shut out, or already have a mail waiting. */
      left: z.number(),
      /** When the last mail leaves if the mail server accepts them all. */
      untilAt: z.iso.datetime(),
    }),
  },
)

export const stopMails = inTest(
  'POST /candidates/stop',
  MANAGE,
  'Stop emails that are still waiting',
  {
    response: z.strictObject({ stopped: z.number() }),
  },
)

export const printSlips = inTest(
  'POST /candidates/slips',
  fresh(ONE),
  'New passwords for printed sheets, shown only once; the old ones stop working',
  {
    body: chosen,
    response: z.strictObject({
      slips: z.array(
        z.strictObject({
          ...{ username: z.string(), name: words, room: words },
          ...{ extraSeconds: z.number(), startsFrom: moment, startsUntil: moment },
          password: z.string(),
        }),
      ),
    }),
  },
)

export const writeCandidates = inTest('POST /candidates/csv', MANAGE, 'Candidates as CSV', {
  /** The order of the ids is the order of the file. */
  body: chosen,
  response: z.strictObject({ csv: z.string() }),
})

export const getLetter = inTest('GET /letter', LIST, 'The contents of the credentials email', {
  response: z.strictObject({
    paragraph: z.string(),
    /** 0 if no paragraph has been written. */
    version: z.number(),
    contact: z.nullable(z.string()),
    publicUrl: z.string(),
  }),
})

export const changeLetter = inTest('PUT /letter', MANAGE, 'Write a paragraph for the emails', {
  body: z.strictObject({
    version: z.int(),
    paragraph: z.string().check(z.maxLength(PARAGRAPH_LENGTH), z.regex(PARAGRAPHS)),
  }),
  response: z.strictObject({ version: z.number() }),
})
