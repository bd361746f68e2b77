import { sql } from 'drizzle-orm'
import { dayAfter } from '../../platform/local-day.ts'
import { keyOf, wrongOf } from './bank-fixture.ts'
import type { Rig } from './rig.ts'

/** The local day of the rig's clock. */
export const TODAY = '2026-03-02'

/** Stores answers of earlier days, as the server would: [item, days ago, right]. */
export const answersIn =
  (rig: Rig) =>
  async (
    userId: string,
    answers: readonly (readonly [item: number, daysAgo: number, isRight: boolean])[],
  ): Promise<void> => {
    for (const [item, daysAgo, isRight] of answers) {
      const day = dayAfter(TODAY, -daysAgo)
      await rig.db.execute(sql`
        insert into answered_questions (user_id, session_id, place, kind, item, family, choice, is_right, answered_at, day)
        values (${userId}, gen_random_uuid(), 0, 'due', ${String(item)}, ${String(item)},
          ${isRight ? keyOf(item) : wrongOf(item)}, ${isRight}, ${`${day}T09:00:00Z`}, ${day})`)
      await rig.db.execute(sql`
        insert into review_cards (user_id, family, item) values (${userId}, ${String(item)}, ${String(item)})
        on conflict (user_id, family) do update set stale = true`)
    }
  }
