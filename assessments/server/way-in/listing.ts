import type pg from 'pg'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { Api, EnterTurn } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { inRounds } from '../../../platform/server/rounds.ts'
import { listAssessments } from '../../contract.ts'
import { labelOf } from '../../reference.ts'
import { lastStart } from '../candidate-store.ts'
import { ROUND_EVERY_MS } from '../seat-calls.ts'

type Client = Pick<pg.Pool, 'query'>

type Listed = ResponseOf<typeof listAssessments>[number]
type Row = Omit<Listed, 'label' | 'closesInMs' | 'opensAt' | 'closesAt' | 'isRunning'> & Window
/** First and last moment to start, and the last one for any candidate. Null means no limit. */
type Window = Record<'opensAt' | 'closesAt' | 'lastStartAt', Date | null>

/** GET /api/assessments: the open processes, by society (product 6.1). */
export function serveListing(
  api: Api,
  { db, log, now }: AppDependencies,
  enterTurn: EnterTurn,
): void {
  const listFor = async (userIds: readonly string[]) => {
    const at = now()
    const listed = await readListed(db.$client, at)
    const running = await readRunning(db.$client, userIds)
    return userIds.map((userId) =>
      listed.map(({ lastStartAt, ...row }) => ({
        ...row,
        label: labelOf(row),
        isRunning: running.has(`${userId} ${row.code}`),
        // Includes candidates who start at another time.
        closesInMs: lastStartAt && lastStartAt.getTime() - at.getTime(),
      })),
    )
  }
  // A whole room calls this in the same minute, so simultaneous calls share one read.
  const listInRound = inRounds(log, listFor, { everyMs: ROUND_EVERY_MS })
  api.serveInTurn(
    listAssessments,
    enterTurn,
    async ({ user }) => (await listInRound(user.id)) ?? (await listFor([user.id])).flat(),
  )
}

async function readListed(client: Client, at: Date): Promise<Row[]> {
  const { rows } = await client.query<Row>({
    name: 'listed-assessments',
    text: `select code, society, session, duration_seconds as "durationSeconds", navigator, rules,
        opens_at as "opensAt", closes_at as "closesAt", last_start as "lastStartAt", time_zone as "timeZone",
        -- Both forms have equally many questions (product 7.19.2), and the list shows that number.
        (select count(*)::int from assessment_items i where i.assessment = assessments.code
          and i.form is distinct from 'B') as "questionCount",
        ${IS_RELEASED} as "isReleased"
      from assessments cross join lateral (select ${lastStart('assessments')} as last_start) w
      where not is_draft and deleted_at is null and trial is null
        and (last_start is null or last_start > $1 or ${IS_RELEASED})
      order by society, code`,
    values: [listedSince(at), new Date(at.getTime() - LISTED_AFTER_RELEASE_MS)],
  })
  return rows
}

/** Which of these users have a running test, as 'user code'. */
async function readRunning(client: Client, userIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ running: string }>({
    name: 'running-attempts-of-users',
    text: `select asks.id || ' ' || t.assessment as running from unnest($1::uuid[]) as asks (id)
      cross join lateral (
        select t.assessment from attempts t where t.user_id = asks.id and t.submitted_at is null limit 100
      ) t`,
    values: [userIds],
  })
  return new Set(rows.map(({ running }) => running))
}

/** How long a test stays listed for candidates who read their released result (product 6.1.5). */
const LISTED_AFTER_RELEASE_MS = 60 * 24 * 3600 * 1000

const IS_RELEASED = `exists (select from result_releases r where r.assessment = assessments.code
  and r.withdrawn_at is null and r.released_at > $2)`

/** How long a closed assessment stays listed, so that candidates can return to a running test (product 6.1.5). */
const LISTED_AFTER_CLOSE_MS = 24 * 3600 * 1000

/** The moment after which a closed assessment is still listed. */
export function listedSince(now: Date): Date {
  return new Date(now.getTime() - LISTED_AFTER_CLOSE_MS)
}
