import { useRef, useState } from 'react'

/**
 * One thing at a time: while something works, a second press does nothing.
 * @returns the name of what works now, and the function that starts something under a name. It stays
 *   'working' when the work answers 'leaving': the screen is about to be left, and nothing on it should
 *   come to life again.
 */
export function useSingleFlight<Name extends string>(): [
  Name | null,
  (name: Name, work: () => Promise<unknown>) => Promise<void>,
] {
  const [working, setWorking] = useState<Name | null>(null)
  // State is a render behind a double click; a ref is not.
  const isBusy = useRef(false)

  const start = async (name: Name, work: () => Promise<unknown>) => {
    if (isBusy.current) return
    isBusy.current = true
    setWorking(name)
    let isLeaving = false
    try {
      isLeaving = (await work()) === 'leaving'
    } finally {
      if (!isLeaving) {
        isBusy.current = false
        setWorking(null)
      }
    }
  }
  return [working, start]
}
