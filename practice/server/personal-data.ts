import type { PersonalData } from '../../platform/server/personal-data.ts'

/** What this room holds on a person. */
export const PRACTICE_DATA: PersonalData = {
  test_results: `select id, category, difficulty, test_number, score, total_questions, completed_at,
    questions_data from test_results where user_id = $1 order by completed_at`,
  error_practices:
    'select id, completed_at from error_practices where user_id = $1 order by completed_at',
  practice_days: `select day::text, completed_at, time_zone from practice_days where user_id = $1
    order by day`,
  question_reports: `select question_id, reason, details, created_at from question_reports
    where user_id = $1 order by created_at`,
}
