import { setImmediate } from 'node:timers/promises'
import type { Slices } from '../../statistics/slices.ts'

/** How long is computed before others are served, milliseconds. */
const SLICE_MS = 4

/** Computes something long while candidates' saves and everybody else's calls are served in between. */
export async function inSlices<T>(slices: Slices<T>): Promise<T> {
  let sinceMs = performance.now()
  for (;;) {
    const slice = slices.next()
    if (slice.done) return slice.value
    if (performance.now() - sinceMs > SLICE_MS) {
      await setImmediate()
      sinceMs = performance.now()
    }
  }
}
