import type { PersonalData } from '../../platform/server/personal-data.ts'

/**
 * What this room holds on a person: which assessments, when, the answers given and the events; never a
 * key, a score or a regrade (product 2.8.2).
 */
export const ASSESSMENT_DATA: PersonalData = {
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
