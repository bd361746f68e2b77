import { and, eq, ne } from 'drizzle-orm'
import type { Context } from 'hono'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { noteAct, noteUser } from '../acts.ts'
import { invalid } from '../errors.ts'
import { sessions } from '../tables.ts'
import { requireSession } from './bearer.ts'

/**
 * POST /logout: ends this session (local), all but this (others), or all (global, also when nothing is
 * said). Answers 204. Errors: those of requireSession; 400 validation_failed for another scope.
 */
export async function signOut(dependencies: AppDependencies, context: Context): Promise<Response> {
  const { user, session } = await requireSession(dependencies, context.req.raw)
  noteAct(context, 'sign-out')
  noteUser(context, user.id)
  const scope = context.req.query('scope') || 'global'
  const own = eq(sessions.userId, user.id)
  if (scope === 'global') {
    await dependencies.db.delete(sessions).where(own)
  } else if (scope === 'local') {
    await dependencies.db.delete(sessions).where(and(own, eq(sessions.id, session.id)))
  } else if (scope === 'others') {
    await dependencies.db.delete(sessions).where(and(own, ne(sessions.id, session.id)))
  } else {
    throw invalid(`Unsupported logout scope "${scope.slice(0, 50)}"`)
  }
  return context.body(null, 204)
}
