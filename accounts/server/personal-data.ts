import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import type { Database } from '../../platform/database/database.ts'
import { createAddressOf } from '../../platform/server/address.ts'
import { type Api, ApiError, answerJson } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { streamText } from '../../platform/server/documents/text-stream.ts'
import { describeError } from '../../platform/server/log.ts'
import type { PersonalData } from '../../platform/server/personal-data.ts'
import { createQuota } from '../../platform/server/quota.ts'
import { deleteProfile, exportProfile, getProfile } from '../contract.ts'
import { nameOf } from '../email.ts'
import { closeAccounts } from './deletion.ts'
import { confirmPassword } from './sign-in/passwords.ts'
import type { RateLimits } from './sign-in/rate-limits.ts'
import { profiles } from './tables.ts'

export const ACCOUNT_DATA: PersonalData = {
  users: `select email, email_verified_at, is_anonymous, metadata, created_at, updated_at,
    last_sign_in_at, recovery_sent_at from users where id = $1`,
  profiles: 'select created_at from profiles where user_id = $1',
  sessions: {
    keys: 'select id from sessions where user_id = $1 order by created_at, id',
    rows: `select created_at, refreshed_at, user_agent, ip from sessions
      where user_id = $1 and id = any ($2::uuid[]) order by created_at, id`,
  },
  second_factors: 'select created_at, verified_at from second_factors where user_id = $1',
  address_changes: 'select email, created_at, expires_at from address_changes where user_id = $1',
  recovery_tokens: 'select created_at, expires_at from recovery_tokens where user_id = $1',
}

/** Serves the signed-in user, and the download and deletion of their data (product 2.8). @param held by all rooms */
export function servePersonalData(
  api: Api,
  dependencies: AppDependencies,
  limits: RateLimits,
  held: PersonalData,
): void {
  const { db, now, log } = dependencies
  const addressOf = createAddressOf(dependencies)
  const makeExport = createPersonalExport(dependencies, held)

  api.serve(getProfile, async ({ user }) => {
    const [profile] = await db.select().from(profiles).where(eq(profiles.userId, user.id))
    // A missing row is our error, not the user's. It is logged and never shown.
    if (!profile) log.warn({ userId: user.id }, 'profile row missing')
    return {
      name: nameOf(user.email),
      email: user.email,
      createdAt: profile?.createdAt.toISOString() ?? null,
      isAnonymous: user.isAnonymous,
    }
  })

  api.serve(exportProfile, async ({ user, body, context }) => {
    await confirmPassword(db, limits, user, body.password, addressOf(context))
    return makeExport(user.id, context)
  })

  api.serve(deleteProfile, async ({ user, body, context }) => {
    await confirmPassword(db, limits, user, body.password, addressOf(context))
    await closeAccounts(db, now(), [user.id])
    return { deleting: true as const }
  })
}

/** Rows per statement in a large table. At 12 KB for a finished test, this is half a megabyte. */
const ROWS_AT_ONCE = 50
/** Exports at the same time on a node. With one batch each, they take about 30 MB. */
const EXPORTS_AT_ONCE = 8

const EXPORTS_QUOTA = {
  name: 'exports',
  limit: 20,
  sentence: 'You have downloaded your data many times today.',
}

/** Exports a person's own data (product 2.8.1, 2.8.5, decision 020), one export at a time per person. */
function createPersonalExport(dependencies: AppDependencies, held: PersonalData) {
  const { db, now, log } = dependencies
  const quota = createQuota(dependencies, EXPORTS_QUOTA)
  /** ids of people whose export is running on this node */
  const underWay = new Set<string>()

  /** Errors: 429 export_running, 429 too_many, 503 unavailable, each with Retry-After. */
  return async (userId: string, context: Context): Promise<Response> => {
    if (underWay.has(userId)) {
      throw new ApiError(
        429,
        'export_running',
        'A download of your data is already running. Please wait until it has finished.',
        { retryAfterSeconds: 10 },
      )
    }
    if (underWay.size >= EXPORTS_AT_ONCE) {
      throw new ApiError(
        503,
        'unavailable',
        'Many people are downloading their data right now. Please try again in half a minute.',
        { retryAfterSeconds: 30 },
      )
    }
    underWay.add(userId)
    try {
      await quota.take(userId)
      const pieces = writeExport(db, held, userId, now())
      // Reading the first piece shows whether the database is available while an error status is still possible.
      const first = await pieces.next()
      const stream = streamText(withFirst(first.value ?? '', pieces, log), {
        onEnd: () => underWay.delete(userId),
        onGivenUp: () => context.env?.outgoing?.destroy(),
      })
      return answerJson(stream)
    } catch (error) {
      underWay.delete(userId)
      throw error
    }
  }
}

async function* withFirst(
  first: string,
  rest: AsyncIterable<string>,
  log: AppDependencies['log'],
): AsyncGenerator<string, undefined> {
  yield first
  try {
    yield* rest
  } catch (error) {
    log.warn({ error: describeError(error) }, 'an export was aborted')
    throw error
  }
}

/** Yields the export as pieces of JSON: an object with a list of rows per table. */
async function* writeExport(
  db: Database,
  held: PersonalData,
  userId: string,
  now: Date,
): AsyncGenerator<string, undefined> {
  let before = '{'
  for (const [table, source] of Object.entries(held)) {
    before += `${JSON.stringify(table)}:[`
    for await (const rows of readHeld(db, source, userId, now)) {
      yield before + rows.map((row) => JSON.stringify(row)).join(',')
      before = ','
    }
    before = before === ',' ? '],' : `${before}],`
  }
  yield `${before.slice(0, -1)}}`
}

/** Yields what one table stores about a person, in nonempty batches. */
export async function* readHeld(
  db: Database,
  source: PersonalData[string],
  userId: string,
  now: Date,
): AsyncGenerator<object[], undefined> {
  if (typeof source === 'string') {
    const { rows } = await db.$client.query(source, [userId])
    if (rows.length > 0) yield rows
    return
  }
  const { rows } = await db.$client.query<[key: unknown]>({
    text: source.keys,
    values: [userId],
    rowMode: 'array',
  })
  const keys = rows.map(([key]) => key)
  const more = source.rows.includes('$3') ? [now] : []
  for (let at = 0; at < keys.length; at += ROWS_AT_ONCE) {
    const batch = keys.slice(at, at + ROWS_AT_ONCE)
    const { rows: some } = await db.$client.query(source.rows, [userId, batch, ...more])
    // The rows may have been deleted in the meantime.
    if (some.length > 0) yield some
  }
}
