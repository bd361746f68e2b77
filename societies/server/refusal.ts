import type { OptionLetter } from '../../platform/options.ts'
import type { Obstacles, ResultLine } from '../contract/results.ts'
import type { PublicationError } from '../publication.ts'
import type { Role } from '../roles.ts'

type Nothing = Record<never, never>

/**
 * Why something that an organiser asked for is refused, and what whoever words it needs to know. Nothing
 * was changed (product 7.1.3). The words themselves belong to the edge.
 */
export interface RefusalFacts {
  /** `known`: the codes that there are, sorted */
  no_such_assessment: { assessment: string; known: string[] }
  /** for good: its line stays, and its code with it */
  assessment_deleted: { assessment: string; at: Date }
  society_exists: { society: string }
  /** no e-mail addresses */
  bad_addresses: { addresses: string[] }
  /** an owner has the whole society */
  owner_is_unlimited: Nothing
  /** a test that is not the society's */
  not_of_society: { assessment: string }
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
  /** the reason says nothing, and is kept for an appeal */
  reason_missing: Nothing

  has_attempts: { assessment: string; attempts: number }
  /** somebody has started: these settings are the same for everybody who sits it */
  settled_by_starts: { assessment: string; attempts: number; fields: string[] }
  /** changed since it was read; `by` null where nobody is noted */
  stale: { assessment: string; version: number; by: string | null; at: Date | null }
  /** an assessment of the society has it */
  code_taken: { assessment: string }
  /** `reasons` against it */
  not_publishable: { assessment: string; reasons: PublicationError[] }
  already_published: { assessment: string }
  already_draft: { assessment: string }
  nothing_to_export: { assessment: string }

  zone_unknown: { timeZone: string }
  closes_before_opens: Nothing

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
  has_started: { username: string }
  /** of who may reset passwords alone */
  one_at_a_time: Nothing

  /** no seconds to add for everybody */
  nothing_to_add: Nothing
  /** no seconds from now for one */
  nothing_from_now: Nothing

  nothing_to_exempt: Nothing
  no_such_event: { assessment: string; event: number }

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

  no_such_item: { assessment: string; item: number }
  already_void: { item: number }
  already_right: { item: number; option: OptionLetter }
  already_full_marks: { item: number }
  already_replaced: { item: number }
  /** a ruling or a proposal that is not of this assessment, or was taken back or declined meanwhile */
  no_such_ruling: Nothing
  already_kept: { item: number }

  still_inside: { assessment: string; username: string }
  /** now or later: it is no draft, and its last moment to start has not passed */
  can_be_started: { assessment: string }

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
  /** no reason says why that does not matter */
  release_hindered: { obstacles: Obstacles }
  already_released: Nothing
  not_released: Nothing
  /** more than one zip has; the most it has */
  /** very many files are being written just now */
  writing_busy: Nothing
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
