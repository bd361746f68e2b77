/** Milliseconds between two looks at a page that is seen (product 7.14.7). */
export const LOOK_MS = 2_000
/** The pages of one test look at so many moments, one after the other, … */
export const SLOTS = 8
/** … so many milliseconds apart: a save that comes in meanwhile waits for a few looks and not for all. */
const SLOT_MS = 25

/**
 * Milliseconds until the next look: all who watch one test look within a fifth of a second, one test's at another
 * time than the next one's. So their picture is brought up to date once, right before, and a node is not woken for
 * each of them by itself.
 * @param serverMs the server's clock
 * @param slot which of SLOTS, drawn by each page
 * @returns from half a look to one and a half
 */
export function untilNextLook(code: string, serverMs: number, slot = 0): number {
  const moment = phaseOf(code) + slot * SLOT_MS
  const left = LOOK_MS - ((((serverMs - moment) % LOOK_MS) + LOOK_MS) % LOOK_MS)
  return left < LOOK_MS / 2 ? left + LOOK_MS : left
}

/** When in each interval a test is looked at, milliseconds. */
function phaseOf(code: string): number {
  let sum = 0
  for (const letter of code) sum = (sum * 31 + letter.charCodeAt(0)) % LOOK_MS
  return sum
}
