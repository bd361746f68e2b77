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

/*
 * The list of candidates and how their credentials reach them (product 7.10). An invigilator sees it, and can
 * give one candidate at a time a new password.
 */

const MANAGE = organizerMay('manage_candidates', [], 'named')
/** Of an invigilator with a room: that room's. */
const LIST = organizerMay('manage_candidates', ['reset_password'], 'own_room')
const ONE = organizerMay('manage_candidates', ['reset_password'], 'named')
/** Makes passwords, or says where they go. */
const PASSWORDS = fresh(MANAGE)

const LIST_BYTES = 1_500_000
export const SHEET_BYTES = 1_000_000

const seconds = z.int().check(z.minimum(0), z.maximum(MAX_MINUTES * 60))
/** on the clocks of the test's zone: 2026-03-02 09:00 */
const localTime = z.string().check(z.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d$/))
const text = (length: number) => z.string().check(z.maxLength(length))
const ids = z.array(z.uuid()).check(z.minLength(1), z.maxLength(MOST_LINES))
/** A cell of a list: nothing, or one line without invisible characters. */
const cell = (length: number) =>
  z.nullable(z.string().check(z.maxLength(length), z.regex(VISIBLE, 'invisible characters')))

const mail = z.strictObject({
  state: z.enum(['queued', 'sent', 'failed', 'stopped', 'unsure']),
  address: z.string(),
  /** of the state */
  at: z.iso.datetime(),
  /** what the mail server said, or why it was stopped */
  error: z.nullable(z.string()),
})

const words = z.nullable(z.string())
const moment = z.nullable(z.iso.datetime())

const candidate = z.strictObject({
  ...{ id: z.uuid(), username: z.string(), name: words, email: words, room: words, note: words },
  /** planned, in all; what is given on the day stands apart */
  extraSeconds: z.number(),
  /** who starts at another time: from and until when, on the test's clocks and as moments; null: with the others */
  starts: z.nullable(
    z.strictObject({
      ...{ from: z.string(), until: z.string() },
      ...{ fromAt: z.iso.datetime(), untilAt: z.iso.datetime() },
    }),
  ),
  exemptKinds: z.array(z.string()),
  version: z.number(),
  changedBy: words,
  /** null: no password was handed out yet */
  passwordMadeAt: moment,
  isRevoked: z.boolean(),
  attempt: z.enum(['none', 'inside', 'done']),
  /** has entered the credentials and not started */
  isWaiting: z.boolean(),
  /** the newest */
  mail: z.nullable(mail),
  /** the newest mail or printed sheet with the password shows another time than the test has now */
  isToldOtherwise: z.boolean(),
  /** when the computer was tried last; null: not yet */
  triedAt: moment,
  /** what was found then: codes of assessments/rehearsal.ts */
  findings: z.array(z.string()),
})
export type CandidateFacts = z.infer<typeof candidate>

export const listCandidates = inTest('GET /candidates', LIST, 'Candidates by name, removed too', {
  response: z.strictObject({
    candidates: z.array(candidate),
    /** for listMails */
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
      /** given on the day, on top of what was planned */
      givenSeconds: z.number(),
      mails: z.array(z.extend(mail, { madeBy: z.string(), createdAt: z.iso.datetime() })),
    }),
  },
)

export const listMails = inTest(
  'GET /candidate-mails',
  LIST,
  'Mails that changed, and how many wait',
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
    /** whether the list gives names at all */
    hasNames: z.boolean(),
    /** whether added candidates with an address get their credentials by mail */
    mail: z.boolean(),
  }),
  response: z.strictObject({
    added: z.number(),
    /** were on the list and stay as they are */
    unchanged: z.number(),
    mailed: z.number(),
  }),
})

export const readSheet = inTest(
  'POST /candidates/read-sheet',
  MANAGE,
  'A text file, or the first sheet of an .xlsx, as text, a line a row; stores nothing',
  {
    bodyBytes: LIST_BYTES,
    body: z.strictObject({
      /** base64 */
      file: z
        .string()
        .check(z.maxLength(Math.ceil(SHEET_BYTES / 3) * 4), z.regex(/^[A-Za-z0-9+/]*=*$/)),
    }),
    response: z.strictObject({
      text: z.string().check(z.maxLength(TEXT_LENGTH)),
      /** sentences about what is worth a look: odd cells, other sheets, a guessed encoding */
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
      /** in all; fixed once the candidate has started */
      extraSeconds: seconds,
      /** another time to start, on the test's clocks; fixed once the candidate has started */
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
  'Take candidates off the list; those who have started are shut out and their answers stay',
  { body: chosen, response: z.strictObject({ removed: z.number(), shutOut: z.number() }) },
)

export const sendCredentials = inTest(
  'POST /candidates/send',
  fresh(ONE),
  'Mail candidates their credentials, each with a new password made when the mail leaves',
  {
    body: chosen,
    response: z.strictObject({
      queued: z.number(),
      /** have no address, are shut out, or have a mail waiting already */
      left: z.number(),
      /** when the last of them leaves, if the mail server takes them */
      untilAt: z.iso.datetime(),
    }),
  },
)

export const stopMails = inTest('POST /candidates/stop', MANAGE, 'Stop mails that still wait', {
  response: z.strictObject({ stopped: z.number() }),
})

export const printSlips = inTest(
  'POST /candidates/slips',
  fresh(ONE),
  'New passwords for printed sheets, shown only once; the old ones open nothing',
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
  /** in the order of the file */
  body: chosen,
  response: z.strictObject({ csv: z.string() }),
})

export const getLetter = inTest('GET /letter', LIST, 'What the credentials mail is made of', {
  response: z.strictObject({
    paragraph: z.string(),
    /** 0: no paragraph was written yet */
    version: z.number(),
    contact: z.nullable(z.string()),
    publicUrl: z.string(),
  }),
})

export const changeLetter = inTest('PUT /letter', MANAGE, 'Write a paragraph for the mails', {
  body: z.strictObject({
    version: z.int(),
    paragraph: z.string().check(z.maxLength(PARAGRAPH_LENGTH), z.regex(PARAGRAPHS)),
  }),
  response: z.strictObject({ version: z.number() }),
})
