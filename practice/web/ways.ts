import { URLS } from '../../platform/urls.ts'

/** The ways to practice other than today's questions, by purpose (product 1.7.12). */
export const WAYS: Record<string, readonly (readonly [to: string, name: string, about: string])[]> =
  {
    'Tests and questions': [
      [URLS.build, 'Build a test', 'Choose topics, levels and clock'],
      [URLS.drills, 'Drills', 'Timed mental math'],
      [URLS.cases, 'Cases', 'Five questions on one exhibit'],
    ],
    Interview: [
      [URLS.aloud, 'Answer aloud', 'Record, compare, rate yourself'],
      [URLS.superday, 'Mock superday', 'A full practice round with a report'],
      [URLS.plan, 'Your plan', 'By the date of your interview'],
      [URLS.formulaSheet, 'Formula sheet', 'For the night before'],
    ],
  }
