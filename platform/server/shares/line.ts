import { callerGone } from '../api-error.ts'

interface Caller {
  /** the member or society whose share it takes */
  share: string
  /** whether nobody waits for the answer anymore */
  isGone?: () => boolean
}

/** Work that takes no longer needs no rest, milliseconds. */
const SHORT_MS = 50
const LONGEST_REST_MS = 1_000

/** A share has as many calls waiting as it can have. */
export class LineFull extends Error {}

/** Runs something once there is room. Errors: those of the work, 408 caller_gone, LineFull. */
export type InLine = <T>(caller: Caller, work: () => Promise<T>) => Promise<T>

/**
 * A fair line: next is the share with the fewest places, then the one let in longest ago, then the longest wait.
 * Hung-up calls leave. Never nest it. @param ofShare of one share: places, calls that wait, and how many times as long
 * as long work took its place then rests, for that share alone
 */
export function createLine(
  atOnce: number,
  ofShare: { atOnce?: number; waiting?: number; rest?: number } = {},
): InLine {
  const { atOnce: shareAtOnce = atOnce, waiting: mostWaiting = Number.POSITIVE_INFINITY } = ofShare
  const { rest = 0 } = ofShare
  const inside: string[] = []
  let waiting: (Caller & { begin: (isGone: boolean) => void })[] = []
  /** when each share that waits was let in last, by number of the call */
  const lastOf = new Map<string, number>()
  let calls = 0
  /** shares whose place rests: it is free for others */
  const resting: string[] = []
  const heldBy = ({ share }: Caller) =>
    [...inside, ...resting].filter((one) => one === share).length

  function letIn(): void {
    for (const one of waiting) if (one.isGone?.()) one.begin(true)
    waiting = waiting.filter(({ isGone }) => !isGone?.())
    const since = ({ share }: Caller) => lastOf.get(share) ?? 0
    while (inside.length < atOnce) {
      const [next] = waiting
        .filter((one) => heldBy(one) < shareAtOnce)
        .sort((a, b) => heldBy(a) - heldBy(b) || since(a) - since(b))
      if (!next) return
      waiting = waiting.filter((one) => one !== next)
      inside.push(next.share)
      lastOf.set(next.share, ++calls)
      next.begin(false)
    }
  }

  function leave(places: string[], { share }: Caller): void {
    places.splice(places.indexOf(share), 1)
    letIn()
    const isOver = ![...inside, ...resting, ...waiting.map((one) => one.share)].includes(share)
    if (isOver) lastOf.delete(share)
  }

  return async (caller, work) => {
    const ownWaiting = waiting.filter(({ share }) => share === caller.share).length
    if (ownWaiting >= mostWaiting) throw new LineFull()
    const isGone = await new Promise<boolean>((begin) => {
      waiting.push({ ...caller, begin })
      letIn()
    })
    if (isGone) throw callerGone()
    const beganAt = performance.now()
    try {
      return await work()
    } finally {
      const tookMs = performance.now() - beganAt
      if (rest > 0 && tookMs > SHORT_MS) {
        resting.push(caller.share)
        setTimeout(() => leave(resting, caller), Math.min(rest * tookMs, LONGEST_REST_MS)).unref()
      }
      leave(inside, caller)
    }
  }
}
