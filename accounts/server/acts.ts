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

/** Notes what a call is, for the line that the log gets when it was answered. */
export function noteAct(context: Context, act: Act): void {
  context.set('noted', { ...notedOf(context), act })
}

export function noteUser(context: Context, userId: string | undefined): void {
  context.set('noted', { ...notedOf(context), userId })
}

/** One line for an answered call: whose, and why it was refused; never an address or what was typed. */
export function logAct(log: Logger, context: Context): void {
  const { act, userId } = notedOf(context)
  if (!act) return
  const reason = context.res.headers.get('X-Sb-Error-Code') ?? undefined
  // Only this refusal suggests by itself that a token was stolen.
  const level = act === 'use of an old refresh token' ? 'warn' : 'info'
  log[level]({ userId, reason }, reason ? `${act} refused` : act)
}
