import * as z from 'zod/mini'
import { incidentFields, incidentStrike } from '../../assessments/attempt-log.ts'
import { optionLetterSchema } from '../../platform/options.ts'
import { PARAGRAPHS } from '../../platform/paragraphs.ts'
import { ROOM_LENGTH } from '../access/contract.ts'
import { fresh, inTest, ofAssessment, organiserMay } from '../kit/contract.ts'

// Incidents, their verdicts, and one candidate's page (product 7.16). Names, keys and scores are hidden: only the two
// calls that reveal them return them, and the page of a candidate whose last verdict is written.

/** Owners and reviewers see all rooms, an invigilator their own room without answers, authors nothing. */
const SEE = organiserMay('watch_live', ['own_room'])
const DECIDE = organiserMay('decide_incident', ['not_own_report'])
const VOID = organiserMay('void_event')
const REPORT = organiserMay('report_incident')

/** Characters of a verdict's reason. */
export const REASON_LENGTH = 1_000
/** Characters of a report. */
export const REPORT_LENGTH = 2_000

const ofCandidate = z.extend(ofAssessment, { candidate: z.uuid() })
/** Text of one or more lines, without invisible characters. */
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
  /** letters only for members who can read answers */
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
      /** whom it is about */
      of: z.enum(['candidate', 'room', 'all']),
    }),
  ),
  /** of an absence: how many others of the room were away in the same minute */
  company: z.nullable(z.strictObject({ room: z.nullable(z.string()), away: z.int(), of: z.int() })),
  verdicts: z.array(verdict),
  state: z.enum(['none', 'waiting', 'needs_talk', 'decided']),
})
export type ShownIncident = z.infer<typeof incident>

export const listIncidents = inTest('GET /incidents', SEE, 'Incidents by candidate', {
  response: z.strictObject({
    /** an invigilator's own room, if there is one */
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
    /** incidents without a decision to make that are left out, because there are too many */
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

export const getCandidateFile = inTest(
  'GET /incidents/by-candidate/:candidate',
  SEE,
  'One candidate: times, incidents and answers',
  {
    params: ofCandidate,
    query: z.strictObject({
      /** '1' from Live: includes the name during the test, for members who see names */
      live: z.optional(z.literal('1')),
    }),
    response: z.strictObject({
      id: z.uuid(),
      number: z.nullable(z.int()),
      room: z.nullable(z.string()),
      /** null while it is hidden */
      name: z.nullable(named),
      attempt: z.nullable(
        z.strictObject({
          reference: z.string(),
          form: z.nullable(z.string()),
          startedAt: z.iso.datetime(),
          deadlineAt: z.iso.datetime(),
          submittedAt: z.nullable(z.iso.datetime()),
          submitReason: z.nullable(z.enum(['candidate', 'violations', 'deadline'])),
          /** by an organizer, before the time was up */
          endedBySociety: z.boolean(),
          usedMs: z.number(),
          /** during the test, by the server's clock */
          remainingMs: z.nullable(z.number()),
          durationSeconds: z.int(),
          /** promised before the day */
          plannedSeconds: z.number(),
          /** during the test; negative where the end was brought forward */
          givenSeconds: z.number(),
          answered: z.int(),
          itemCount: z.int(),
          lastSavedAt: z.nullable(z.iso.datetime()),
          strikesSeen: z.int(),
          strikesStand: z.int(),
          unseenMs: z.number(),
          /** empty during the test */
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
            /** null for members who can't read questions yet */
            question: z.nullable(z.string()),
            choice: z.nullable(optionLetterSchema),
            /** chosen before, oldest first */
            was: z.array(z.string()),
            savedAt: z.nullable(z.iso.datetime()),
            /** spent on it, without absences; null: never answered */
            seconds: z.nullable(z.number()),
            hasWaited: z.boolean(),
          }),
        ),
      ),
      /** once the last verdict is written, for members who see scores and keys */
      score: z.nullable(uncovered),
      comment: z.nullable(z.strictObject({ text: z.string(), writtenAt: z.iso.datetime() })),
    }),
  },
)
export type CandidateFile = z.infer<typeof getCandidateFile.response>

export const showName = inTest(
  'POST /incidents/by-candidate/:candidate/name',
  organiserMay('see_names', ['noted_on_request']),
  'Reveal the name; logged',
  {
    params: ofCandidate,
    response: named,
  },
)

export const showScore = inTest(
  'POST /incidents/by-candidate/:candidate/score',
  organiserMay('see_scores'),
  'Reveal key and score; logged',
  {
    params: ofCandidate,
    response: uncovered,
  },
)

export const exportCandidateReport = inTest(
  'POST /incidents/by-candidate/:candidate/report',
  fresh(organiserMay('release_results', ['without_names'])),
  'The candidate report as a PDF',
  {
    params: ofCandidate,
    body: z.strictObject({
      /** never for a reviewer */
      withName: z.boolean(),
      withKeys: z.boolean(),
    }),
    response: z.unknown(),
  },
)

/** Most incidents of one decision. */
export const DECIDED_AT_ONCE = 300
const incidentOf = { candidate: z.uuid(), incident: z.string().check(z.maxLength(120)) }

export const decideIncidents = inTest('POST /incidents/verdicts', DECIDE, 'Decide incidents', {
  body: z.strictObject({
    incidents: z
      .array(
        z.strictObject({
          /** the verdict's, made by the page: sent twice it is stored once */
          id: z.uuid(),
          ...incidentOf,
          /** the verdict that asked for a talk, as the page knows it; null: none */
          known: z.nullable(z.uuid()),
        }),
      )
      .check(z.minLength(1), z.maxLength(DECIDED_AT_ONCE)),
    verdict: verdictWord,
    reason: words(REASON_LENGTH),
  }),
  response: z.strictObject({ decided: z.int() }),
})

export const withdrawVerdict = inTest(
  'POST /incidents/verdicts/:verdict/withdraw',
  DECIDE,
  'Take a verdict back',
  {
    params: z.extend(ofAssessment, { verdict: z.uuid() }),
    response: z.strictObject({ done: z.literal(true) }),
  },
)

const namedIncidents = z.array(z.strictObject(incidentOf)).check(z.minLength(1), z.maxLength(2_000))

export const takeClearedStrikesBack = inTest(
  'POST /incidents/cleared-strikes',
  VOID,
  'Void the strikes of cleared incidents',
  {
    body: z.strictObject({ incidents: namedIncidents }),
    response: z.strictObject({
      takenBack: z.int(),
      /** tests that strikes ended, with fewer than three counting now */
      mayBeReopened: z.int(),
    }),
  },
)

export const countStrikesAgain = inTest('POST /incidents/strikes-again', VOID, 'Restore strikes', {
  body: z.strictObject({ incidents: namedIncidents, reason: words(REASON_LENGTH) }),
  response: z.strictObject({ counted: z.int() }),
})

export const writeReport = inTest('POST /incidents/reports', REPORT, 'Report what was seen', {
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
