import type { Context } from 'hono'
import { DEVICE_HEADER } from '../../../platform/device.ts'
import { createAddressOf } from '../../../platform/server/address.ts'

/** From where somebody calls. */
export interface Caller {
  /** the network address */
  address: string
  /** the secret that this browser made for itself, or null where it names none */
  device: string | null
}

/** 128 random bits or more, and not so many that they could be used to send something else. */
const DEVICE = /^[A-Za-z0-9_-]{22,64}$/

/** Tells from where a request comes (product 9.3.15). */
export function createCallerOf(options: { trustProxy: boolean }): (context: Context) => Caller {
  const addressOf = createAddressOf(options)
  return (context) => {
    const device = context.req.header(DEVICE_HEADER)
    return { address: addressOf(context), device: device && DEVICE.test(device) ? device : null }
  }
}
