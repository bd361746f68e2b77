import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { desc, sql } from 'drizzle-orm'
import { calculateJwkThumbprint, importJWK, type JWK } from 'jose'
import type { Database } from '../../../platform/database/database.ts'
import { deriveKey, seal, unseal } from '../../../platform/database/secret-key.ts'
import { AdminError } from '../../../platform/server/admin-error.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { signingKeys } from '../tables.ts'

export interface SigningKeys {
  /** the newest key, which signs */
  kid: string
  privateKey: KeyObject
  /** all keys of the database, which verify */
  publicKeys: Map<string, CryptoKey>
  /** the response of /.well-known/jwks.json */
  jwks: { keys: JWK[] }
}

/** SECRET_KEY differs from the one that the database was set up with. */
export class WrongSecretKeyError extends AdminError {}

type KeyDependencies = Pick<AppDependencies, 'db' | 'secretKey' | 'now'>

const loaded = new WeakMap<AppDependencies, Promise<SigningKeys>>()

/** The keys of access tokens, read once per process. Errors: WrongSecretKeyError. */
export function loadSigningKeys(dependencies: AppDependencies): Promise<SigningKeys> {
  let keys = loaded.get(dependencies)
  if (!keys) {
    keys = prepareKeys(dependencies)
    loaded.set(dependencies, keys)
    // A temporary database failure must not be cached.
    keys.catch(() => loaded.delete(dependencies))
  }
  return keys
}

/** Reads the signing keys, and creates the first one at the first start. Errors: WrongSecretKeyError. */
export async function prepareKeys({ db, secretKey, now }: KeyDependencies): Promise<SigningKeys> {
  let rows = await selectKeys(db)
  if (rows.length === 0) {
    await makeFirstKey(db, secretKey, now())
    rows = await selectKeys(db)
  }
  const newest = rows[0]
  if (!newest) throw new Error('The signing key that was just stored is missing.')
  const key = deriveKey(secretKey, 'signing key')
  const pem = unseal(key, newest.kid, newest.privateKeyEncrypted)
  if (!pem) {
    throw new WrongSecretKeyError(
      'SECRET_KEY differs from the one that this database was set up with, so the key that signs access tokens can’t be read. Start with the SECRET_KEY of the first start.',
    )
  }
  const publicKeys = new Map<string, CryptoKey>()
  for (const row of rows) {
    publicKeys.set(row.kid, (await importJWK(row.publicJwk as JWK, 'ES256')) as CryptoKey)
  }
  return {
    kid: newest.kid,
    privateKey: createPrivateKey(pem.toString('utf8')),
    publicKeys,
    jwks: { keys: rows.map((row) => row.publicJwk as JWK) },
  }
}

function selectKeys(db: Pick<Database, 'select'>) {
  return db.select().from(signingKeys).orderBy(desc(signingKeys.createdAt), signingKeys.kid)
}

/** Stores the first key. Nodes that start together wait here, because no constraint prevents two first keys. */
async function makeFirstKey(db: Database, secretKey: Buffer, createdAt: Date): Promise<void> {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty, crv, x, y } = pair.publicKey.export({ format: 'jwk' })
  const kid = await calculateJwkThumbprint({ kty, crv, x, y })
  const pem = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${signingKeys} in share row exclusive mode`)
    if ((await selectKeys(tx)).length > 0) return
    await tx.insert(signingKeys).values({
      kid,
      publicJwk: { kty, crv, x, y, kid, alg: 'ES256', use: 'sig', key_ops: ['verify'] },
      privateKeyEncrypted: seal(deriveKey(secretKey, 'signing key'), kid, Buffer.from(pem)),
      createdAt,
    })
  })
}
