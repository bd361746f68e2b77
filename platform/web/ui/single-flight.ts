import { useRef, useState } from 'react'

/** Runs one action at a time. One that resolves to 'leaving' stays running until the page is left. */
export function useSingleFlight<Name extends string>(): [
  Name | null,
  (name: Name, work: () => Promise<unknown>) => Promise<void>,
] {
  const [working, setWorking] = useState<Name | null>(null)
  // A double click is faster than state, so this needs a ref.
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
