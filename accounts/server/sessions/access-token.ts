import { hash, sign } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import type { Session, User } from '../tables.ts'
import { appMetadataOf, userMetadataOf } from '../user-json.ts'
import { loadSigningKeys, type SigningKeys } from './keys.ts'
import { levelOf } from './level.ts'

/** Seconds that an access token is valid. Below 300 the client would refresh constantly (product 2.1.3, 2.1.4). */
export const ACCESS_TOKEN_SECONDS = 3600

/** Seconds that a node's clock may be behind the signing node's. */
const LEEWAY_SECONDS = 10

const AUDIENCE = 'authenticated'

const issuerOf = (dependencies: AppDependencies) => `${dependencies.publicUrl}/auth/v1`

/** Signs an ES256 token with exactly the claims of product 2.9.6. */
export async function signAccessToken(
  dependencies: AppDependencies,
  user: User,
  session: Pick<Session, 'id' | 'amr'>,
): Promise<{ token: string; expiresAt: number }> {
  const keys = await loadSigningKeys(dependencies)
  const issuedAt = Math.floor(dependencies.now().getTime() / 1000)
  const expiresAt = issuedAt + ACCESS_TOKEN_SECONDS
  const claims = {
    iss: issuerOf(dependencies),
    sub: user.id,
    aud: AUDIENCE,
    exp: expiresAt,
    iat: issuedAt,
    email: user.email ?? '',
    phone: '',
    app_metadata: appMetadataOf(user),
    user_metadata: userMetadataOf(user),
    role: AUDIENCE,
    aal: levelOf(session),
    amr: session.amr,
    session_id: session.id,
    is_anonymous: user.isAnonymous,
  }
  return { token: signClaims(claims, keys), expiresAt }
}

/** A compact JWS (RFC 7515, 3.1), signed synchronously: another thread would take six times as long. */
function signClaims(claims: object, { kid, privateKey }: SigningKeys): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'ES256', kid, typ: 'JWT' })}.${part(claims)}`
  const signature = sign('sha256', Buffer.from(signed), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return `${signed}.${signature.toString('base64url')}`
}

/** The claims that identify the caller. The user of this type has to check that they are UUIDs. */
export interface TokenClaims {
  sub: unknown
  sessionId: unknown
  /** seconds since 1970 */
  exp: number
}

/** A token that isn't ours, is malformed, or has expired. The message says which. */
export class InvalidTokenError extends Error {}

/** Claims of verified tokens by hash, because a token can have 6 KB. Verifying costs more than the rest of a call. */
const verified = new WeakMap<AppDependencies, Map<string, TokenClaims>>()
/** When full, the cache takes about 8 MB. */
const VERIFIED_LIMIT = 20_000

/** Verifies signature, algorithm, issuer, audience and expiry. Errors: InvalidTokenError. */
export async function verifyAccessToken(
  dependencies: AppDependencies,
  token: string,
): Promise<TokenClaims> {
  const known = verified.get(dependencies) ?? new Map<string, TokenClaims>()
  verified.set(dependencies, known)
  const key = hash('sha256', token, 'base64')
  const remembered = known.get(key)
  if (remembered) {
    const seconds = Math.floor(dependencies.now().getTime() / 1000)
    if (seconds < remembered.exp + LEEWAY_SECONDS) return remembered
    known.delete(key)
    throw new InvalidTokenError('token is expired')
  }
  const payload = await verifySignature(dependencies, token)
  const claims = { sub: payload.sub, sessionId: payload.session_id, exp: payload.exp as number }
  if (known.size >= VERIFIED_LIMIT) {
    // A map keeps the order of insertion, so the first key is the oldest.
    const [oldest] = known.keys()
    if (oldest) known.delete(oldest)
  }
  known.set(key, claims)
  return claims
}

async function verifySignature(dependencies: AppDependencies, token: string): Promise<JWTPayload> {
  const keys = await loadSigningKeys(dependencies)
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = keys.publicKeys.get(kid ?? '')
        if (!key) throw new errors.JWSInvalid('unknown key')
        return key
      },
      {
        algorithms: ['ES256'],
        issuer: issuerOf(dependencies),
        audience: AUDIENCE,
        requiredClaims: ['exp'],
        clockTolerance: LEEWAY_SECONDS,
        currentDate: dependencies.now(),
      },
    )
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new InvalidTokenError('token is expired')
    if (error instanceof errors.JOSEError) throw new InvalidTokenError(error.message)
    throw error
  }
}
