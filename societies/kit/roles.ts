/** A member's role in a society. One account may have several (product 7.7.3). */
export const ROLES = ['owner', 'author', 'invigilator', 'reviewer'] as const
export type Role = (typeof ROLES)[number]

/** A limit of a role that doesn't have the full permission. The route has to declare that it enforces the limit. */
export type Limit =
  /** Only after nobody can take the test anymore. */
  | 'after_close'
  /** Each access is requested and logged. */
  | 'noted_on_request'
  /** Only counts, no names. */
  | 'counts'
  /** Only the candidates in the member's room, if the member has one. */
  | 'own_room'
  /** Only a new password for a candidate on the list. */
  | 'reset_password'
  | 'not_own_report'
  /** Only for items, not for candidates. */
  | 'item_statistics'
  /** A member with the full permission has to decide. */
  | 'propose'
  /** Only exports, without names. */
  | 'without_names'
  | 'own_actions'

/** 'all' is the full permission. A role that isn't listed has none. */
type Row = Readonly<Partial<Record<Role, 'all' | Limit>>>

/** The permission table (product 7.7.4), which is the single source for routes, pages and tests. */
export const PERMISSIONS = {
  /** The list, overview and window. */
  see_assessments: { owner: 'all', author: 'all', invigilator: 'all', reviewer: 'all' },
  read_questions: { owner: 'all', author: 'all', reviewer: 'after_close' },
  read_keys: { owner: 'all', author: 'all', reviewer: 'after_close' },
  /** Includes import and anchors. */
  write_questions: { owner: 'all', author: 'all' },
  /** The window, duration and rules. */
  set_rules_before_start: { owner: 'all', author: 'all' },
  set_rules_after_start: { owner: 'all' },
  see_names: { owner: 'all', invigilator: 'all', reviewer: 'noted_on_request' },
  /** The list, passwords and accommodations. */
  manage_candidates: { owner: 'all', invigilator: 'reset_password' },
  watch_live: { owner: 'all', author: 'counts', invigilator: 'own_room', reviewer: 'all' },
  /** Simulated candidates on a copy. */
  simulate: { owner: 'all', author: 'all' },
  /** At most 15 minutes in total to one candidate. */
  give_incident_time: { owner: 'all', invigilator: 'all' },
  /** More time, time for all candidates, reopening, and ending tests now. */
  give_any_time: { owner: 'all' },
  message_candidates: { owner: 'all', invigilator: 'all' },
  /** With a note. */
  report_incident: { owner: 'all', invigilator: 'all', reviewer: 'all' },
  decide_incident: { owner: 'all', reviewer: 'not_own_report' },
  void_event: { owner: 'all', reviewer: 'all' },
  see_scores: { owner: 'all', author: 'item_statistics', reviewer: 'all' },
  rule_on_question: { owner: 'all', author: 'propose', reviewer: 'propose' },
  accept_late_answers: { owner: 'all', reviewer: 'all' },
  /** Includes exports. */
  release_results: { owner: 'all', reviewer: 'without_names' },
  read_log: { owner: 'all', author: 'own_actions', invigilator: 'own_actions', reviewer: 'all' },
  manage_members: { owner: 'all' },
  edit_society: { owner: 'all' },
  /** Includes restoring. */
  delete_test: { owner: 'all' },
} as const satisfies Record<string, Row>

export type Act = keyof typeof PERMISSIONS

export function may(role: Role, act: Act): 'all' | Limit | null {
  const row: Row = PERMISSIONS[act]
  return row[role] ?? null
}

/** Combines the permissions of several roles: 'all' if one has it, otherwise every limit of any role. */
export function mayWith(roles: readonly Role[], act: Act): 'all' | Limit[] {
  const found = roles.map((role) => may(role, act)).filter((one) => one !== null)
  const limits = found.filter((one) => one !== 'all')
  return limits.length < found.length ? 'all' : [...new Set(limits)]
}

/** Does the same for a member's active roles. */
export const extentOf = (held: readonly { role: Role }[], act: Act): 'all' | Limit[] => {
  const roles = held.map(({ role }) => role)
  return mayWith(roles, act)
}

/** An active role and its room; null means every room. Roles for the test come before those for the society. */
export interface HeldRole {
  role: Role
  room: string | null
  /** The code of the role's test; null means the whole society. */
  assessment: string | null
}

/** The only room an invigilator can reach with an action (product 7.12.7); null means every room. */
export function roomOf(held: readonly Omit<HeldRole, 'assessment'>[], act: Act): string | null {
  const able = held.filter(({ role }) => {
    const extent = may(role, act)
    return extent !== null && extent !== 'counts'
  })
  return able.every(({ room }) => room !== null) ? (able[0]?.room ?? null) : null
}

/** Whether these roles always need a second factor, or only for re-authentication (product 7.13.1). */
export const needsSecondFactor = (roles: readonly Role[]): boolean =>
  roles.some((role) => role !== 'invigilator')
