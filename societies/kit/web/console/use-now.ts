import { useEffect, useState } from 'react'

/** The moment, again and again: for clocks and times until something. */
export function useNowMs(everyMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs
}
