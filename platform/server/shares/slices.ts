/** Milliseconds that work on a list may block other calls, apart from the time of a single item. */
const SLICE_MS = 1
/** Items that are sorted in one go, in about a millisecond. */
const RUN = 100

/** Long lists whose next slice waits. */
const waiting: (() => void)[] = []

/**
 * Waits for the next slice. All lists of the node share one per turn of the event loop, so that ten of them delay other
 * calls no more than one.
 */
function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(runSlice)
  })
}

function runSlice(): void {
  waiting[0]?.()
  // The list continues before the next turn, and may wait again by then, as the last one.
  setImmediate(() => {
    waiting.shift()
    if (waiting.length > 0) runSlice()
  })
}

/** Maps a list of any length and yields to other calls, so that no list blocks the node. */
export async function mapInSlices<T, R>(list: Iterable<T>, work: (one: T) => R): Promise<R[]> {
  const done: R[] = []
  let beganAt = performance.now()
  for (const one of list) {
    done.push(work(one))
    if (performance.now() - beganAt < SLICE_MS) continue
    await nextSlice()
    beganAt = performance.now()
  }
  return done
}

/** Items that are taken at once, because a thread that gets them needs a copy. */
const TAKEN_AT_ONCE = 1_000

/** Takes the next items, at most as many as one slice makes. An empty list means the end. */
export function takeSlice<T>(items: Iterator<T>): T[] {
  const taken: T[] = []
  const until = performance.now() + SLICE_MS
  while (taken.length < TAKEN_AT_ONCE && performance.now() < until) {
    const next = items.next()
    if (next.done) break
    taken.push(next.value)
  }
  return taken
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
