import { ACCOUNT_DATA } from '../../accounts/server/personal-data.ts'
import { ASSESSMENT_DATA } from '../../assessments/server/personal-data.ts'
import { DAILY_DATA } from '../../daily/server/personal-data.ts'
import type { PersonalData } from '../../platform/server/personal-data.ts'
import { PRACTICE_DATA } from '../../practice/server/personal-data.ts'
import { SOCIETY_DATA } from '../../societies/access/server/personal-data.ts'

/** What all rooms hold on a person, for the export of one's own data (product 2.8.1, 2.8.2). */
export const PERSONAL_DATA: PersonalData = {
  ...ACCOUNT_DATA,
  ...PRACTICE_DATA,
  ...DAILY_DATA,
  ...ASSESSMENT_DATA,
  ...SOCIETY_DATA,
}
