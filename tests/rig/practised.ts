import type { Rig } from './rig.ts'

/** Adds a row of this person to each practice table that a test of ten doesn't fill. */
export async function practiseEverything(rig: Pick<Rig, 'db'>, userId: string): Promise<void> {
  const rows: [table: string, columns: string, values: string][] = [
    [
      'answered_questions',
      'session_id, place, kind, item, family, choice, is_right, answered_at, day',
      `gen_random_uuid(), 1, 'due', '2001', '2001', 'A', true, now(), current_date`,
    ],
    [
      'practice_sessions',
      'id, kind, score, total, completed_at',
      `gen_random_uuid(), 'due', 1, 1, now()`,
    ],
    ['review_cards', 'family, item', `'a-family', '2001'`],
    [
      'drills',
      'id, preset, version, seed, started_at, took_ms, correct, wrong, skipped, score, answers',
      `gen_random_uuid(), 'zetamac', 1, 7, now(), 120000, 1, 0, 0, 1, '[]'`,
    ],
    [
      'spoken_answers',
      'id, prompt, points, rating, took_ms, answered_at, day',
      `gen_random_uuid(), 'three-statements', '[1]', 2, 80000, now(), current_date`,
    ],
    [
      'superdays',
      'id, seed, time_zone, started_at, counts_from, questions, case_slug, prompts',
      `gen_random_uuid(), 7, 'UTC', now(), now(), '{2001}', 'a-case', '{three-statements}'`,
    ],
    ['practice_plans', 'minutes_a_day, role, changed_at', `20, 'investment-banking', now()`],
    [
      'push_subscriptions',
      'endpoint, keys, created_at',
      `'https://push.example.com/1', '{"p256dh": "x", "auth": "y"}', now()`,
    ],
    ['reminders_sent', 'day, channel, sent_at', `current_date, 'mail', now()`],
  ]
  for (const [table, columns, values] of rows) {
    await rig.db.$client.query(
      `insert into ${table} (user_id, ${columns}) values ($1, ${values})`,
      [userId],
    )
  }
}
