import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

/** A request's address: the socket's, or behind our proxy the last in X-Forwarded-For. 'unknown' without a socket. */
export function createAddressOf({
  trustProxy,
}: {
  trustProxy: boolean
}): (context: Context) => string {
  return (context) =>
    addressOf(trustProxy && context.req.header('X-Forwarded-For'), socketAddressOf(context))
}

/** The same for a raw Node request. */
export function addressOfRequest({ headers, socket }: IncomingMessage, trustProxy: boolean) {
  return addressOf(trustProxy && headers['x-forwarded-for']?.toString(), socket.remoteAddress)
}

const addressOf = (forwarded: string | false | undefined, remote: string | undefined) =>
  cleanAddress((forwarded || '').split(',').at(-1)?.trim()) ?? cleanAddress(remote) ?? 'unknown'

function socketAddressOf(context: Context): string | undefined {
  try {
    return getConnInfo(context).remote.address
  } catch {
    return undefined
  }
}

/** Turns an IPv4-mapped address (::ffff:192.0.2.1) of a dual-stack socket into IPv4. */
function cleanAddress(address: string | undefined): string | null {
  if (!address) return null
  const text = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
  return isIP(text) ? text : null
}

/** The part of an address that a household has: all of IPv4, or 64 bits of IPv6. A site has 48, a provider 32. */
export function networkOf(address: string, bits = 64): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = (address.split('%')[0] as string).toLowerCase().split('::')
  const groups = head ? head.split(':') : []
  const end = tail ? tail.split(':') : []
  if (tail !== undefined) {
    while (groups.length + end.length < 8) groups.push('0')
  }
  const whole = [...groups, ...end].slice(0, bits / 16)
  return `${whole.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/${bits}`
}
