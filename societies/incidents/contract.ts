import * as z from 'zod/mini'
import { incidentFields, incidentStrike } from '../../assessments/attempt-log.ts'
import { optionLetterSchema } from '../../platform/options.ts'
import { PARAGRAPHS } from '../../platform/paragraphs.ts'
import { ROOM_LENGTH } from '../access/contract.ts'
import { fresh, handingOutKeys, inTest, ofAssessment, organizerMay } from '../kit/contract.ts'

// Incidents, their verdicts, and one candidate's page (product 7.16). Names, keys and scores are hidden. Only the two
// reveal endpoints return them, and a candidate's page once the last verdict is written. The candidate's id here
// differs from the id in the list, so that the two can't be joined.

/** Owners and reviewers see all rooms, an invigilator their own room without answers, and authors nothing. */
const LIST = organizerMay('watch_live', ['own_room'], 'own_room')
const ONE = organizerMay('watch_live', ['own_room'], 'covered')
const DECIDE = organizerMay('decide_incident', ['not_own_report'], 'covered')
const VOID = organizerMay('void_event', [], 'covered')

// In characters.
export const REASON_LENGTH = 1_000
export const REPORT_LENGTH = 2_000
export const COMPARE_REASON_LENGTH = 500

/** Uses the blind id that views with hidden names have. */
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
  /** The letters are included only for members who can read answers. */
  changed: z.array(z.strictObject({ question: z.int(), ...letters, afterMs: z.number() })),
  /** Whether a member has to decide the incident. */
  asks: z.boolean(),
  report: z.nullable(
    z.strictObject({
      id: z.uuid(),
      note: text,
      by: text,
      isMine: z.boolean(),
      of: z.enum(['candidate', 'room', 'all']),
    }),
  ),
  /** For an absence, how many others in the room were away in the same minute. */
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
  /** Replaces the hidden name; null if the candidate has not started. */
  number: z.nullable(z.int()),
  room: z.nullable(text),
  incidents: z.array(incident),
}
/** How many incidents that need no decision are left out because there are too many. */
const leftOut = z.int()

export const listIncidents = inTest('GET /incidents', LIST, 'Incidents by candidate', {
  response: z.strictObject({
    /** The invigilator's own room, if any. */
    ownRoom: z.nullable(text),
    candidates: z.array(
      z.strictObject({
        ...shown,
        isInside: z.boolean(),
        /** When the candidate wrote to the society. The text is on the candidate's page. */
        commentedAt: z.nullable(time),
      }),
    ),
    /** Reports on a room, or on all candidates if the room is null. */
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
      /** Null if the question is void. */
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
  /** True if an organizer ended the test before the time was up. */
  endedBySociety: z.boolean(),
  usedMs: z.number(),
  durationSeconds: z.int(),
  /** Extra time agreed before the day. */
  plannedSeconds: z.number(),
  /** Time given during the test; negative if the end was brought forward. */
  givenSeconds: z.number(),
  answered: z.int(),
  itemCount: z.int(),
  lastSavedAt: z.nullable(time),
  strikesSeen: z.int(),
  strikesStand: z.int(),
  unseenMs: z.number(),
  /** Empty during the test. */
  receipts: z.array(
    z.strictObject({ code: text, at: time, why: z.enum(['submitted', 'late_accepted']) }),
  ),
})

const answer = z.strictObject({
  number: z.int(),
  /** Null for members who can't read questions yet. */
  question: z.nullable(text),
  choice: z.nullable(optionLetterSchema),
  /** Earlier choices, oldest first. */
  was: z.array(text),
  savedAt: z.nullable(time),
  /** Time spent on the question, without absences; null if never answered. */
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
      /** The other events, one sentence each, in order. Letters are included only for members who can read answers. */
      moments: z.array(z.strictObject({ at: time, text })),
      /** Null for an invigilator. */
      answers: z.nullable(z.array(answer)),
      /** Set once the last verdict is written, for members who see scores and keys, while keys are revealed. */
      score: z.nullable(revealed),
      comment: z.nullable(z.strictObject({ text, writtenAt: time })),
    }),
  },
)
export type CandidateFile = z.infer<typeof getCandidateFile.response>

/** Maps an id from a list with names to the candidate's page. A member who sees the name then sees the number too. */
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
    /** Reviewers can't request the name. */
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
          /** The verdict's id, created by the page so that a retry stores it only once. */
          id: z.uuid(),
          ...incidentOf,
          /** The verdict that asked for follow-up, as the page last saw it; null if there was none. */
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
    /** mayBeReopened counts tests that strikes ended and that now have fewer than three strikes. */
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
      /** At most one of candidate, listed and room is set. */
      candidate: z.nullable(z.uuid()),
      /** A candidate's id in the list. */
      listed: z.nullable(z.uuid()),
      room: z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(ROOM_LENGTH))),
      happenedAt: time,
      note: words(REPORT_LENGTH),
    }),
    response: z.strictObject({ id: z.uuid() }),
  },
)

// Compares two candidates, with a reason (product 7.16.15).

export const getComparable = inTest('GET /incidents/compare', DECIDE, 'Check if comparing works', {
  /** The reason they can't be compared; null if they can. */
  response: z.strictObject({ refusal: z.nullable(text) }),
})

/** A candidate by name or by number. The log uses the same one, so it never links a name to a number. */
const picked = z.union([
  z.strictObject({ listed: z.uuid() }),
  z.strictObject({ candidate: z.uuid() }),
])
const alike = { same: z.number(), sameWrong: z.number() }

export const compareCandidates = inTest('POST /incidents/compare', DECIDE, 'Compare answers', {
  body: z.strictObject({ first: picked, second: picked, reason: words(COMPARE_REASON_LENGTH) }),
  response: z.strictObject({
    /** The number of candidates in the comparison group. */
    people: z.int(),
    /** The number of questions both answered. */
    answered: z.int(),
    /** The number of equal answers, and of equal wrong answers. */
    ...alike,
    /** The expected numbers for two independent candidates with the same scores. */
    usual: z.strictObject(alike),
  }),
})
