import type { PersonalData } from '../../platform/server/personal-data.ts'

/** What this room holds on a person. */
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
}
