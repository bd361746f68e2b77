import type { PersonalData } from '../../platform/server/personal-data.ts'
import { isOver } from './candidate-store.ts'

/** Whether the assessment is over. Until then exports omit question texts (product 2.8.6). $3 is now. */
const IS_OVER = `a.submitted_at is not null
  and exists (select from assessments s where s.code = a.assessment and ${isOver('s', '$3')})`

/** The personal data stored by assessments, without keys, scores or regrades (product 2.8.2). */
export const ASSESSMENT_DATA: PersonalData = {
  candidate_tokens: {
    keys: `select encode(token_hash, 'hex') from candidate_tokens where user_id = $1
      order by created_at, token_hash`,
    rows: `select c.assessment, c.username, t.created_at from candidate_tokens t
      join candidates c on c.id = t.candidate_id
      where t.user_id = $1 and t.token_hash in (select decode(key, 'hex') from unnest($2::text[]) key)
      order by t.created_at, t.token_hash`,
  },
  attempts: {
    keys: 'select id from attempts where user_id = $1 order by started_at, id',
    rows: `select a.assessment, c.username, a.started_at, a.deadline_at, a.submitted_at,
        a.submit_reason,
        (select jsonb_agg(jsonb_build_object('number', array_position(a.paper, answer.item_id),
            'question', case when ${IS_OVER} then i.question end, 'choice', answer.choice,
            'savedAt', answer.saved_at) order by answer.saved_at)
          from attempt_answers answer join assessment_items i on i.id = answer.item_id
          where answer.attempt_id = a.id) as answers,
        (select c2.text from attempt_comments c2 where c2.attempt_id = a.id) as comment
      from attempts a join candidates c on c.id = a.candidate_id
      where a.user_id = $1 and a.id = any ($2::uuid[]) order by a.started_at, a.id`,
  },
  attempt_windows: {
    keys: `select attempt_id || ' ' || window_id from attempt_windows where user_id = $1
      order by opened_at, attempt_id, window_id`,
    rows: `select opened_at, address, agent from attempt_windows
      where user_id = $1 and (attempt_id, window_id) in (
        select split_part(key, ' ', 1)::uuid, split_part(key, ' ', 2) from unnest($2::text[]) key
      )
      order by opened_at, attempt_id, window_id`,
  },
  // The detail of a save or late answer holds the candidate's choices and no key.
  attempt_events: {
    keys: 'select id::float8 from attempt_events where user_id = $1 order by attempt_events.id',
    rows: `select kind, at_ms, detail, dwell, address, agent, received_at from attempt_events
      where user_id = $1 and id = any ($2::bigint[]) order by id`,
  },
  rehearsals: `select a.trial_of as assessment, r.opened_at
    from rehearsals r join candidates c on c.id = r.candidate_id join assessments a on a.code = c.assessment
    where r.user_id = $1 order by r.opened_at, r.candidate_id`,
  device_checks: `select s.name as society, d.checked_at, d.browser, d.clock_offset_ms, d.round_trip_ms,
      d.has_fullscreen, d.has_storage, d.troubles
    from device_checks d join societies s on s.id = d.society_id
    where d.user_id = $1 order by d.checked_at, d.id`,
}
