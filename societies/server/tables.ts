// Long because a room's part of the data dictionary stands in one file.
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
/** An account; null once it is deleted. */
const userOrGone = (name: string) => uuid(name).references(() => users.id, { onDelete: 'set null' })

/** What an organizer did, and who it was: in the browser a member, at the command line the system's user. */
export const adminActions = pgTable(
  'admin_actions',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    at: instant('at').notNull(),
    /** name, as it was then; it stays when the account goes */
    actor: text('actor').notNull(),
    /** the member's account; null for the operating system's user, and when the account is gone */
    userId: userOrGone('user_id'),
    action: text('action').notNull(),
    /** null for what concerns no society, such as a backup */
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

/** One role of one account, for its society or for one test; one that ended grants nothing. */
export const memberships = pgTable(
  'memberships',
  {
    id: uuid('id').primaryKey(),
    societyId: ofSociety().notNull(),
    userId: ofUser().notNull(),
    role: text('role').$type<Role>().notNull(),
    /** null: all of the society's, those to come too */
    assessment: ofAssessment(),
    /** an invigilator's: the candidates there; null is every room */
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
    // Otherwise a society could lose its last owner with a test.
    check('memberships_owner_of_all', sql`${table.role} <> 'owner' or ${table.assessment} is null`),
  ],
)

/** Who was asked into a society. Closed, never deleted, so that it stays known who came by which link. */
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
    /** at the command line nobody has to be a member to invite */
    via: text('via').$type<'console' | 'command'>().notNull(),
    /** name, as it was then */
    invitedByName: text('invited_by_name').notNull(),
    invitedBy: userOrGone('invited_by'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** for how long it was asked for, days; to send it again is as many from then on */
    expiresInDays: smallint('expires_in_days').notNull(),
    /** keyed hash of the newest link's token; null until one was made */
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

/** Each version of each question, also of removed ones, so that it can be brought back (product 7.9.8). */
export const itemVersions = pgTable(
  'item_versions',
  {
    assessment: ofAssessment().notNull(),
    questionId: uuid('question_id').notNull(),
    version: integer('version').notNull(),
    content: jsonb('content').$type<QuestionContent>().notNull(),
    /** null for what was loaded, imported or copied: nobody wrote it here */
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

/** A crowd that plays an assessment through, on a copy of it (product 7.11.9). Goes with its copy. */
export const simulations = pgTable(
  'simulations',
  {
    /** of the copy */
    assessment: ofAssessment().primaryKey(),
    societyId: ofSociety().notNull(),
    candidateCount: smallint('candidate_count').notNull(),
    /** name, as it was then */
    startedBy: text('started_by').notNull(),
    startedAt: instant('started_at').notNull(),
    /** as it was planned */
    endsAt: instant('ends_at').notNull(),
    /** when its node last said that it goes on */
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

/** That an assessment was deleted, by whom, and what there was (product 7.8.9); restorable until it is done. */
export const assessmentDeletions = pgTable(
  'assessment_deletions',
  {
    id: uuid('id').primaryKey(),
    assessment: ofAssessment().notNull(),
    /** gone from every view since then */
    requestedAt: instant('requested_at').notNull(),
    requestedBy: userOrGone('requested_by'),
    /** name, as it was then */
    requestedByName: text('requested_by_name').notNull(),
    withdrawnAt: instant('withdrawn_at'),
    /** for good, from then on */
    doneAt: instant('done_at'),
    /** how many there were when it was done; demo candidates don't count */
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

/** What an import added: so that pressing twice adds once, and it can be taken back (product 7.9.33). */
export const questionImports = pgTable(
  'question_imports',
  {
    id: uuid('id').primaryKey(),
    assessment: ofAssessment().notNull(),
    userId: userOrGone('user_id'),
    createdAt: instant('created_at').notNull(),
    /** of assessment_items */
    itemIds: integer('item_ids').array().notNull(),
  },
  (table) => [
    index('question_imports_assessment').on(table.assessment),
    index('question_imports_user').on(table.userId),
  ],
)

/** What a member chose without seeing the key; another choice disputes it (product 7.9.40). */
export const keyChecks = pgTable(
  'key_checks',
  {
    itemId: ofItem().notNull(),
    userId: ofUser().notNull(),
    /** of another version it says nothing */
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

/** How the mail with a candidate's credentials stands (product 7.10.10). */
export type CredentialMailState = 'queued' | 'sent' | 'failed' | 'stopped' | 'unsure'

/** A mail with a candidate's username and password; its text is made when it leaves, as is the password. */
export const credentialMails = pgTable(
  'credential_mails',
  {
    id: uuid('id').primaryKey(),
    candidateId: ofCandidate().notNull(),
    address: text('address').notNull(),
    state: text('state').$type<CredentialMailState>().notNull(),
    /** what the mail server said last, or why it was stopped */
    error: text('error'),
    createdAt: instant('created_at').notNull(),
    /** of the state, so that a page can ask what is new */
    changedAt: instant('changed_at').notNull(),
    /** when the mail server took it */
    sentAt: instant('sent_at'),
    /** name, as it was then */
    madeBy: text('made_by').notNull(),
    /** window and duration as the mail told them (societies/candidates/credential-letter.ts); null before it left */
    told: text('told'),
    /** while a try is under way: the keyed hash of its password, which counts once the mail was taken */
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

/** The paragraph that an assessment's organizers add to the mails. */
export const credentialTexts = pgTable('credential_texts', {
  assessment: ofAssessment().primaryKey(),
  paragraph: text('paragraph').notNull(),
  version: integer('version').notNull(),
  changedBy: text('changed_by').notNull(),
  changedAt: instant('changed_at').notNull(),
})

/** What a member's request was answered, by the page's id for it: sent twice, done once (product 7.15.3). */
export const organizerCalls = pgTable(
  'organiser_calls',
  {
    id: uuid('id').primaryKey(),
    assessment: ofAssessment().notNull(),
    action: text('action').notNull(),
    /** with whose it is */
    answer: jsonb('answer').$type<{ by: string | null; answer: unknown }>().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('organiser_calls_assessment').on(table.assessment)],
)

/** Marks that a member has seen a candidate's line, so that it leaves 'To look at'. */
export const seenMarks = pgTable(
  'seen_marks',
  {
    candidateId: ofCandidate().notNull(),
    /** what was told, and of which moment: the same trouble again is another */
    mark: text('mark').notNull(),
    seenAt: instant('seen_at').notNull(),
    /** name, as it was then */
    seenBy: text('seen_by').notNull(),
  },
  (table) => [primaryKey({ columns: [table.candidateId, table.mark] })],
)

/** What a member saw in the room, or wants looked at: of one candidate, of a room, or of all. */
export const incidentReports = pgTable(
  'incident_reports',
  {
    id: uuid('id').primaryKey(),
    assessment: ofAssessment().notNull(),
    candidateId: ofCandidate(),
    room: text('room'),
    happenedAt: instant('happened_at').notNull(),
    note: text('note').notNull(),
    /** name, as it was then */
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

/** What a reviewer decided about an incident; taken back it stays as a row. */
export const incidentVerdicts = pgTable(
  'incident_verdicts',
  {
    id: uuid('id').primaryKey(),
    candidateId: ofCandidate().notNull(),
    /** which of the candidate's incidents: they are derived, and each has a name that stays */
    incident: text('incident').notNull(),
    verdict: text('verdict').$type<'cleared' | 'upheld' | 'needs_talk'>().notNull(),
    reason: text('reason').notNull(),
    /** name, as it was then */
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

/** Where a society draws the line, and since when names are shown beside the scores. */
export const resultLines = pgTable('result_lines', {
  assessment: ofAssessment().primaryKey(),
  /** the least that is in, points */
  points: real('points').notNull(),
  version: integer('version').notNull(),
  /** names, as they were then */
  changedBy: text('changed_by').notNull(),
  changedAt: instant('changed_at').notNull(),
  /** from then on it is moved with a reason alone */
  fixedAt: instant('fixed_at'),
  fixedBy: text('fixed_by'),
  namesShownAt: instant('names_shown_at'),
  namesShownBy: text('names_shown_by'),
})

/** Candidates whom an owner took out of the ranking; their scores stay. The log keeps those put back. */
export const rankingExclusions = pgTable('ranking_exclusions', {
  candidateId: ofCandidate().primaryKey(),
  reason: text('reason').notNull(),
  /** name, as it was then */
  excludedBy: text('excluded_by').notNull(),
  excludedAt: instant('excluded_at').notNull(),
})

/** The result that each attempt had before a ruling, and had by it. */
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

/** That an owner looked at a key that seemed wrong, and that it is right: nothing asks about it any more. */
export const keyConfirmations = pgTable(
  'key_confirmations',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    itemId: ofItem().notNull(),
    reason: text('reason').notNull(),
    /** names, as they were then */
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

/** What is public of how a test was run, as it was when it was published or changed last. */
export const fairnessReports = pgTable('fairness_reports', {
  id: uuid('id').primaryKey(),
  assessment: ofAssessment().notNull().unique('fairness_reports_assessment'),
  content: jsonb('content').$type<Record<string, unknown>>().notNull(),
  publishedAt: instant('published_at').notNull(),
  /** name, as it was then */
  publishedBy: text('published_by').notNull(),
  /** since it was published; null: never */
  changedAt: instant('changed_at'),
})

/** What stays of a season when names and answers are deleted: numbers of its questions, nobody's answers. */
export const keptStatistics = pgTable('kept_statistics', {
  assessment: ofAssessment().primaryKey(),
  content: jsonb('content').$type<Record<string, unknown>>().notNull(),
  keptAt: instant('kept_at').notNull(),
})
