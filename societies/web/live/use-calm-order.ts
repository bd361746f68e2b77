import { useCallback, useEffect, useRef, useState } from 'react'
import { keepOrder } from './people-order.ts'

/** A pointer that has not moved for so long rests. */
const REST_MS = 700
/** However much it moves, a new order waits no longer. */
const LONGEST_MS = 3_000

/**
 * Rows never jump under the pointer: a new order is shown when the pointer rests or is elsewhere, after three
 * seconds at the latest (product 7.14.8).
 * @param wanted ids in their new order
 * @param view another filter or search is another list, shown at once
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

  const onPointerMove = useCallback(() => {
    pointer.current = { isInside: true, movedMs: Date.now() }
  }, [])
  const onPointerLeave = useCallback(() => {
    pointer.current = { isInside: false, movedMs: 0 }
  }, [])
  const ids = isOther ? wanted : keepOrder(shown.ids, wanted)
  return { ids, onPointerMove, onPointerLeave }
}
