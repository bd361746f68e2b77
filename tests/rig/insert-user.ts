import { randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { sessionJson } from '../../accounts/server/sessions/sessions.ts'
import { profiles, sessions, users } from '../../accounts/server/tables.ts'
import { userJson } from '../../accounts/server/user-json.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'

/** Hashes by password, at argon2's minimum cost. A sign-in verifies them at that cost. */
const hashes = new Map<string, Promise<string>>()

function cheapHash(password: string): Promise<string> {
  const known =
    hashes.get(password) ?? hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  hashes.set(password, known)
  return known
}

/**
 * Stores an account, or a guest without an email, with a session. It works like sign-up, without the call and its
 * costly hash.
 * @returns sign-up's response
 */
export async function insertUser(
  dependencies: AppDependencies,
  { email, password }: { email?: string; password?: string },
) {
  const now = dependencies.now()
  const method = email ? ('password' as const) : ('anonymous' as const)
  const [user] = await dependencies.db
    .insert(users)
    .values({
      id: randomUUID(),
      email: email?.toLowerCase() ?? null,
      passwordHash: email && password ? await cheapHash(password) : null,
      isAnonymous: !email,
      metadata: {},
      createdAt: now,
      updatedAt: now,
      lastSignInAt: now,
    })
    .returning()
  if (!user) throw new Error('The user was not stored.')
  const session = {
    id: randomUUID(),
    userId: user.id,
    refreshCounter: 0,
    amr: [{ method, timestamp: Math.floor(now.getTime() / 1000) }],
    userAgent: null,
    ip: '127.0.0.1',
    createdAt: now,
    refreshedAt: now,
    provenAt: email ? now : null,
    organizerAt: null,
    keysAt: null,
  }
  await Promise.all([
    dependencies.db.insert(profiles).values({ userId: user.id, createdAt: now }),
    dependencies.db.insert(sessions).values(session),
  ])
  return {
    ...(await sessionJson(dependencies, user, session)),
    user: userJson(user, null) as { id: string },
  }
}
