import { createHash } from 'node:crypto'
import type { Factor } from './proof-store.ts'
import type { User } from './tables.ts'

export type ToldFactor = Pick<Factor, 'id' | 'createdAt' | 'verifiedAt'>

/** A user has at most one factor, so it needs no other name. */
export const FACTOR_NAME = 'Authenticator app'

/** `{}` for a guest. Email is the only provider here. */
export function appMetadataOf(user: User): Record<string, unknown> {
  return user.isAnonymous ? {} : { provider: 'email', providers: ['email'] }
}

/** The sign-up data, with an account's own fields, which that data can't replace (product 2.9.5). */
export function userMetadataOf(user: User): Record<string, unknown> {
  if (user.isAnonymous) return user.metadata
  return { ...user.metadata, ...identityFieldsOf(user) }
}

function identityFieldsOf(user: User): Record<string, unknown> {
  return {
    email: user.email,
    email_verified: user.emailVerifiedAt !== null,
    phone_verified: false,
    sub: user.id,
  }
}

/** The user in the client library's format (product 2.9.5), field by field. Includes an unverified factor. */
export function userJson(user: User, factor: ToldFactor | null): Record<string, unknown> {
  const createdAt = user.createdAt.toISOString()
  // The protocol always reports the email as confirmed: without email_confirmed_at, the library's users would look half
  // signed-up. email_verified in user_metadata says whether the user opened a mail's link.
  const confirmedAt = user.isAnonymous
    ? undefined
    : (user.emailVerifiedAt ?? user.createdAt).toISOString()
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email ?? '',
    email_confirmed_at: confirmedAt,
    phone: '',
    confirmed_at: confirmedAt,
    recovery_sent_at: user.recoverySentAt?.toISOString(),
    last_sign_in_at: user.lastSignInAt?.toISOString(),
    app_metadata: appMetadataOf(user),
    user_metadata: userMetadataOf(user),
    identities: user.isAnonymous ? [] : [identityJson(user)],
    factors: factor ? [factorJson(factor)] : undefined,
    created_at: createdAt,
    updated_at: user.updatedAt.toISOString(),
    is_anonymous: user.isAnonymous,
  }
}

function factorJson(factor: ToldFactor): Record<string, unknown> {
  const createdAt = factor.createdAt.toISOString()
  return {
    id: factor.id,
    friendly_name: FACTOR_NAME,
    factor_type: 'totp',
    status: factor.verifiedAt ? 'verified' : 'unverified',
    created_at: createdAt,
    updated_at: factor.verifiedAt?.toISOString() ?? createdAt,
  }
}

function identityJson(user: User): Record<string, unknown> {
  return {
    identity_id: identityId(user.id),
    id: user.id,
    user_id: user.id,
    identity_data: userMetadataOf(user),
    provider: 'email',
    last_sign_in_at: user.lastSignInAt?.toISOString(),
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
    email: user.email,
  }
}

/** A person has at most one identity, so its id is derived from theirs instead of stored. */
function identityId(userId: string): string {
  const hex = createHash('sha256').update(`identity of ${userId}`).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    // version 8 and variant 10: a UUID made by a custom rule (RFC 9562)
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
