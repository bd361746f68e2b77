import { useEffect, useState } from 'react'
import { type BlockerFunction, useBlocker } from 'react-router'

/** Number of active guards, because the router supports only one. */
let guards = 0

/** Asks `shouldBlock` before the page is left. The router's useBlocker allows only one at a time. */
export function useLeaveGuard(shouldBlock: boolean | BlockerFunction) {
  useEffect(() => {
    guards += 1
    return () => {
      guards -= 1
    }
  }, [])
  return useBlocker(shouldBlock)
}

/** The browser's back button first closes this, and leaves the page at the next press (product 1.5.8). */
export function BackCloses({ close }: { close: () => void }) {
  const [isAskedElsewhere] = useState(() => guards > 0)
  return isAskedElsewhere ? null : <BackGuard close={close} />
}

function BackGuard({ close }: { close: () => void }) {
  const blocker = useLeaveGuard(({ historyAction }) => historyAction === 'POP')
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    blocker.reset()
    close()
  }, [blocker, close])
  return null
}
