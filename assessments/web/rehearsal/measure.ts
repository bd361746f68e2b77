import { call } from '../../../platform/web/api.ts'
import { tellTime } from '../../rehearsal-contract.ts'

/** How often the way to the server and back is measured. */
const ROUND_TRIPS = 5

/** The device's clock against the server's, by the quickest of several calls, and how long one takes. */
export async function measureServer(): Promise<{ clockOffsetMs: number; roundTripMs: number }> {
  const trips: { offsetMs: number; tookMs: number }[] = []
  for (let count = 0; count < ROUND_TRIPS; count += 1) {
    const sentAt = performance.now()
    const { now } = await call(tellTime, {})
    const tookMs = performance.now() - sentAt
    trips.push({ offsetMs: Date.now() - tookMs / 2 - Date.parse(now), tookMs })
  }
  trips.sort((a, b) => a.tookMs - b.tookMs)
  const middle = trips[Math.floor(trips.length / 2)]
  return {
    clockOffsetMs: Math.round(trips[0]?.offsetMs ?? 0),
    roundTripMs: Math.round(middle?.tookMs ?? 0),
  }
}

/** Whether this device keeps what a page stores. */
export function hasStorage(): boolean {
  const key = 'superday-storage-check'
  try {
    localStorage.setItem(key, 'kept')
    const isKept = localStorage.getItem(key) === 'kept'
    localStorage.removeItem(key)
    return isKept
  } catch {
    return false
  }
}
