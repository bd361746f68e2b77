import type { PersonalData } from '../../platform/server/personal-data.ts'

const byId = (table: string, columns: string, time: string): PersonalData[string] => ({
  keys: `select id from ${table} where user_id = $1 order by ${time}, id`,
  rows: `select ${columns} from ${table}
    where user_id = $1 and id = any ($2::uuid[]) order by ${time}, id`,
})

export const PRACTICE_DATA: PersonalData = {
  test_results: byId(
    'test_results',
    'id, category, difficulty, test_number, score, total_questions, completed_at, questions_data',
    'completed_at',
  ),
  error_practices: byId('error_practices', 'id, completed_at', 'completed_at'),
  practice_days: {
    keys: 'select day::text from practice_days where user_id = $1 order by practice_days.day',
    rows: `select day::text, completed_at, time_zone from practice_days
      where user_id = $1 and day = any ($2::date[]) order by practice_days.day`,
  },
  question_reports: byId(
    'question_reports',
    'question_id, reason, details, created_at',
    'created_at',
  ),
  answered_questions: {
    keys: `select session_id || '/' || place as id from answered_questions
      where user_id = $1 order by answered_at, session_id, place`,
    rows: `select session_id, kind, item, choice, is_right, is_guess, took_ms, answered_at, day::text
      from answered_questions where user_id = $1 and (session_id, place) in (
        select split_part(key, '/', 1)::uuid, split_part(key, '/', 2)::int from unnest($2::text[]) key
      )
      order by answered_at, session_id, place`,
  },
  practice_sessions: byId(
    'practice_sessions',
    'kind, about, score, total, completed_at',
    'completed_at',
  ),
  review_cards: {
    keys: 'select family from review_cards where user_id = $1 order by family',
    rows: `select family, due::text, stability, difficulty, lapses, last_day::text from review_cards
      where user_id = $1 and family = any ($2::text[]) order by family`,
  },
  drills: byId(
    'drills',
    'preset, started_at, took_ms, correct, wrong, skipped, score, answers',
    'started_at',
  ),
  spoken_answers: byId(
    'spoken_answers',
    'prompt, points, rating, took_ms, answered_at',
    'answered_at',
  ),
  superdays: byId(
    'superdays',
    'started_at, time_zone, questions, case_slug, prompts, test, ended_at',
    'started_at',
  ),
  practice_plans: `select interview_on::text, minutes_a_day, role, days_off, started_on::text, reminders, changed_at
    from practice_plans where user_id = $1`,
  push_subscriptions: 'select endpoint, created_at from push_subscriptions where user_id = $1',
  reminders_sent: `select day::text, channel, sent_at from reminders_sent where user_id = $1
    order by reminders_sent.day`,
}
