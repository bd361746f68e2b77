import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'

/** What one simulated candidate does, and when, milliseconds since the simulation began. */
export type Step = { atMs: number } & (
  | { act: 'come' }
  | { act: 'start' }
  /** of the paper's question `index` */
  | { act: 'answer'; index: number; choice: OptionLetter }
  | { act: 'strike'; kind: 'window_blur' | 'copy' | 'paste' | 'context_menu' }
  | { act: 'lose_network' }
  | { act: 'find_network' }
  /** the same candidate in a new window */
  | { act: 'reload' }
  | { act: 'submit' }
)

/** Shares of a crowd. What an invigilator should have seen once is more frequent than in life. */
const SHARE = {
  absent: 0.05,
  late: 0.2,
  loses: 0.15,
  reloads: 0.1,
  strikes: 0.2,
  outs: 0.04,
  slow: 0.1,
}
/** What the first candidates of a crowd do, one each. */
export const SURE = ['put out', 'two strikes', 'loses the network'] as const
export type Sure = (typeof SURE)[number]

/** Of the simulation's length: what the copy's clock gives everybody. */
export const CLOCK_SHARE = 0.7

/**
 * The day of one simulated candidate: most come at once and some late, they answer in their own pace, change
 * an answer now and then, and some leave the page, lose the network, reload, or do not finish in time.
 * @param lastsMs of the whole simulation
 * @param sure what is not left to chance: somebody of every crowd is put out by strikes, one has two, and one
 * loses the network, so that a small crowd shows it too
 * @param random from 0 up to but not 1
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
  // Beyond the clock's end: who is slow runs out of time.
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
  const kinds = ['window_blur', 'copy', 'paste', 'context_menu'] as const
  for (let count = 0; count < strikes; count += 1) {
    const kind = kinds[Math.floor(random() * kinds.length)] ?? 'copy'
    steps.push({
      atMs: momentOf(between(0.1 + count * 0.25, 0.3 + count * 0.25)),
      act: 'strike',
      kind,
    })
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
