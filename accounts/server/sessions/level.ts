import type { Session } from '../tables.ts'

/** Ways to prove the second factor, in the protocol's terms: the app or a recovery code. */
export const SECOND_METHODS = ['totp', 'mfa/recovery_code'] as const
export type SecondMethod = (typeof SECOND_METHODS)[number]

const isSecond = ({ method }: { method: string }) =>
  (SECOND_METHODS as readonly string[]).includes(method)

/** A session's assurance level: aal2 with password and second factor (product 2.10.4). */
export const levelOf = ({ amr }: Pick<Session, 'amr'>): 'aal1' | 'aal2' =>
  amr.some(isSecond) ? 'aal2' : 'aal1'

/** A session's proofs by the second factor. */
export const secondOf = ({ amr }: Pick<Session, 'amr'>) => amr.filter(isSecond)
/** A session's other proofs. */
export const firstOf = ({ amr }: Pick<Session, 'amr'>) => amr.filter((entry) => !isSecond(entry))
