/** A member's role in a society; one account may have several (product 7.7.3). */
export const ROLES = ['owner', 'author', 'invigilator', 'reviewer'] as const
export type Role = (typeof ROLES)[number]

/** How far a role may go where it may not do the whole act; a route has to say that it keeps to it. */
export type Limit =
  /** when nobody can sit the assessment any more */
  | 'after_close'
  /** each look is asked for and noted */
  | 'noted_on_request'
  /** numbers, nobody's name */
  | 'counts'
  /** where the member has a room, its candidates alone */
  | 'own_room'
  /** a new password for one who is on the list */
  | 'reset_password'
  /** not an incident that the member reported */
  | 'not_own_report'
  /** of items, not of candidates */
  | 'item_statistics'
  /** a member with the full permission decides */
  | 'propose'
  /** exports alone, and without names */
  | 'without_names'
  /** what the member did */
  | 'own_actions'

/** 'all': the whole act. A role that is not named may not. */
type Row = Readonly<Partial<Record<Role, 'all' | Limit>>>

/** Who may do what (product 7.7.4). The one place where it is decided: routes, pages and tests read it. */
export const PERMISSIONS = {
  /** list, overview, window */
  see_assessments: { owner: 'all', author: 'all', invigilator: 'all', reviewer: 'all' },
  read_questions: { owner: 'all', author: 'all', reviewer: 'after_close' },
  read_keys: { owner: 'all', author: 'all', reviewer: 'after_close' },
  /** import and anchors too */
  write_questions: { owner: 'all', author: 'all' },
  /** window, duration, rules */
  set_rules_before_start: { owner: 'all', author: 'all' },
  set_rules_after_start: { owner: 'all' },
  see_names: { owner: 'all', invigilator: 'all', reviewer: 'noted_on_request' },
  /** the list, passwords, accommodations */
  manage_candidates: { owner: 'all', invigilator: 'reset_password' },
  watch_live: { owner: 'all', author: 'counts', invigilator: 'own_room', reviewer: 'all' },
  /** a simulated crowd on a copy */
  simulate: { owner: 'all', author: 'all' },
  /** to one candidate, 15 minutes in all */
  give_incident_time: { owner: 'all', invigilator: 'all' },
  /** more than that, to everybody; reopen; end now */
  give_any_time: { owner: 'all' },
  message_candidates: { owner: 'all', invigilator: 'all' },
  /** with a note */
  report_incident: { owner: 'all', invigilator: 'all', reviewer: 'all' },
  decide_incident: { owner: 'all', reviewer: 'not_own_report' },
  void_event: { owner: 'all', reviewer: 'all' },
  see_scores: { owner: 'all', author: 'item_statistics', reviewer: 'all' },
  rule_on_question: { owner: 'all', author: 'propose', reviewer: 'propose' },
  accept_late_answers: { owner: 'all', reviewer: 'all' },
  /** and export */
  release_results: { owner: 'all', reviewer: 'without_names' },
  read_log: { owner: 'all', author: 'own_actions', invigilator: 'own_actions', reviewer: 'all' },
  /** invite, change roles, end them */
  manage_members: { owner: 'all' },
  /** its name, its zone, whom candidates ask */
  edit_society: { owner: 'all' },
  /** and restore */
  delete_test: { owner: 'all' },
} as const satisfies Record<string, Row>

export type Act = keyof typeof PERMISSIONS

/** Whether a role may do something: 'all', how far, or null for not at all. */
export function may(role: Role, act: Act): 'all' | Limit | null {
  const row: Row = PERMISSIONS[act]
  return row[role] ?? null
}

/** What several roles may together: 'all' where one of them may all, else every limit that one of them has. */
export function mayWith(roles: readonly Role[], act: Act): 'all' | Limit[] {
  const found = roles.map((role) => may(role, act)).filter((one) => one !== null)
  const limits = found.filter((one) => one !== 'all')
  return limits.length < found.length ? 'all' : [...new Set(limits)]
}

/** The same of a member's roles in force. */
export const extentOf = (held: readonly { role: Role }[], act: Act): 'all' | Limit[] => {
  const roles = held.map(({ role }) => role)
  return mayWith(roles, act)
}

/** A role in force, and the room that it is for; null: every room. Those for the test come first. */
export interface HeldRole {
  role: Role
  room: string | null
  /** the code of the test that it is for; null: the whole society */
  assessment: string | null
}

/** The only room that a member reaches in an act, an invigilator's (product 7.12.7); null: every room. */
export function roomOf(held: readonly Omit<HeldRole, 'assessment'>[], act: Act): string | null {
  const able = held.filter(({ role }) => {
    const extent = may(role, act)
    return extent !== null && extent !== 'counts'
  })
  return able.every(({ room }) => room !== null) ? (able[0]?.room ?? null) : null
}

/** Whether these roles always need a second factor: invigilators only where a proof is asked for (product 7.13.1). */
export const needsSecondFactor = (roles: readonly Role[]): boolean =>
  roles.some((role) => role !== 'invigilator')
