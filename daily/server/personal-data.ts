import type { PersonalData } from '../../platform/server/personal-data.ts'

/** What this room holds on a person. */
export const DAILY_DATA: PersonalData = {
  daily_results: {
    keys: 'select date::text from daily_results where user_id = $1 order by daily_results.date',
    rows: `select date::text, selected_option, was_correct, time_taken_seconds, answered_at
      from daily_results where user_id = $1 and date = any ($2::date[]) order by daily_results.date`,
  },
}
