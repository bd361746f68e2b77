import { setImmediate as nextTurn } from 'node:timers/promises'

/** The longest that work on a list keeps all other calls waiting, milliseconds, but for one item's. */
const SLICE_MS = 3

/** Maps a list of any length, and lets other calls in between: no list may stop the node. */
export async function mapInSlices<T, R>(list: Iterable<T>, work: (one: T) => R): Promise<R[]> {
  const done: R[] = []
  let beganAt = performance.now()
  for (const one of list) {
    done.push(work(one))
    if (performance.now() - beganAt < SLICE_MS) continue
    await nextTurn()
    beganAt = performance.now()
  }
  return done
}
