import * as z from 'zod/mini'
import { incidentFields, incidentStrike } from '../../assessments/attempt-log.ts'
import { endpoint } from '../../platform/endpoint.ts'
import { optionLetterSchema } from '../../platform/options.ts'
import { PARAGRAPHS } from '../../platform/paragraphs.ts'
import { fresh, ofAssessment, organiserMay, ROOM_LENGTH } from '../contract.ts'

/*
 * Incidents, their verdicts, and one candidate on a page (product 7.16). Names, keys and scores are covered:
 * no answer here has them but those of the two calls that uncover, and of a file whose last verdict is written.
 */

/** Owners and reviewers see all, an invigilator the own room, without answers; authors nothing. */
const SEE = organiserMay('watch_live', ['own_room'])
const DECIDE = organiserMay('decide_incident', ['not_own_report'])

/** Characters of a verdict's reason. */
export const REASON_LENGTH = 1_000
/** Characters of a report. */
export const REPORT_LENGTH = 2_000

const ofCandidate = z.extend(ofAssessment, { candidate: z.uuid() })
/** Words of one or more lines, and nothing that nobody sees. */
const words = (length: number) =>
  z.string().check(z.trim(), z.minLength(1), z.maxLength(length), z.regex(PARAGRAPHS))
const verdictWord = z.enum(['cleared', 'upheld', 'needs_talk'])
export type VerdictWord = z.infer<typeof verdictWord>

const verdict = z.strictObject({
  id: z.uuid(),
  verdict: verdictWord,
  reason: z.string(),
  by: z.string(),
  isMine: z.boolean(),
  at: z.iso.datetime(),
  withdrawnAt: z.nullable(z.iso.datetime()),
  withdrawnBy: z.nullable(z.string()),
})

const incident = z.strictObject({
  name: z.string(),
  ...incidentFields,
  at: z.iso.datetime(),
  strike: z.nullable(z.strictObject({ ...incidentStrike, reason: z.nullable(z.string()) })),
  /** letters for those alone who read answers */
  changed: z.array(
    z.strictObject({
      question: z.int(),
      from: z.optional(z.string()),
      to: z.optional(z.string()),
      afterMs: z.number(),
    }),
  ),
  asks: z.boolean(),
  report: z.nullable(
    z.strictObject({
      id: z.uuid(),
      note: z.string(),
      by: z.string(),
      isMine: z.boolean(),
      /** of this candidate alone, of a room, of all */
      of: z.enum(['candidate', 'room', 'all']),
    }),
  ),
  /** of an absence: how many others of the room were away in the same minute */
  company: z.nullable(z.strictObject({ room: z.nullable(z.string()), away: z.int(), of: z.int() })),
  verdicts: z.array(verdict),
  state: z.enum(['none', 'waiting', 'needs_talk', 'decided']),
})
export type ShownIncident = z.infer<typeof incident>

export const listIncidents = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/incidents',
  summary: 'What happened to each candidate, by blind numbers; the newest 5,000 and all that wait',
  access: SEE,
  params: ofAssessment,
  response: z.strictObject({
    /** of the caller's, where an invigilator has one */
    ownRoom: z.nullable(z.string()),
    candidates: z.array(
      z.strictObject({
        id: z.uuid(),
        number: z.nullable(z.int()),
        room: z.nullable(z.string()),
        isInside: z.boolean(),
        /** when the candidate wrote to the society; the words are on the candidate's page */
        commentedAt: z.nullable(z.iso.datetime()),
        incidents: z.array(incident),
      }),
    ),
    /** not shown, since there are so many that ask for nothing */
    leftOut: z.int(),
  }),
})

const key = z.strictObject({
  number: z.int(),
  keys: z.array(optionLetterSchema),
  /** null: the question counts for nobody */
  points: z.nullable(z.int()),
})
const uncovered = z.strictObject({ correct: z.int(), incorrect: z.int(), keys: z.array(key) })
export type UncoveredScore = z.infer<typeof uncovered>
const named = z.strictObject({ username: z.string(), name: z.nullable(z.string()) })

export const getCandidateFile = endpoint({
  method: 'GET',
  path: '/api/societies/:society/assessments/:code/incidents/by-candidate/:candidate',
  summary: 'One candidate on a page: times, incidents, answers; name, key and score covered',
  access: SEE,
  params: ofCandidate,
  query: z.strictObject({
    /** opened from Live: while it runs, the name for those who see names anyway */
    live: z.optional(z.literal('1')),
  }),
  response: z.strictObject({
    id: z.uuid(),
    number: z.nullable(z.int()),
    room: z.nullable(z.string()),
    /** null while it is covered */
    name: z.nullable(named),
    attempt: z.nullable(
      z.strictObject({
        reference: z.string(),
        form: z.nullable(z.string()),
        startedAt: z.iso.datetime(),
        deadlineAt: z.iso.datetime(),
        submittedAt: z.nullable(z.iso.datetime()),
        submitReason: z.nullable(z.enum(['candidate', 'violations', 'deadline'])),
        /** an organiser did, before the time was over */
        endedBySociety: z.boolean(),
        usedMs: z.number(),
        /** while it goes on, by the server's clock */
        remainingMs: z.nullable(z.number()),
        durationSeconds: z.int(),
        /** promised before the day */
        plannedSeconds: z.number(),
        /** because something happened; less than nothing where the end was brought forward */
        givenSeconds: z.number(),
        answered: z.int(),
        itemCount: z.int(),
        lastSavedAt: z.nullable(z.iso.datetime()),
        strikesSeen: z.int(),
        strikesStand: z.int(),
        unseenMs: z.number(),
        /** empty while it is open */
        receipts: z.array(
          z.strictObject({
            code: z.string(),
            at: z.iso.datetime(),
            why: z.enum(['submitted', 'late_accepted']),
          }),
        ),
      }),
    ),
    incidents: z.array(incident),
    leftOut: z.int(),
    /** what else happened, one sentence each, in order; letters only for members who may read answers */
    moments: z.array(z.strictObject({ at: z.iso.datetime(), text: z.string() })),
    /** null for an invigilator */
    answers: z.nullable(
      z.array(
        z.strictObject({
          number: z.int(),
          /** null for who may not read questions yet */
          question: z.nullable(z.string()),
          choice: z.nullable(optionLetterSchema),
          /** chosen before, oldest first */
          was: z.array(z.string()),
          savedAt: z.nullable(z.iso.datetime()),
          /** between one choice and the next without absences, in all; null: none was made */
          seconds: z.nullable(z.number()),
          hasWaited: z.boolean(),
        }),
      ),
    ),
    /** once the last verdict is written, for those who may see scores and keys */
    score: z.nullable(uncovered),
    comment: z.nullable(z.strictObject({ text: z.string(), writtenAt: z.iso.datetime() })),
  }),
})
export type CandidateFile = z.infer<typeof getCandidateFile.response>

export const showName = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/incidents/by-candidate/:candidate/name',
  summary: 'Uncover the name, which is noted',
  access: organiserMay('see_names', ['noted_on_request']),
  params: ofCandidate,
  response: named,
})

export const showScore = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/incidents/by-candidate/:candidate/score',
  summary: 'Uncover key and score, which is noted',
  access: organiserMay('see_scores'),
  params: ofCandidate,
  response: uncovered,
})

export const exportCandidateReport = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/incidents/by-candidate/:candidate/report',
  summary: 'All that is kept of a candidate as a PDF; what is covered stays covered in it',
  access: fresh(organiserMay('release_results', ['without_names'])),
  params: ofCandidate,
  body: z.strictObject({
    /** never for a reviewer */
    withName: z.boolean(),
    withKeys: z.boolean(),
  }),
  response: z.unknown(),
})

/** Incidents of one press at most. */
export const DECIDED_AT_ONCE = 300

export const decideIncidents = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/incidents/verdicts',
  summary:
    'Decide incidents with one verdict and one reason; 409 stale when one was decided by now',
  access: DECIDE,
  params: ofAssessment,
  body: z.strictObject({
    incidents: z
      .array(
        z.strictObject({
          /** of the verdict, made by the page: sent twice it is written once */
          id: z.uuid(),
          candidate: z.uuid(),
          incident: z.string().check(z.maxLength(120)),
          /** the verdict that the page knows, which asked for a talk; null: none */
          known: z.nullable(z.uuid()),
        }),
      )
      .check(z.minLength(1), z.maxLength(DECIDED_AT_ONCE)),
    verdict: verdictWord,
    reason: words(REASON_LENGTH),
  }),
  response: z.strictObject({ decided: z.int() }),
})

export const withdrawVerdict = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/incidents/verdicts/:verdict/withdraw',
  summary: "Take a verdict back, one's own, or as an owner any; the row stays",
  access: DECIDE,
  params: z.extend(ofAssessment, { verdict: z.uuid() }),
  response: z.strictObject({ done: z.literal(true) }),
})

/** Incidents, as the page names them. */
const namedIncidents = z
  .array(z.strictObject({ candidate: z.uuid(), incident: z.string().check(z.maxLength(120)) }))
  .check(z.minLength(1), z.maxLength(2_000))

export const takeClearedStrikesBack = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/incidents/cleared-strikes',
  summary:
    'Take the strikes of cleared incidents back, with the verdicts’ reasons; nobody is named',
  access: organiserMay('void_event'),
  params: ofAssessment,
  body: z.strictObject({ incidents: namedIncidents }),
  response: z.strictObject({
    takenBack: z.int(),
    /** tests that were ended by strikes, of which fewer than three stand now */
    mayBeReopened: z.int(),
  }),
})

export const countStrikesAgain = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/incidents/strikes-again',
  summary: 'Let the strikes of incidents count again that were taken back; nobody is named',
  access: organiserMay('void_event'),
  params: ofAssessment,
  body: z.strictObject({ incidents: namedIncidents, reason: words(REASON_LENGTH) }),
  response: z.strictObject({ counted: z.int() }),
})

export const writeReport = endpoint({
  method: 'POST',
  path: '/api/societies/:society/assessments/:code/incidents/reports',
  summary: 'What a member saw: of a candidate, a room, or all',
  access: organiserMay('report_incident'),
  params: ofAssessment,
  body: z.strictObject({
    id: z.uuid(),
    /** at most one of the two */
    candidate: z.nullable(z.uuid()),
    room: z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(ROOM_LENGTH))),
    happenedAt: z.iso.datetime(),
    note: words(REPORT_LENGTH),
  }),
  response: z.strictObject({ id: z.uuid() }),
})
