import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { startRepeating } from '../../../platform/server/repeating.ts'
import { raiseBankVersion } from '../content/content.ts'

const DAY_MS = 24 * 3_600_000
const ANSWERS_LOOKED_AT = 200_000
/** A question needs the times of at least this many people. */
const PEOPLE_TIMED = 20
/** A question needs the first answers of at least this many people. */
const PEOPLE_AT_LEAST = 30
/** In milliseconds. Longer times come from pages that were left open. */
const LONGEST_MS = 600_000

/**
 * SQL: whether the person who gave answer `a` practiced on two days. Guests created in bulk have no vote, because an
 * answer can't be older than its account. Times are compared, because one moment can be two local days in two zones.
 */
const HAS_VOTE = `a.user_id in (
  select user_id from practice_days group by user_id
  having max(completed_at) - min(completed_at) >= interval '12 hours')`

/** SQL: whether `a` is the first answer to its family by a person with a vote. */
export const IS_FIRST_VOTE = `${HAS_VOTE} and not exists (
  select from answered_questions b where b.user_id = a.user_id and b.family = a.family
    and (b.answered_at, b.session_id, b.place) < (a.answered_at, a.session_id, a.place))`

/** Stores usual times (product 3.10.3) and shares of right first answers (3.5.18) that changed. Returns how many. */
export async function measureUsualTimes({ db }: Pick<AppDependencies, 'db'>): Promise<number> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ stored: number }>(
      `select greatest(reltuples, 1)::float8 as stored from pg_class
       where oid = 'answered_questions'::regclass`,
    )
    const percent = Math.min(100, (100 * ANSWERS_LOOKED_AT) / (rows[0]?.stored ?? 1))
    const { rowCount } = await tx.execute(
      // Each person has one vote, however often they answer.
      `with own as (
         select item, percentile_disc(0.5) within group (order by took_ms) as took_ms
         from answered_questions a tablesample system (${percent})
         where took_ms is not null and ${HAS_VOTE} group by item, user_id
       ), measured as (
         select item, percentile_disc(0.5) within group (order by least(took_ms, ${LONGEST_MS}))::int as usual
         from own group by item having count(*) >= ${PEOPLE_TIMED}
       )
       update questions set usual_ms = usual from measured
       where item = id::text and (usual_ms is null or abs(usual - usual_ms) > usual_ms / 10)`,
    )
    const judged = await tx.execute(
      `with judged as (
         select item, round(100 * avg(is_right::int))::int as percent
         from answered_questions a tablesample system (${percent})
         where ${IS_FIRST_VOTE} group by item having count(*) >= ${PEOPLE_AT_LEAST}
       )
       update questions set right_percent = percent from judged
       where item = id::text and (right_percent is null or abs(percent - right_percent) >= 2)`,
    )
    const changed = (rowCount ?? 0) + (judged.rowCount ?? 0)
    if (changed > 0) await raiseBankVersion(tx)
    return changed
  })
}

/** Measures now and then daily until stopped. Any number of nodes can run it. */
export function startUsualTimes(dependencies: Pick<AppDependencies, 'db' | 'log'>) {
  const { log } = dependencies
  return startRepeating(
    {
      everyMs: DAY_MS,
      onError: (error) => log.warn({ error: String(error) }, 'measuring usual times failed'),
    },
    () => measureUsualTimes(dependencies),
  )
}
