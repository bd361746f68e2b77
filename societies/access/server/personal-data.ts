import type { PersonalData } from '../../../platform/server/personal-data.ts'

/** Selects an organizer's roles, invitations, imports, key checks, and logged actions (product 7.7). */
export const SOCIETY_DATA: PersonalData = {
  memberships: `select s.name as society, m.role, m.assessment, m.room, m.created_at, m.ended_at
    from memberships m join societies s on s.id = m.society_id
    where m.user_id = $1 order by m.created_at, m.id`,
  society_invitations: {
    keys: `select id from society_invitations where $1 in (user_id, invited_by)
      order by created_at, id`,
    rows: `select s.name as society, i.email, i.roles, i.assessment, i.room, i.created_at, i.expires_at,
        i.accepted_at, i.revoked_at, i.invited_by = $1 as sent
      from society_invitations i join societies s on s.id = i.society_id
      where $1 in (i.user_id, i.invited_by) and i.id = any ($2::uuid[]) order by i.created_at, i.id`,
  },
  item_versions: `select v.assessment, v.version, v.changed_at, v.changed_by_name from item_versions v
    where v.changed_by = $1 order by v.changed_at, v.assessment, v.question_id, v.version`,
  assessment_deletions: `select d.assessment, d.requested_at, d.withdrawn_at, d.done_at
    from assessment_deletions d where d.requested_by = $1 order by d.requested_at, d.id`,
  question_imports: `select assessment, created_at, cardinality(item_ids) as questions
    from question_imports where user_id = $1 order by created_at, id`,
  // The questions are left out, because they belong to the society.
  key_checks: `select i.assessment, k.choice, k.comment, k.checked_at
    from key_checks k join assessment_items i on i.id = k.item_id
    where k.user_id = $1 order by k.checked_at, k.item_id`,
  // The people and the text of reports are left out, because they are about others.
  incident_reports: `select r.assessment, r.happened_at, r.reported_at
    from incident_reports r where r.user_id = $1 order by r.reported_at, r.id`,
  incident_verdicts: `select c.assessment, v.decided_at, v.withdrawn_at
    from incident_verdicts v join candidates c on c.id = v.candidate_id
    where v.user_id = $1 order by v.decided_at, v.id`,
  admin_actions: {
    keys: 'select id from admin_actions where user_id = $1 order by id',
    // The details are left out, because they are about candidates and other members.
    rows: `select a.at, a.actor, a.action, s.name as society, a.assessment from admin_actions a
      left join societies s on s.id = a.society_id
      where a.user_id = $1 and a.id = any ($2::int[]) order by a.id`,
  },
}
