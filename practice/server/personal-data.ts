import type { PersonalData } from '../../platform/server/personal-data.ts'

export const PRACTICE_DATA: PersonalData = {
  test_results: {
    keys: 'select id from test_results where user_id = $1 order by completed_at, id',
    rows: `select id, category, difficulty, test_number, score, total_questions, completed_at,
        questions_data
      from test_results where user_id = $1 and id = any ($2::uuid[]) order by completed_at, id`,
  },
  error_practices: {
    keys: 'select id from error_practices where user_id = $1 order by completed_at, id',
    rows: `select id, completed_at from error_practices
      where user_id = $1 and id = any ($2::uuid[]) order by completed_at, id`,
  },
  practice_days: {
    keys: 'select day::text from practice_days where user_id = $1 order by practice_days.day',
    rows: `select day::text, completed_at, time_zone from practice_days
      where user_id = $1 and day = any ($2::date[]) order by practice_days.day`,
  },
  question_reports: {
    keys: 'select id from question_reports where user_id = $1 order by created_at, id',
    rows: `select question_id, reason, details, created_at from question_reports
      where user_id = $1 and id = any ($2::uuid[]) order by created_at, id`,
  },
  answered_questions: {
    keys: `select session_id || '/' || place as id from answered_questions
      where user_id = $1 order by answered_at, session_id, place`,
    rows: `select session_id, kind, item, choice, is_right, is_guess, took_ms, answered_at, day::text
      from answered_questions where user_id = $1 and (session_id, place) in (
        select split_part(key, '/', 1)::uuid, split_part(key, '/', 2)::int from unnest($2::text[]) key
      )
      order by answered_at, session_id, place`,
  },
  practice_sessions: {
    keys: 'select id from practice_sessions where user_id = $1 order by completed_at, id',
    rows: `select kind, about, score, total, completed_at from practice_sessions
      where user_id = $1 and id = any ($2::uuid[]) order by completed_at, id`,
  },
  review_cards: {
    keys: 'select family from review_cards where user_id = $1 order by family',
    rows: `select family, due::text, stability, difficulty, lapses, last_day::text from review_cards
      where user_id = $1 and family = any ($2::text[]) order by family`,
  },
  drills: {
    keys: 'select id from drills where user_id = $1 order by started_at, id',
    rows: `select preset, started_at, took_ms, correct, wrong, skipped, score, answers from drills
      where user_id = $1 and id = any ($2::uuid[]) order by started_at, id`,
  },
  spoken_answers: {
    keys: 'select id from spoken_answers where user_id = $1 order by answered_at, id',
    rows: `select prompt, points, rating, took_ms, answered_at from spoken_answers
      where user_id = $1 and id = any ($2::uuid[]) order by answered_at, id`,
  },
  superdays: {
    keys: 'select id from superdays where user_id = $1 order by started_at, id',
    rows: `select started_at, time_zone, questions, case_slug, prompts, test, ended_at from superdays
      where user_id = $1 and id = any ($2::uuid[]) order by started_at, id`,
  },
  practice_plans: `select interview_on::text, minutes_a_day, role, days_off, started_on::text, reminders, changed_at
    from practice_plans where user_id = $1`,
  push_subscriptions: 'select endpoint, created_at from push_subscriptions where user_id = $1',
  reminders_sent: `select day::text, channel, sent_at from reminders_sent where user_id = $1
    order by reminders_sent.day`,
}
