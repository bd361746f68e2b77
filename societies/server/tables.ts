// Long because this file holds the data dictionary for all of societies/.
import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from '../../accounts/server/tables.ts'
import {
  assessmentItems,
  assessments,
  attempts,
  candidates,
  itemRulings,
  societies,
} from '../../assessments/server/tables.ts'
import { bytea, instant } from '../../platform/database/tables.ts'
import type { Role } from '../kit/roles.ts'
import type { QuestionContent } from '../questions/question-content.ts'
import type { SimulationEnding } from '../setup/contract-rehearsal.ts'

const ofSociety = () => uuid('society_id').references(() => societies.id)
const ofAssessment = () =>
  text('assessment').references(() => assessments.code, { onDelete: 'cascade' })
const ofCandidate = () =>
  uuid('candidate_id').references(() => candidates.id, { onDelete: 'cascade' })
const ofItem = () =>
  integer('item_id').references(() => assessmentItems.id, { onDelete: 'cascade' })
const ofUser = () => uuid('user_id').references(() => users.id, { onDelete: 'cascade' })
/** References an account; null once it is deleted. */
const userOrGone = (name: string) => uuid(name).references(() => users.id, { onDelete: 'set null' })

/** An organizer's action and its actor: a member in the browser, or the system's user at the command line. */
export const adminActions = pgTable(
  'admin_actions',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    at: instant('at').notNull(),
    /** name at that time; it stays when the account is deleted */
    actor: text('actor').notNull(),
    /** the member's account; null for the operating system's user and for deleted accounts */
    userId: userOrGone('user_id'),
    action: text('action').notNull(),
    /** null for actions without a society, such as a backup */
    societyId: ofSociety(),
    assessment: text('assessment'),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull(),
    via: text('via').$type<'console' | 'command'>().notNull().default('command'),
  },
  (table) => [
    check('admin_actions_via', sql`${table.via} in ('console', 'command')`),
    index('admin_actions_assessment').on(table.assessment, table.id),
    index('admin_actions_user').on(table.userId).where(sql`${table.userId} is not null`),
    index('admin_actions_society').on(table.societyId, table.id),
  ],
)

/** One role of one account, for its society or for one test. An ended role grants nothing. */
export const memberships = pgTable(
  'memberships',
  {
    id: uuid('id').primaryKey(),
    societyId: ofSociety().notNull(),
    userId: ofUser().notNull(),
    role: text('role').$type<Role>().notNull(),
    /** null: all of the society's tests, including future ones */
    assessment: ofAssessment(),
    /** an invigilator's room; null: all rooms */
    room: text('room'),
    createdAt: instant('created_at').notNull(),
    endedAt: instant('ended_at'),
  },
  (table) => [
    uniqueIndex('memberships_role')
      .on(table.userId, table.societyId, table.role, sql`coalesce(${table.assessment}, '')`)
      .where(sql`${table.endedAt} is null`),
    index('memberships_society').on(table.societyId),
    index('memberships_assessment').on(table.assessment),
    check(
      'memberships_known_role',
      sql`${table.role} in ('owner', 'author', 'invigilator', 'reviewer')`,
    ),
    check(
      'memberships_room',
      sql`${table.room} is null or (${table.role} = 'invigilator' and btrim(${table.room}) <> '')`,
    ),
    // Otherwise deleting a test could remove a society's last owner.
    check('memberships_owner_of_all', sql`${table.role} <> 'owner' or ${table.assessment} is null`),
  ],
)

/** Invitations to a society. They are closed but never deleted, so the link that a member used stays known. */
export const societyInvitations = pgTable(
  'society_invitations',
  {
    id: uuid('id').primaryKey(),
    societyId: ofSociety().notNull(),
    email: text('email').notNull(),
    roles: text('roles').array().$type<Role[]>().notNull(),
    /** of the roles, as in memberships */
    assessment: ofAssessment(),
    /** of the role invigilator, as in memberships */
    room: text('room'),
    /** the command line can invite without being a member */
    via: text('via').$type<'console' | 'command'>().notNull(),
    /** name at that time */
    invitedByName: text('invited_by_name').notNull(),
    invitedBy: userOrGone('invited_by'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** requested validity in days; sending again restarts it */
    expiresInDays: smallint('expires_in_days').notNull(),
    /** keyed hash of the newest link's token; null before the first link */
    tokenHash: bytea('token_hash').unique(),
    sentCount: integer('sent_count').notNull().default(0),
    lastSentAt: instant('last_sent_at'),
    acceptedAt: instant('accepted_at'),
    userId: userOrGone('user_id'),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    index('society_invitations_society').on(table.societyId, table.createdAt),
    index('society_invitations_user').on(table.userId),
    index('society_invitations_invited_by').on(table.invitedBy),
    index('society_invitations_assessment').on(table.assessment),
    check('society_invitations_email_lower', sql`${table.email} = lower(${table.email})`),
    check('society_invitations_via', sql`${table.via} in ('console', 'command')`),
    check(
      'society_invitations_roles',
      sql`cardinality(${table.roles}) > 0 and ${table.roles} <@ array['owner', 'author', 'invigilator', 'reviewer']`,
    ),
    check(
      'society_invitations_owner_of_all',
      sql`not 'owner' = any(${table.roles}) or ${table.assessment} is null`,
    ),
    check(
      'society_invitations_room',
      sql`${table.room} is null or ('invigilator' = any(${table.roles}) and btrim(${table.room}) <> '')`,
    ),
    check(
      'society_invitations_closed_once',
      sql`${table.acceptedAt} is null or ${table.revokedAt} is null`,
    ),
  ],
)

/** All versions of all questions, including removed ones, so that they can be restored (product 7.9.8). */
export const itemVersions = pgTable(
  'item_versions',
  {
    assessment: ofAssessment().notNull(),
    questionId: uuid('question_id').notNull(),
    version: integer('version').notNull(),
    content: jsonb('content').$type<QuestionContent>().notNull(),
    /** null for loaded, imported or copied questions, which no member wrote here */
    changedByName: text('changed_by_name'),
    changedBy: userOrGone('changed_by'),
    changedAt: instant('changed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.assessment, table.questionId, table.version] }),
    index('item_versions_changed_by')
      .on(table.changedBy)
      .where(sql`${table.changedBy} is not null`),
    check(
      'item_versions_changed',
      sql`(${table.changedByName} is null) = (${table.changedAt} is null)`,
    ),
  ],
)

/** A simulated crowd on a copy of an assessment (product 7.11.9). It is deleted with the copy. */
export const simulations = pgTable(
  'simulations',
  {
    /** the copy */
    assessment: ofAssessment().primaryKey(),
    societyId: ofSociety().notNull(),
    candidateCount: smallint('candidate_count').notNull(),
    /** name at that time */
    startedBy: text('started_by').notNull(),
    startedAt: instant('started_at').notNull(),
    /** planned end */
    endsAt: instant('ends_at').notNull(),
    /** last heartbeat of its node */
    beatAt: instant('beat_at').notNull(),
    endedAt: instant('ended_at'),
    ending: text('ending').$type<SimulationEnding>(),
  },
  (table) => [
    uniqueIndex('simulations_one_a_society')
      .on(table.societyId)
      .where(sql`${table.endedAt} is null`),
    check('simulations_ending', sql`(${table.endedAt} is null) = (${table.ending} is null)`),
    check(
      'simulations_known_ending',
      sql`${table.ending} in ('played', 'stopped', 'yielded', 'lost')`,
    ),
  ],
)

/**
 * Deletion of an assessment: who requested it, and how much there was (product 7.8.9). It can be reversed until it is
 * done.
 */
export const assessmentDeletions = pgTable(
  'assessment_deletions',
  {
    id: uuid('id').primaryKey(),
    assessment: ofAssessment().notNull(),
    /** hidden from all views from this time */
    requestedAt: instant('requested_at').notNull(),
    requestedBy: userOrGone('requested_by'),
    /** name at that time */
    requestedByName: text('requested_by_name').notNull(),
    withdrawnAt: instant('withdrawn_at'),
    /** permanent from this time */
    doneAt: instant('done_at'),
    /** number of candidates when it was done, without demo candidates */
    candidateCount: integer('candidate_count'),
    satCount: integer('sat_count'),
  },
  (table) => [
    uniqueIndex('assessment_deletions_open')
      .on(table.assessment)
      .where(sql`${table.withdrawnAt} is null and ${table.doneAt} is null`),
    index('assessment_deletions_assessment').on(table.assessment),
    index('assessment_deletions_user').on(table.requestedBy),
  ],
)

/**
 * Questions added by an import, so that a repeated request adds nothing and the import can be undone (product
 * 7.9.33).
 */
export const questionImports = pgTable(
  'question_imports',
  {
    id: uuid('id').primaryKey(),
    assessment: ofAssessment().notNull(),
    userId: userOrGone('user_id'),
    createdAt: instant('created_at').notNull(),
    /** ids in assessment_items */
    itemIds: integer('item_ids').array().notNull(),
  },
  (table) => [
    index('question_imports_assessment').on(table.assessment),
    index('question_imports_user').on(table.userId),
  ],
)

/** A member's answer given with the key hidden; a different option disputes the key (product 7.9.40). */
export const keyChecks = pgTable(
  'key_checks',
  {
    itemId: ofItem().notNull(),
    userId: ofUser().notNull(),
    /** the answer doesn't apply to other versions */
    itemVersion: integer('item_version').notNull(),
    choice: text('choice').$type<'A' | 'B' | 'C' | 'D'>().notNull(),
    comment: text('comment'),
    checkedAt: instant('checked_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.itemId, table.userId] }),
    index('key_checks_user').on(table.userId),
    check('key_checks_choice', sql`${table.choice} in ('A', 'B', 'C', 'D')`),
  ],
)

/** State of the email with a candidate's credentials (product 7.10.10). */
export type CredentialMailState = 'queued' | 'sent' | 'failed' | 'stopped' | 'unsure'

/** An email with a candidate's username and password. The text and the password are made when it is sent. */
export const credentialMails = pgTable(
  'credential_mails',
  {
    id: uuid('id').primaryKey(),
    candidateId: ofCandidate().notNull(),
    address: text('address').notNull(),
    state: text('state').$type<CredentialMailState>().notNull(),
    /** the mail server's last error, or why the email was stopped */
    error: text('error'),
    createdAt: instant('created_at').notNull(),
    /** last change of the state, so that pages can ask for changes */
    changedAt: instant('changed_at').notNull(),
    /** when the mail server accepted it */
    sentAt: instant('sent_at'),
    /** name at that time */
    madeBy: text('made_by').notNull(),
    /** window and duration in the email (societies/candidates/credential-letter.ts); null before it is sent */
    told: text('told'),
    /** during an attempt to send: keyed hash of its password, which becomes valid once the email is accepted */
    passwordHash: bytea('password_hash'),
  },
  (table) => [
    index('credential_mails_candidate').on(table.candidateId, table.createdAt),
    check(
      'credential_mails_state',
      sql`${table.state} in ('queued', 'sent', 'failed', 'stopped', 'unsure')`,
    ),
  ],
)

/** The organizers' paragraph in an assessment's emails. */
export const credentialTexts = pgTable('credential_texts', {
  assessment: ofAssessment().primaryKey(),
  paragraph: text('paragraph').notNull(),
  version: integer('version').notNull(),
  changedBy: text('changed_by').notNull(),
  changedAt: instant('changed_at').notNull(),
})

/** Responses to members' requests by the page's request id, so that a repeated request runs once (product 7.15.3). */
export const organizerCalls = pgTable(
  'organiser_calls',
  {
    id: uuid('id').primaryKey(),
    assessment: ofAssessment().notNull(),
    action: text('action').notNull(),
    /** includes the member who sent it */
    answer: jsonb('answer').$type<{ by: string | null; answer: unknown }>().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('organiser_calls_assessment').on(table.assessment)],
)

/** Alerts that a member marked as seen, which removes them from 'To look at'. */
export const seenMarks = pgTable(
  'seen_marks',
  {
    candidateId: ofCandidate().notNull(),
    /** the kind and time of the alert; a repeated one gets a new mark */
    mark: text('mark').notNull(),
    seenAt: instant('seen_at').notNull(),
    /** name at that time */
    seenBy: text('seen_by').notNull(),
  },
  (table) => [primaryKey({ columns: [table.candidateId, table.mark] })],
)

/** A member's report of an incident, for one candidate, a room, or everyone. */
export const incidentReports = pgTable(
  'incident_reports',
  {
    id: uuid('id').primaryKey(),
    assessment: ofAssessment().notNull(),
    candidateId: ofCandidate(),
    room: text('room'),
    happenedAt: instant('happened_at').notNull(),
    note: text('note').notNull(),
    /** name at that time */
    reportedBy: text('reported_by').notNull(),
    /** the member who reported an incident can't decide it */
    userId: userOrGone('user_id'),
    reportedAt: instant('reported_at').notNull(),
  },
  (table) => [
    index('incident_reports_assessment').on(table.assessment, table.happenedAt),
    index('incident_reports_candidate').on(table.candidateId),
    index('incident_reports_user').on(table.userId),
    check('incident_reports_note', sql`length(${table.note}) between 1 and 2000`),
  ],
)

/** A reviewer's decision on an incident. A withdrawn decision keeps its row. */
export const incidentVerdicts = pgTable(
  'incident_verdicts',
  {
    id: uuid('id').primaryKey(),
    candidateId: ofCandidate().notNull(),
    /** id of the candidate's incident; incidents are derived, but their ids stay the same */
    incident: text('incident').notNull(),
    verdict: text('verdict').$type<'cleared' | 'upheld' | 'needs_talk'>().notNull(),
    reason: text('reason').notNull(),
    /** name at that time */
    decidedBy: text('decided_by').notNull(),
    userId: userOrGone('user_id'),
    decidedAt: instant('decided_at').notNull(),
    withdrawnAt: instant('withdrawn_at'),
    withdrawnBy: text('withdrawn_by'),
  },
  (table) => [
    uniqueIndex('incident_verdicts_standing')
      .on(table.candidateId, table.incident)
      .where(sql`${table.withdrawnAt} is null`),
    index('incident_verdicts_user').on(table.userId),
    check(
      'incident_verdicts_verdict',
      sql`${table.verdict} in ('cleared', 'upheld', 'needs_talk')`,
    ),
    check(
      'incident_verdicts_withdrawn',
      sql`(${table.withdrawnAt} is null) = (${table.withdrawnBy} is null)`,
    ),
  ],
)

/** A society's cut score, and when names were revealed next to the scores. */
export const resultLines = pgTable('result_lines', {
  assessment: ofAssessment().primaryKey(),
  /** lowest passing score in points */
  points: real('points').notNull(),
  version: integer('version').notNull(),
  /** names at that time */
  changedBy: text('changed_by').notNull(),
  changedAt: instant('changed_at').notNull(),
  /** when it was locked; later changes need a reason */
  fixedAt: instant('fixed_at'),
  fixedBy: text('fixed_by'),
  namesShownAt: instant('names_shown_at'),
  namesShownBy: text('names_shown_by'),
})

/** Candidates excluded from the ranking by an owner; their scores stay. The log has those included again. */
export const rankingExclusions = pgTable('ranking_exclusions', {
  candidateId: ofCandidate().primaryKey(),
  reason: text('reason').notNull(),
  /** name at that time */
  excludedBy: text('excluded_by').notNull(),
  excludedAt: instant('excluded_at').notNull(),
})

/** The result of each attempt before and after a ruling. */
export const rulingResults = pgTable(
  'ruling_results',
  {
    rulingId: integer('ruling_id')
      .notNull()
      .references(() => itemRulings.id, { onDelete: 'cascade' }),
    attemptId: uuid('attempt_id')
      .notNull()
      .references(() => attempts.id, { onDelete: 'cascade' }),
    correctBefore: smallint('correct_before').notNull(),
    incorrectBefore: smallint('incorrect_before').notNull(),
    correctAfter: smallint('correct_after').notNull(),
    incorrectAfter: smallint('incorrect_after').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.rulingId, table.attemptId] }),
    index('ruling_results_attempt').on(table.attemptId),
  ],
)

/** An owner's confirmation that a suspicious key is right, which removes the notice. */
export const keyConfirmations = pgTable(
  'key_confirmations',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    itemId: ofItem().notNull(),
    reason: text('reason').notNull(),
    /** names at that time */
    confirmedBy: text('confirmed_by').notNull(),
    confirmedAt: instant('confirmed_at').notNull(),
    withdrawnAt: instant('withdrawn_at'),
    withdrawnBy: text('withdrawn_by'),
  },
  (table) => [
    uniqueIndex('key_confirmations_standing')
      .on(table.itemId)
      .where(sql`${table.withdrawnAt} is null`),
    index('key_confirmations_item').on(table.itemId),
    check(
      'key_confirmations_withdrawn',
      sql`(${table.withdrawnAt} is null) = (${table.withdrawnBy} is null)`,
    ),
  ],
)

/** The public fairness report of a test, as last published. */
export const fairnessReports = pgTable('fairness_reports', {
  id: uuid('id').primaryKey(),
  assessment: ofAssessment().notNull().unique('fairness_reports_assessment'),
  content: jsonb('content').$type<Record<string, unknown>>().notNull(),
  publishedAt: instant('published_at').notNull(),
  /** name at that time */
  publishedBy: text('published_by').notNull(),
  /** last change since publication; null: none */
  changedAt: instant('changed_at'),
})

/** Statistics of a season's questions that remain after names and answers are deleted, without individual answers. */
export const keptStatistics = pgTable('kept_statistics', {
  assessment: ofAssessment().primaryKey(),
  content: jsonb('content').$type<Record<string, unknown>>().notNull(),
  keptAt: instant('kept_at').notNull(),
})
