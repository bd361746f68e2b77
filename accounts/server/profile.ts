import { eq } from 'drizzle-orm'
import type { Api } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { getProfile } from '../contract.ts'
import { nameOf } from '../person.ts'
import { profiles } from './tables.ts'

/** Who is signed in. */
export function serveProfile(api: Api, dependencies: AppDependencies): void {
  const { db, log } = dependencies

  api.serve(getProfile, async ({ user }) => {
    const [profile] = await db.select().from(profiles).where(eq(profiles.userId, user.id))
    // A missing row is a fault of ours, not of the person: logged, never an error on screen.
    if (!profile) log.warn({ userId: user.id }, 'profile row missing')
    return {
      name: nameOf(user.email),
      email: user.email,
      createdAt: profile?.createdAt.toISOString() ?? null,
      isAnonymous: user.isAnonymous,
    }
  })
}
