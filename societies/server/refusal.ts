import type { OptionLetter } from '../../platform/options.ts'
import type { TimePreview } from '../contract/acts.ts'
import type { CandidateFacts } from '../contract/candidates.ts'
import type { Obstacles, ResultLine } from '../contract/results.ts'
import type { PublicationError } from '../publication.ts'
import type { FileProblem, LeftOutReason, TableStart } from '../questions/question-files.ts'
import type { Role } from '../roles.ts'

type Nothing = Record<never, never>

/**
 * Why something that an organiser asked for is refused, and what whoever words it needs to know. Nothing
 * was changed (product 7.1.3). The words themselves belong to the edge: those of the command line stand
 * in command/refusals.ts.
 */
export interface RefusalFacts {
  /** `known`: the codes that there are, sorted */
  no_such_assessment: { assessment: string; known: string[] }
  /** for good: its line stays, and its code with it */
  assessment_deleted: { assessment: string; at: Date }
  /** `known`: the names that there are, sorted */
  no_such_society: { society: string; known: string[] }
  society_exists: { society: string }
  /** no e-mail addresses */
  bad_addresses: { addresses: string[] }
  /** an owner has all assessments, without an end */
  owner_is_unlimited: Nothing
  /** none of them, or codes that are not the society's */
  not_of_society: { codes: string[] }
  until_is_past: Nothing
  /** of who is no invigilator */
  room_without_role: Nothing
  no_such_invitation: Nothing
  invitation_closed: { email: string; state: 'accepted' | 'revoked' }
  no_such_member: Nothing
  role_held: { role: Role }
  last_owner: Nothing
  own_factor: Nothing
  no_factor: { email: string }
  /** where the second factor guards something, too */
  roles_elsewhere: { email: string }
  /** of this name, in the browser, by whoever wanted */
  founded_by_others: { society: string }
  candidate_unknown: { assessment: string; username: string }
  /** the reason says nothing, and is kept for an appeal */
  reason_missing: Nothing
  /** neither zero nor a whole number of seconds up to a day */
  no_such_time: { seconds: number }

  has_attempts: { assessment: string; attempts: number }
  /** somebody has started: these settings are the same for everybody who sits it */
  settled_by_starts: { assessment: string; attempts: number; fields: string[] }
  /** changed since it was read; `by` null where nobody is noted */
  stale: { assessment: string; version: number; by: string | null; at: Date | null }
  /** an assessment of the society has it */
  code_taken: { assessment: string }
  /** the one of this code is not of the society that was named */
  of_another_society: { assessment: string; named: string }
  season_empty: { season: string | null }
  season_same: { season: string }
  /** of a member who is a candidate of it */
  is_candidate_there: { assessment: string }
  /** no fairness card can be made of the season now */
  card_impossible: { season: string; obstacle: 'nobody_sat' | 'still_open' | 'deleted' }
  /** log or answers have changed since the card was previewed */
  card_stale: { season: string }
  /** `reasons` against it */
  not_publishable: { assessment: string; reasons: PublicationError[] }
  already_published: { assessment: string }
  already_draft: { assessment: string }
  /** a file of questions that is not read */
  /** `table`: how it begins, where its columns are not known */
  question_file: { problem: FileProblem; table?: TableStart }
  /** its questions are samples, and stay by themselves */
  is_sample: { assessment: string }
  /** more than an assessment can have; `count` with those that are there */
  too_many_items: { assessment: string; count: number; most: number }
  /** a published test would have them */
  uneven_forms: { assessment: string; A: number; B: number }
  nothing_to_export: { assessment: string }
  /** one of the questions that shall be stored, from 1 */
  question_flawed: { number: number; reason: LeftOutReason }
  /** somebody has changed the questions that shall be replaced; how many there are now */
  stale_questions: { count: number }
  /** an import that is not one's own, too long ago, or changed since */
  undo_too_late: Nothing

  window_unchanged: Nothing
  zone_unknown: { timeZone: string }
  /** another zone, and times that stand without being given anew */
  zone_without_times: Nothing
  closes_before_opens: Nothing

  already_revoked: { username: string }

  /** lines of a list that nobody was added of, each with its first problem */
  lines_wrong: { lines: { line: number; text: string }[] }
  names_taken: Nothing
  /** no credentials leave while the window and the questions may still change */
  still_draft: Nothing
  /** nobody can start any more */
  is_over: Nothing
  bad_address: { address: string }
  /** by another candidate of the list */
  address_taken: { username: string }
  no_such_candidate: Nothing
  /** changed by somebody since it was read */
  stale_candidate: { changedBy: string | null; current?: CandidateFacts }
  has_started: { username: string }
  /** of who may reset passwords alone */
  one_at_a_time: Nothing
  sheet_too_long: Nothing

  would_take_time_away: { username: string; secondsBefore: number }
  would_end_at_once: { username: string }
  time_has_run_out: { assessment: string; username: string }
  ended_by_strikes: { username: string }
  already_submitted: { assessment: string; username: string }
  /** no seconds to add for everybody */
  nothing_to_add: Nothing
  /** no seconds from now for one */
  nothing_from_now: Nothing
  not_started: { assessment: string; username: string }
  still_open: { assessment: string; username: string }
  strikes_stand: { assessment: string; username: string }

  nothing_to_exempt: Nothing
  no_such_event: { assessment: string; event: number }
  event_not_counted: { event: number; kind: string }
  already_taken_back: { event: number }

  /** an idempotency key that was used for something else */
  key_used: Nothing
  /** what was previewed would be something else now; `preview` as the browser reads it */
  preview_changed: { preview: TimePreview }
  /** too long ago, or somebody has changed since what it set */
  time_undo_too_late: Nothing
  /** beyond what the caller gives one candidate in all; seconds */
  most_given: { name: string; given: number; left: number }
  /** of a member who has a room, about somebody of another */
  not_your_room: { room: string }
  end_is_past: Nothing
  /** more than a day from now */
  end_is_far: Nothing
  /** somebody writes, whom the strikes would end */
  strikes_would_end: { username: string }
  /** another number would count now than was read */
  late_changed: { acceptable: number }
  /** another moment stands than was read */
  stale_rooms: { roomsUntil: Date | null }

  no_such_item: { assessment: string; item: number }
  nothing_ruled: { item: number }
  already_void: { item: number }
  already_right: { item: number; option: OptionLetter }
  already_full_marks: { item: number }
  already_replaced: { item: number }
  /** a ruling or a proposal that is not of this assessment, or was taken back or declined meanwhile */
  no_such_ruling: Nothing
  /** a call that was done when it was sent the first time */
  pressed_twice: Nothing
  already_kept: { item: number }

  /** the code was not typed a second time */
  not_confirmed: { assessment: string }
  still_inside: { assessment: string; username: string }
  /** now or later: it is no draft, and its last moment to start has not passed */
  can_be_started: { assessment: string }
  is_no_draft: { assessment: string }
  is_draft: { assessment: string }
  deletion_asked: { assessment: string; by: string }
  no_deletion_asked: { assessment: string }
  /** the one who asked is not the one who confirms */
  second_owner_needed: { assessment: string }
  /** of a society with one owner, who waits a day */
  deletion_too_early: { assessment: string; from: Date }

  /** a date by which it deletes itself needs time for owners to object */
  kept_too_short: { days: number }
  nobody_sat: { assessment: string }
  /** moved by somebody since it was read; null: there is none any more */
  stale_line: { line: ResultLine | null }
  /** it is moved with a reason alone */
  line_fixed: Nothing
  no_line: Nothing
  line_not_fixed: Nothing
  names_covered: Nothing
  /** who exports without names asked for a file with names */
  without_names_only: Nothing
  /** of nobody, or more than one */
  /** somebody is inside, can start, or nobody sat */
  results_not_ready: { state: 'nobody' | 'can_start' | 'inside' | 'over' }
  release_not_confirmed: { assessment: string }
  /** no reason says why that does not matter */
  release_hindered: { obstacles: Obstacles }
  already_released: Nothing
  not_released: Nothing
  /** more than one zip has; the most it has */
  /** very many files are being written just now */
  writing_busy: Nothing

  /** codes of samples, and of societies' own tests that have demo candidates */
  holds_demo_data: { samples: string[]; demos: string[] }
}

export type RefusalCode = keyof RefusalFacts

/** Refuses what an organiser asked for, with a code and the facts behind it. */
export class OrganiserRefusal<Code extends RefusalCode = RefusalCode> extends Error {
  readonly code: Code
  readonly facts: RefusalFacts[Code]
  constructor(code: Code, facts: RefusalFacts[Code]) {
    super(code)
    this.code = code
    this.facts = facts
  }
}
