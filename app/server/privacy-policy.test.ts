import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { CONTENT_DIR } from '../../platform/server/project-folder.ts'
import { useRig } from '../../tests/rig/rig.ts'

/** For each table with personal data, words of the Privacy Policy that mention it. */
const NAMED: Record<string, string> = {
  users: 'your email address and your password',
  profiles: 'when you joined',
  sessions: 'For each device on which you are signed in, a session',
  second_factors: 'If you set up an authenticator app: its key, encrypted',
  second_factor_codes: 'your recovery codes as keyed hashes',
  recovery_tokens: 'Recovery links and codes are stored as keyed hashes',
  address_changes: 'to confirm a new address',
  rate_limits: 'we count attempts under hashes of the network address',
  mails: 'the record of an email',
  test_results: 'Each finished test, with its category',
  error_practices: 'a test of your mistakes',
  practice_sessions: 'a test you built, a review or a case',
  answered_questions: 'For each question that you answered: your choice, whether it was right',
  review_cards: 'the review schedule: the day each question comes back',
  drills: 'Each drill, with its score, your answers',
  spoken_answers: 'Each spoken answer, with the points you checked',
  superdays: 'Each mock superday, with its questions, your answers and your strikes',
  practice_plans: 'Your plan: the date of your interview, minutes a day, role and days off',
  reminders_sent: 'the days on which we sent one',
  push_subscriptions: 'the address and keys that your browser gives us for push messages',
  practice_days: 'The days on which you practiced',
  daily_results: 'Your answer to each daily brainteaser',
  question_reports: 'If you report a question, we store which question it was',
  candidates: 'your candidate username and, if it lists them, your name, your email address',
  candidate_tokens: 'when you entered your credentials',
  credential_mails: 'whether and when that email was sent',
  rehearsals: 'If you rehearse before the test, we store when',
  device_checks: 'what we found about your browser, clock and connection',
  attempts: 'when and how the assessment was submitted',
  attempt_answers: 'the answers you chose',
  attempt_events: 'every saved change with its time',
  attempt_windows: 'a second window',
  attempt_comments: 'a comment that you write to the society',
  candidate_messages: 'messages that the society sends you during the test',
  incident_reports: 'what its helpers noted during the test',
  incident_verdicts: 'what its reviewers decided about it, with their reasons',
  ranking_exclusions: 'what its reviewers decided about it, with their reasons',
  memberships: 'your invitation and your roles',
  society_invitations: 'your invitation and your roles',
  admin_actions: 'a log of what you did for the society, with your name',
  question_imports: 'questions that you imported, changed or checked',
  item_versions: 'questions that you imported, changed or checked',
  key_checks: 'questions that you imported, changed or checked',
  assessment_deletions: 'tests that you deleted',
}

/** All other tables, and why they contain no people except organizers' names in their log. */
const NOT_NAMED = {
  'content, the same for all': [
    ...['questions', 'practice_cases', 'spoken_prompts', 'bank', 'brainteasers'],
    'daily_brainteasers',
  ],
  'the service itself': ['signing_keys', 'service_pulse', 'service_outages'],
  "a society, its tests and their settings, with the organizer's name where one changed them": [
    ...['societies', 'assessments', 'assessment_items', 'exhibit_pictures', 'item_rulings'],
    ...['form_deals', 'credential_texts', 'result_lines', 'result_releases', 'fairness_reports'],
    ...['key_confirmations', 'simulations', 'kept_statistics'],
  ],
  'derived from an attempt or a log line that is named': [
    ...['ruling_results', 'organiser_calls', 'seen_marks', 'replaced_tokens'],
  ],
  'the place of a removed candidate in the order, and no more': ['removed_candidates'],
}

const rig = useRig()

const policy = readFileSync(path.join(CONTENT_DIR, 'pages', 'privacy.yaml'), 'utf8').replace(
  /\s+/g,
  ' ',
)

it('The Privacy Policy or the list of exceptions covers each table of the database', async () => {
  const { rows } = await rig.db.$client.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const covered = [...Object.keys(NAMED), ...Object.values(NOT_NAMED).flat()]
  expect(rows.map(({ name }) => name).sort()).toEqual(covered.sort())
})

it.each(Object.entries(NAMED))('The Privacy Policy says what %s stores', (_, words) => {
  expect(policy).toContain(words)
})
