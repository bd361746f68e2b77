import type { Context } from 'hono'
import type { Logger } from '../../platform/server/log.ts'

export type Act =
  | 'guest sign-up'
  | 'sign-up'
  | 'sign-in'
  | 'sign-out'
  | 'recovery mail'
  | 'recovery'
  | 'guest to account'
  | 'password change'
  | 'address change'
  | 'password and address change'
  | 'second factor'
  | 'second factor off'
  | 'address confirmation'
  | 'use of an old refresh token'

interface Noted {
  act?: Act
  userId?: string
}

const notedOf = (context: Context): Noted => context.get('noted') ?? {}

export const notedUser = (context: Context): string | undefined => notedOf(context).userId

/** Records what a call does, for the log line after its response. */
export function noteAct(context: Context, act: Act): void {
  context.set('noted', { ...notedOf(context), act })
}

export function noteUser(context: Context, userId: string | undefined): void {
  context.set('noted', { ...notedOf(context), userId })
}

/** Logs one line for a call: the user, and the reason of a refusal. Never an address or input. */
export function logAct(log: Logger, context: Context): void {
  const { act, userId } = notedOf(context)
  if (!act) return
  const reason = context.res.headers.get('X-Sb-Error-Code') ?? undefined
  // Only this refusal suggests that a token was stolen.
  const level = act === 'use of an old refresh token' ? 'warn' : 'info'
  log[level]({ userId, reason }, reason ? `${act} refused` : act)
}
