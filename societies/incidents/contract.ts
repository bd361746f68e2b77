import * as z from 'zod/mini'
import { incidentFields, incidentStrike } from '../../assessments/attempt-log.ts'
import { optionLetterSchema } from '../../platform/options.ts'
import { PARAGRAPHS } from '../../platform/paragraphs.ts'
import { ROOM_LENGTH } from '../access/contract.ts'
import { fresh, handingOutKeys, inTest, ofAssessment, organizerMay } from '../kit/contract.ts'

// Incidents, their verdicts, and one candidate's page (product 7.16). Names, keys and scores are hidden: only the two
// calls that reveal them return them, and the page of a candidate whose last verdict is written. A candidate has another
// id here than in the list, so that nobody joins the two.

/** Owners and reviewers see all rooms, an invigilator their own room without answers, authors nothing. */
const LIST = organizerMay('watch_live', ['own_room'], 'own_room')
const ONE = organizerMay('watch_live', ['own_room'], 'covered')
const DECIDE = organizerMay('decide_incident', ['not_own_report'], 'covered')
const VOID = organizerMay('void_event', [], 'covered')

// Characters.
export const REASON_LENGTH = 1_000
export const REPORT_LENGTH = 2_000
export const COMPARE_REASON_LENGTH = 500

/** by the id that covered views have */
const ofCandidate = z.extend(ofAssessment, { candidate: z.uuid() })
/** Text of one or more lines, without invisible characters. */
const words = (length: number) =>
  z.string().check(z.trim(), z.minLength(1), z.maxLength(length), z.regex(PARAGRAPHS))
const time = z.iso.datetime()
const text = z.string()
const verdictWord = z.enum(['cleared', 'upheld', 'needs_talk'])
export type VerdictWord = z.infer<typeof verdictWord>

const letters = { from: z.optional(text), to: z.optional(text) }
const incident = z.strictObject({
  name: text,
  ...incidentFields,
  at: time,
  strike: z.nullable(z.strictObject({ ...incidentStrike, reason: z.nullable(text) })),
  /** letters only for members who can read answers */
  changed: z.array(z.strictObject({ question: z.int(), ...letters, afterMs: z.number() })),
  /** whether a member has to decide about it */
  asks: z.boolean(),
  report: z.nullable(
    z.strictObject({
      id: z.uuid(),
      note: text,
      by: text,
      isMine: z.boolean(),
      /** whom it is about */
      of: z.enum(['candidate', 'room', 'all']),
    }),
  ),
  /** of an absence: how many others of the room were away in the same minute */
  company: z.nullable(z.strictObject({ room: z.nullable(text), away: z.int(), of: z.int() })),
  verdicts: z.array(
    z.strictObject({
      id: z.uuid(),
      verdict: verdictWord,
      reason: text,
      by: text,
      isMine: z.boolean(),
      at: time,
      withdrawnAt: z.nullable(time),
      withdrawnBy: z.nullable(text),
    }),
  ),
  state: z.enum(['none', 'waiting', 'needs_talk', 'decided']),
})
export type ShownIncident = z.infer<typeof incident>

const shown = {
  id: z.uuid(),
  /** stands for the candidate where the name is hidden; null: has not started */
  number: z.nullable(z.int()),
  room: z.nullable(text),
  incidents: z.array(incident),
}
/** incidents without a decision to make that are left out, because there are too many */
const leftOut = z.int()

export const listIncidents = inTest('GET /incidents', LIST, 'Incidents by candidate', {
  response: z.strictObject({
    /** an invigilator's own room, if there is one */
    ownRoom: z.nullable(text),
    candidates: z.array(
      z.strictObject({
        ...shown,
        isInside: z.boolean(),
        /** when the candidate wrote to the society; the words are on the candidate's page */
        commentedAt: z.nullable(time),
      }),
    ),
    /** reports on a room or, where it is null, on everybody */
    notes: z.array(
      z.strictObject({ id: z.uuid(), at: time, room: z.nullable(text), note: text, by: text }),
    ),
    leftOut,
  }),
})

const revealed = z.strictObject({
  correct: z.int(),
  incorrect: z.int(),
  keys: z.array(
    z.strictObject({
      number: z.int(),
      keys: z.array(optionLetterSchema),
      /** null: the question counts for nobody */
      points: z.nullable(z.int()),
    }),
  ),
})
export type UncoveredScore = z.infer<typeof revealed>

const attempt = z.strictObject({
  reference: text,
  form: z.nullable(text),
  startedAt: time,
  deadlineAt: time,
  submittedAt: z.nullable(time),
  submitReason: z.nullable(z.enum(['candidate', 'violations', 'deadline'])),
  /** by an organizer, before the time was up */
  endedBySociety: z.boolean(),
  usedMs: z.number(),
  durationSeconds: z.int(),
  /** promised before the day */
  plannedSeconds: z.number(),
  /** during the test; negative where the end was brought forward */
  givenSeconds: z.number(),
  answered: z.int(),
  itemCount: z.int(),
  lastSavedAt: z.nullable(time),
  strikesSeen: z.int(),
  strikesStand: z.int(),
  unseenMs: z.number(),
  /** empty during the test */
  receipts: z.array(
    z.strictObject({ code: text, at: time, why: z.enum(['submitted', 'late_accepted']) }),
  ),
})

const answer = z.strictObject({
  number: z.int(),
  /** null for members who can't read questions yet */
  question: z.nullable(text),
  choice: z.nullable(optionLetterSchema),
  /** chosen before, oldest first */
  was: z.array(text),
  savedAt: z.nullable(time),
  /** spent on it, without absences; null: never answered */
  seconds: z.nullable(z.number()),
  hasWaited: z.boolean(),
})

export const getCandidateFile = inTest(
  'GET /incidents/by-candidate/:candidate',
  ONE,
  'One candidate: times, incidents and answers',
  {
    params: ofCandidate,
    response: z.strictObject({
      ...shown,
      attempt: z.nullable(attempt),
      leftOut,
      /** what else happened, one sentence each, in order; letters only for members who may read answers */
      moments: z.array(z.strictObject({ at: time, text })),
      /** null for an invigilator */
      answers: z.nullable(z.array(answer)),
      /** once the last verdict is written, for members who see scores and keys, while keys are uncovered */
      score: z.nullable(revealed),
      comment: z.nullable(z.strictObject({ text, writtenAt: time })),
    }),
  },
)
export type CandidateFile = z.infer<typeof getCandidateFile.response>

/** From a list with names to the page of a candidate: a member who sees the name then sees the number too. */
export const findCandidate = inTest(
  'GET /incidents/of/:listed',
  ONE,
  'The covered id of a candidate of the list; logged for members who see names',
  {
    params: z.extend(ofAssessment, { listed: z.uuid() }),
    response: z.strictObject({ id: z.uuid() }),
  },
)

export const showName = inTest(
  'POST /incidents/by-candidate/:candidate/name',
  organizerMay('see_names', ['noted_on_request'], 'covered'),
  'Reveal the name; logged',
  { params: ofCandidate, response: z.strictObject({ username: text, name: z.nullable(text) }) },
)

export const showScore = inTest(
  'POST /incidents/by-candidate/:candidate/score',
  handingOutKeys(organizerMay('see_scores', [], 'covered')),
  'Reveal key and score; logged',
  { params: ofCandidate, response: revealed },
)

export const exportCandidateReport = inTest(
  'POST /incidents/by-candidate/:candidate/report',
  fresh(organizerMay('release_results', ['without_names'], 'covered')),
  'The candidate report as a PDF',
  {
    params: ofCandidate,
    /** a reviewer's never has the name */
    body: z.strictObject({ withName: z.boolean(), withKeys: z.boolean() }),
    response: z.unknown(),
  },
)

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

const incidents = z.array(z.strictObject(incidentOf)).check(z.minLength(1), z.maxLength(2_000))

export const takeClearedStrikesBack = inTest(
  'POST /incidents/cleared-strikes',
  VOID,
  'Void the strikes of cleared incidents',
  {
    body: z.strictObject({ incidents }),
    /** mayBeReopened: tests that strikes ended, with fewer than three counting now */
    response: z.strictObject({ takenBack: z.int(), mayBeReopened: z.int() }),
  },
)

export const countStrikesAgain = inTest('POST /incidents/strikes-again', VOID, 'Restore strikes', {
  body: z.strictObject({ incidents, reason: words(REASON_LENGTH) }),
  response: z.strictObject({ counted: z.int() }),
})

export const writeReport = inTest(
  'POST /incidents/reports',
  organizerMay('report_incident', [], 'covered'),
  'Report what was seen',
  {
    body: z.strictObject({
      id: z.uuid(),
      /** at most one of the three */
      candidate: z.nullable(z.uuid()),
      /** a candidate by the id of the list */
      listed: z.nullable(z.uuid()),
      room: z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(ROOM_LENGTH))),
      happenedAt: time,
      note: words(REPORT_LENGTH),
    }),
    response: z.strictObject({ id: z.uuid() }),
  },
)

// Compare two candidates, with a reason (product 7.16.15).

export const getComparable = inTest('GET /incidents/compare', DECIDE, 'Whether it is possible', {
  /** why not; null: they can */
  response: z.strictObject({ refusal: z.nullable(text) }),
})

/** By name or by number, as the log will call the candidate, so that it never says which name has which number. */
const picked = z.union([
  z.strictObject({ listed: z.uuid() }),
  z.strictObject({ candidate: z.uuid() }),
])
const alike = { same: z.number(), sameWrong: z.number() }

export const compareCandidates = inTest('POST /incidents/compare', DECIDE, 'Compare answers', {
  body: z.strictObject({ first: picked, second: picked, reason: words(COMPARE_REASON_LENGTH) }),
  response: z.strictObject({
    /** candidates among whom the two were compared */
    people: z.int(),
    /** questions that both answered */
    answered: z.int(),
    /** answered alike, and of those the same wrong option */
    ...alike,
    /** the same on average of two with such scores who know nothing of each other */
    usual: z.strictObject(alike),
  }),
})
