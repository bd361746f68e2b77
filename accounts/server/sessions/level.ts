import type { Session } from '../tables.ts'

/** What a second factor was proved by, in the protocol's words: the app, or a code on paper. */
export const SECOND_METHODS = ['totp', 'mfa/recovery_code'] as const
export type SecondMethod = (typeof SECOND_METHODS)[number]

const isSecond = ({ method }: { method: string }) =>
  (SECOND_METHODS as readonly string[]).includes(method)

/** How sure it is who has the session: aal2 with password and second factor (product 2.10.4). */
export const levelOf = ({ amr }: Pick<Session, 'amr'>): 'aal1' | 'aal2' =>
  amr.some(isSecond) ? 'aal2' : 'aal1'

/** What was proved in a session by the second factor. */
export const secondOf = ({ amr }: Pick<Session, 'amr'>) => amr.filter(isSecond)
/** What was proved without it. */
export const firstOf = ({ amr }: Pick<Session, 'amr'>) => amr.filter((entry) => !isSecond(entry))
