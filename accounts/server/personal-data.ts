import type { Api } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { deleteProfile, exportProfile } from '../contract.ts'

/**
 * What is held on a person, by table: the SQL that reads it for their own export ($1 is the user's id).
 * Columns are named one by one. Of assessments: which, when, the answers given and the events; never a
 * key, a score or a regrade (product 2.8.2). A test holds this list against the schema, so that a
 * new table with a user_id is not forgotten.
 */
export const PERSONAL_DATA: Record<string, string> = {
  users: `select email, email_verified_at, is_anonymous, metadata, created_at, updated_at,
    last_sign_in_at, recovery_sent_at from users where id = $1`,
  profiles: 'select created_at from profiles where user_id = $1',
  sessions: `select created_at, refreshed_at, user_agent, ip from sessions where user_id = $1
    order by created_at`,
  recovery_tokens: 'select created_at, expires_at from recovery_tokens where user_id = $1',
  test_results: `select id, category, difficulty, test_number, score, total_questions, completed_at,
    questions_data from test_results where user_id = $1 order by completed_at`,
  error_practices:
    'select id, completed_at from error_practices where user_id = $1 order by completed_at',
  practice_days: `select day::text, completed_at, time_zone from practice_days where user_id = $1
    order by day`,
  daily_results: `select date::text, selected_option, was_correct, time_taken_seconds, answered_at
    from daily_results where user_id = $1 order by date`,
  question_reports: `select question_id, reason, details, created_at from question_reports
    where user_id = $1 order by created_at`,
  candidate_tokens: `select c.assessment, c.username, t.created_at from candidate_tokens t
    join candidates c on c.id = t.candidate_id where t.user_id = $1 order by t.created_at`,
  attempts: `select a.assessment, c.username, a.started_at, a.deadline_at, a.submitted_at,
      a.submit_reason,
      (select jsonb_agg(jsonb_build_object('question', i.question, 'choice', answer.choice,
          'savedAt', answer.saved_at) order by answer.saved_at)
        from attempt_answers answer join assessment_items i on i.id = answer.item_id
        where answer.attempt_id = a.id) as answers
    from attempts a join candidates c on c.id = a.candidate_id
    where a.user_id = $1 order by a.started_at`,
  attempt_windows: `select opened_at, address, agent from attempt_windows where user_id = $1
    order by opened_at`,
  // A save's detail holds choices, a late answer's too: what the person chose, and no key.
  attempt_events: `select kind, at_ms, detail, address, agent, received_at from attempt_events
    where user_id = $1 order by id`,
}

/** Download and deletion of one's own data (product 2.8). */
export function servePersonalData(api: Api, { db }: AppDependencies): void {
  api.serve(exportProfile, async ({ user }) => {
    const held: Record<string, unknown> = {}
    for (const [table, query] of Object.entries(PERSONAL_DATA)) {
      const { rows } = await db.$client.query(query, [user.id])
      held[table] = rows
    }
    return held
  })

  api.serve(deleteProfile, async ({ user }) => {
    // Everything of the person goes with the row; attempts, windows, events and reports lose the link
    // (schema, on delete).
    await db.$client.query('delete from users where id = $1', [user.id])
    return { deleted: true as const }
  })
}
