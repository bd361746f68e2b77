import type { PersonalData } from '../../platform/server/personal-data.ts'

/** What this room holds on a person. */
export const DAILY_DATA: PersonalData = {
  daily_results: `select date::text, selected_option, was_correct, time_taken_seconds, answered_at
    from daily_results where user_id = $1 order by date`,
}
