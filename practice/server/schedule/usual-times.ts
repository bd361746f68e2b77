import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { startRepeating } from '../../../platform/server/repeating.ts'
import { raiseBankVersion } from '../content/content.ts'

const DAY_MS = 24 * 3_600_000
/** Answers that are looked at, of however many there are. */
const ANSWERS_LOOKED_AT = 200_000
/** Fewer measured answers say nothing of a question. */
const ANSWERS_AT_LEAST = 20

/** Notes each question's median time (product 3.10.3) from a sample; less than a tenth is no change. Returns how many. */
export async function measureUsualTimes({ db }: Pick<AppDependencies, 'db'>): Promise<number> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ stored: number }>(
      `select greatest(reltuples, 1)::float8 as stored from pg_class
       where oid = 'answered_questions'::regclass`,
    )
    const percent = Math.min(100, (100 * ANSWERS_LOOKED_AT) / (rows[0]?.stored ?? 1))
    const { rowCount } = await tx.execute(
      `with measured as (
         select item, percentile_disc(0.5) within group (order by took_ms)::int as usual
         from answered_questions tablesample system (${percent})
         where took_ms is not null group by item having count(*) >= ${ANSWERS_AT_LEAST}
       )
       update questions set usual_ms = usual from measured
       where item = id::text and (usual_ms is null or abs(usual - usual_ms) > usual_ms / 10)`,
    )
    if (rowCount) await raiseBankVersion(tx)
    return rowCount ?? 0
  })
}

/** Measures now and then each day until stopped; any number of nodes may. */
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
