import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds that work on a list may block other calls, apart from the time of a single item. */
const SLICE_MS = 1
/** Items that are sorted in one go, in about a millisecond. */
const RUN = 100

/** Maps a list of any length and yields to other calls, so that no list blocks the node. */
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

/** Sorts a list of any length: first short runs, then merges pairs of runs. */
export async function sortInSlices<T>(
  list: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<T[]> {
  const starts = Array.from({ length: Math.ceil(list.length / RUN) }, (_, run) => run * RUN)
  let runs = await mapInSlices(starts, (start) => list.slice(start, start + RUN).sort(compare))
  while (runs.length > 1) {
    const pairs = runs.flatMap((run, n) => (n % 2 === 0 ? [[run, runs[n + 1] ?? []]] : []))
    // Sorting two sorted runs merges them, and compares each item about once.
    runs = await mapInSlices(pairs, (pair) => pair.flat().sort(compare))
  }
  return runs[0] ?? []
}

/** The JSON of a list of any length. Like JSON.stringify, it writes an undefined item as null. */
export const jsonInSlices = async (list: readonly unknown[]) =>
  `[${(await mapInSlices(list, (one) => JSON.stringify(one) ?? 'null')).join(',')}]`
