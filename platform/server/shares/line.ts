import { callerGone } from '../api.ts'

interface Caller {
  /** the member or society whose share it takes */
  share: string
  /** whether nobody waits for the answer anymore */
  isGone?: () => boolean
}

/** Runs something once there is room. Errors: those of the work, 408 caller_gone. */
export type InLine = <T>(caller: Caller, work: () => Promise<T>) => Promise<T>

/** A fair line: next is the share with the fewest places, then the longest wait. Hung-up calls leave. Never nest it. */
export function createLine(atOnce: number, shareAtOnce = atOnce): InLine {
  const inside: string[] = []
  let waiting: (Caller & { begin: (isGone: boolean) => void })[] = []
  const heldBy = ({ share }: Caller) => inside.filter((one) => one === share).length

  function letIn(): void {
    for (const one of waiting) if (one.isGone?.()) one.begin(true)
    waiting = waiting.filter(({ isGone }) => !isGone?.())
    while (inside.length < atOnce) {
      const fewest = Math.min(shareAtOnce - 1, ...waiting.map(heldBy))
      const at = waiting.findIndex((one) => heldBy(one) === fewest)
      const next = waiting[at]
      if (!next) return
      waiting.splice(at, 1)
      inside.push(next.share)
      next.begin(false)
    }
  }

  return async (caller, work) => {
    const isGone = await new Promise<boolean>((begin) => {
      waiting.push({ ...caller, begin })
      letIn()
    })
    if (isGone) throw callerGone()
    try {
      return await work()
    } finally {
      inside.splice(inside.indexOf(caller.share), 1)
      letIn()
    }
  }
}
