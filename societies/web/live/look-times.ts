/** Milliseconds between two looks at a page that is seen (product 7.14.7). */
export const LOOK_MS = 2_000

/** Groups of pages that watch one test, … */
export const LOOK_GROUPS = 4
/** … and milliseconds from one group's look to the next one's: the last still finds the first one's picture fresh. */
const GROUP_MS = 400

/** This page's group, as long as it is open. */
export const lookGroup = Math.floor(Math.random() * LOOK_GROUPS)

/**
 * Milliseconds until the next look. Those of one group look in the same moment of the server's clock, one test's at
 * another than the next one's: a node that answers five in one go is done with less work than five that it is woken
 * for one by one, and the picture is made for the first group and shown to the others. Not all look at once, since
 * whoever saves in that moment would wait for twenty answers.
 * @param serverMs the server's clock
 * @param group 0 to LOOK_GROUPS - 1
 * @returns from half a look to one and a half
 */
export function untilNextLook(code: string, serverMs: number, group: number): number {
  const phaseMs = (phaseOf(code) + group * GROUP_MS) % LOOK_MS
  const left = LOOK_MS - ((((serverMs - phaseMs) % LOOK_MS) + LOOK_MS) % LOOK_MS)
  return left < LOOK_MS / 2 ? left + LOOK_MS : left
}

/** When in each interval the first group looks at a test, milliseconds. */
function phaseOf(code: string): number {
  let sum = 0
  for (const letter of code) sum = (sum * 31 + letter.charCodeAt(0)) % LOOK_MS
  return sum
}
