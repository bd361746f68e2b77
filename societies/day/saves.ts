/** A minute with a quarter fewer saves than usual. */
const HOLE = 0.75
/** Below so many a minute chance alone makes holes. */
const LEAST_USUAL = 8

export interface Hole {
  /** positions in the minutes, the last one included */
  from: number
  to: number
  /** how much is missing of the usual, in [0, 1] */
  missing: number
}

/**
 * Where fewer answers were saved than usual: a dead network or an alarm is seen there first (product 7.14.6).
 * Only what lies between busy minutes counts: at the beginning and the end there are fewer for good reasons.
 * @param minutes saves in each; the last one goes on and is never a hole
 */
export function holesIn(minutes: readonly number[]): Hole[] {
  const over = minutes.slice(0, -1)
  const busy = over.filter((count) => count > 0).sort((a, b) => a - b)
  const usual = busy[Math.floor(busy.length / 2)] ?? 0
  if (usual < LEAST_USUAL) return []
  const isLow = (count: number) => count < usual * HOLE
  const first = over.findIndex((count) => !isLow(count))
  const last = over.findLastIndex((count) => !isLow(count))
  // What goes on now is a hole too: nobody can know yet whether it ends.
  const end = over.length - 1 - last >= 2 ? over.length - 1 : last
  const holes: Hole[] = []
  for (let at = first; at <= end; at += 1) {
    const count = over[at] ?? 0
    if (!isLow(count)) continue
    const hole = holes.at(-1)
    const missing = 1 - count / usual
    if (hole && hole.to === at - 1) {
      hole.to = at
      hole.missing = Math.max(hole.missing, missing)
    } else holes.push({ from: at, to: at, missing })
  }
  return holes
}

/** 'a third fewer', 'half as many', 'none' */
export function holeWords({ missing }: Hole): string {
  if (missing > 0.95) return 'none'
  if (missing > 0.7) return 'hardly any'
  if (missing > 0.45) return 'half as many'
  return missing > 0.3 ? 'a third fewer' : 'a quarter fewer'
}
