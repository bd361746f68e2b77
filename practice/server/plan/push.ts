import { createECDH } from 'node:crypto'
import { buildPushHTTPRequest } from '@pushforge/builder'
import { deriveKey } from '../../../platform/database/secret-key.ts'

export interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

/** The browsers' push services. If any address were allowed, a user could have the server call its own network. */
const SERVICES = [
  /^fcm\.googleapis\.com$/,
  /^updates\.push\.services\.mozilla\.com$/,
  /^([a-z0-9-]+\.)*push\.apple\.com$/,
  /^([a-z0-9-]+\.)*notify\.windows\.com$/,
]

export function isPushService(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, port, username } = new URL(endpoint)
  if (protocol !== 'https:' || port !== '' || username !== '') return false
  return SERVICES.some((service) => service.test(hostname))
}

export type SendPush = (url: string, request: RequestInit) => Promise<{ status: number }>

/** The product's key pair for push, derived from SECRET_KEY: it stays the same, and nothing is to be set. */
function keyPair(secretKey: Buffer) {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(deriveKey(secretKey, 'push'))
  return { d: pair.getPrivateKey(), point: pair.getPublicKey() }
}

export function pushKeyOf(secretKey: Buffer): string {
  return keyPair(secretKey).point.toString('base64url')
}

/** How long a push service may take to answer, milliseconds: others wait for it. */
const SEND_MS = 5_000
/** How long a push service keeps one for a device that is off: it is of today. */
const TTL_SECONDS = 6 * 3600

/** Tells one browser that something is ready, nothing about the person. 'gone': no such subscription any more. */
export async function sendPush(
  { secretKey, contact, send }: { secretKey: Buffer; contact: string; send: SendPush },
  subscription: Subscription,
  title: string,
): Promise<'sent' | 'gone' | 'failed'> {
  const { d, point } = keyPair(secretKey)
  try {
    const { endpoint, headers, body } = await buildPushHTTPRequest({
      privateJWK: {
        kty: 'EC',
        crv: 'P-256',
        x: point.subarray(1, 33).toString('base64url'),
        y: point.subarray(33).toString('base64url'),
        d: d.toString('base64url'),
      },
      subscription,
      message: {
        payload: { title, url: '/due' },
        options: { ttl: TTL_SECONDS },
        adminContact: `mailto:${contact}`,
      },
    })
    const { status } = await send(endpoint, {
      method: 'POST',
      headers,
      body: body as BodyInit,
      redirect: 'error',
      signal: AbortSignal.timeout(SEND_MS),
    })
    if (status === 404 || status === 410) return 'gone'
    return status < 300 ? 'sent' : 'failed'
  } catch {
    return 'failed'
  }
}
