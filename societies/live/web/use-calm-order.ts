import { useEffect, useRef, useState } from 'react'

/** How long the pointer has to stay still before the order may change. */
const REST_MS = 700
/** A new order waits no longer than this, even while the pointer moves. */
const LONGEST_MS = 3_000

/**
 * Keeps rows from jumping under the pointer: a new order is shown when the pointer rests or has left, after three
 * seconds at the latest (product 7.14.8).
 * @param wanted ids in their new order
 * @param view names the filter and search; another one is shown at once
 */
export function useCalmOrder(wanted: readonly string[], view: string) {
  const [shown, setShown] = useState({ ids: wanted, view })
  const pointer = useRef({ isInside: false, movedMs: 0 })
  const key = wanted.join()
  const isOther = shown.view !== view
  const waits = !isOther && shown.ids.join() !== key
  const latest = useRef(wanted)
  latest.current = wanted

  useEffect(() => {
    if (isOther) setShown({ ids: latest.current, view })
  }, [isOther, view])

  useEffect(() => {
    if (!waits) return
    const sinceMs = Date.now()
    const tryNow = () => {
      const { isInside, movedMs } = pointer.current
      const now = Date.now()
      if (isInside && now - movedMs < REST_MS && now - sinceMs < LONGEST_MS) return false
      setShown({ ids: latest.current, view })
      return true
    }
    if (tryNow()) return
    const timer = setInterval(() => tryNow() && clearInterval(timer), 100)
    return () => clearInterval(timer)
  }, [waits, view])

  return {
    ids: isOther ? wanted : keepOrder(shown.ids, wanted),
    onPointerMove: () => {
      pointer.current = { isInside: true, movedMs: Date.now() }
    },
    onPointerLeave: () => {
      pointer.current = { isInside: false, movedMs: 0 }
    },
  }
}

/** While a new order waits, rows stay where they are: new rows come last, removed ones leave. */
function keepOrder(shown: readonly string[], wanted: readonly string[]): string[] {
  const known = new Set(shown)
  const wants = new Set(wanted)
  return [...shown.filter((id) => wants.has(id)), ...wanted.filter((id) => !known.has(id))]
}
