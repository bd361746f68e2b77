import { callerGone } from '../api-error.ts'

interface Caller {
  /** the member or society that is charged */
  share: string
  /** whether the caller hung up */
  isGone?: () => boolean
}

/** Milliseconds up to which work needs no rest afterwards. */
const SHORT_MS = 50
const LONGEST_REST_MS = 1_000

/** Milliseconds that a slot rests after work. @param times a multiple of the work's time, up to a second */
export const restAfter = (tookMs: number, times: number): number =>
  tookMs > SHORT_MS ? Math.min(times * tookMs, LONGEST_REST_MS) : 0

/** A share's queue is full. */
export class LineFull extends Error {}

/** Runs work when a slot is free. Errors: those of the work, 408 caller_gone, LineFull. */
export type InLine = <T>(caller: Caller, work: () => Promise<T>) => Promise<T>

/**
 * A fair queue. The share with the fewest slots is next, then the one served longest ago, then the longest wait.
 * Hung-up calls are dropped. Never nest it. @param ofShare limits per share: slots, waiting calls, and how long its
 * slot rests after long work, as a multiple of the work's time
 */
export function createLine(
  atOnce: number,
  ofShare: { atOnce?: number; waiting?: number; rest?: number } = {},
): InLine {
  const { atOnce: shareAtOnce = atOnce, waiting: mostWaiting = Number.POSITIVE_INFINITY } = ofShare
  const { rest = 0 } = ofShare
  const inside: string[] = []
  let waiting: (Caller & { begin: (isGone: boolean) => void })[] = []
  /** when each waiting share was last served, by call number */
  const lastOf = new Map<string, number>()
  let calls = 0
  /** shares whose slot rests; other shares may use it */
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
      const restMs = restAfter(performance.now() - beganAt, rest)
      if (restMs > 0) {
        resting.push(caller.share)
        setTimeout(() => leave(resting, caller), restMs).unref()
      }
      leave(inside, caller)
    }
  }
}
