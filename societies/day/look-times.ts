/** Milliseconds between two looks at a page that is seen (product 7.14.7). */
export const LOOK_MS = 2_000

/**
 * Milliseconds until the next look: all who watch one test look in the same moment, one test's at another than
 * the next one's. A node that answers twenty in one go is done with half the work of twenty that it is woken for
 * one by one, and has made their picture once.
 * @param serverMs the server's clock
 * @returns from half a look to one and a half
 */
export function untilNextLook(code: string, serverMs: number): number {
  const left = LOOK_MS - ((((serverMs - phaseOf(code)) % LOOK_MS) + LOOK_MS) % LOOK_MS)
  return left < LOOK_MS / 2 ? left + LOOK_MS : left
}

/** When in each interval a test is looked at, milliseconds. */
function phaseOf(code: string): number {
  let sum = 0
  for (const letter of code) sum = (sum * 31 + letter.charCodeAt(0)) % LOOK_MS
  return sum
}
