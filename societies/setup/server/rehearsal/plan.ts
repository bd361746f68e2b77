import { OPTION_LETTERS, type OptionLetter } from '../../../../platform/options.ts'

/** What one simulated candidate does, and when, milliseconds since the simulation began. */
export type Step = { atMs: number } & (
  | { act: 'come' }
  | { act: 'start' }
  /** of the paper's question `index` */
  | { act: 'answer'; index: number; choice: OptionLetter }
  | { act: 'strike'; kind: (typeof STRIKES)[number] }
  | { act: 'lose_network' }
  | { act: 'find_network' }
  /** the same candidate in a new window */
  | { act: 'reload' }
  | { act: 'submit' }
)

const STRIKES = ['window_blur', 'copy', 'paste', 'context_menu'] as const

/** Shares of a crowd. What an invigilator should have seen once happens more often than in reality. */
const SHARE = {
  absent: 0.05,
  late: 0.2,
  loses: 0.15,
  reloads: 0.1,
  strikes: 0.2,
  outs: 0.04,
  slow: 0.1,
}
/** What the first candidates of a crowd do for sure, one each, so that a small crowd shows it too. */
export const SURE = ['put out', 'two strikes', 'loses the network'] as const
type Sure = (typeof SURE)[number]

/** The share of the simulation that candidates have for the copy. */
export const CLOCK_SHARE = 0.7

/**
 * The test of one simulated candidate. Most come at once and some late. They answer at their own pace and sometimes
 * change an answer. Some leave the page, lose the network, reload, or don't finish in time.
 * @param random from 0 up to but not 1
 * @param lastsMs of the whole simulation
 * @param sure what is not left to chance
 */
export function planOf(
  random: () => number,
  itemCount: number,
  lastsMs: number,
  sure: Sure | null = null,
): Step[] {
  const chance = (share: number) => random() < share
  const between = (from: number, to: number) => from + random() * (to - from)
  const letter = () => OPTION_LETTERS[Math.floor(random() * 4)] as OptionLetter
  if (chance(SHARE.absent) && sure === null) return []
  const comesMs = lastsMs * (chance(SHARE.late) ? between(0.08, 0.2) : between(0, 0.06))
  const startsMs = comesMs + lastsMs * between(0.005, 0.03)
  const isSlow = chance(SHARE.slow) && sure === null
  // Slow candidates run out of time.
  const takesMs = lastsMs * (isSlow ? between(0.75, 0.9) : between(0.3, 0.62))
  const momentOf = (share: number) => startsMs + takesMs * share
  const steps: Step[] = [
    { atMs: comesMs, act: 'come' },
    { atMs: startsMs, act: 'start' },
  ]
  for (let index = 0; index < itemCount; index += 1) {
    const share = (index + between(0.4, 1)) / itemCount
    steps.push({ atMs: momentOf(share * 0.95), act: 'answer', index, choice: letter() })
    if (chance(0.15)) {
      steps.push({ atMs: momentOf(share * 0.95 + 0.02), act: 'answer', index, choice: letter() })
    }
  }
  const drawn = chance(SHARE.outs) ? 3 : chance(SHARE.strikes) ? (chance(0.2) ? 2 : 1) : 0
  const strikes = sure === 'put out' ? 3 : sure === 'two strikes' ? 2 : drawn
  for (let count = 0; count < strikes; count += 1) {
    const kind = STRIKES[Math.floor(random() * STRIKES.length)] ?? 'copy'
    const share = between(0.1 + count * 0.25, 0.3 + count * 0.25)
    steps.push({ atMs: momentOf(share), act: 'strike', kind })
  }
  if (chance(SHARE.loses) || sure === 'loses the network') {
    const lost = between(0.2, 0.6)
    steps.push({ atMs: momentOf(lost), act: 'lose_network' })
    steps.push({ atMs: momentOf(lost + between(0.08, 0.2)), act: 'find_network' })
  }
  if (chance(SHARE.reloads)) steps.push({ atMs: momentOf(between(0.2, 0.8)), act: 'reload' })
  if (!isSlow) steps.push({ atMs: momentOf(1), act: 'submit' })
  return steps.sort((a, b) => a.atMs - b.atMs)
}
