import { useRef, useState } from 'react'

/** One thing at a time: what works now, and a starter. Work that answers 'leaving' works until the page is left. */
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
