import { useSyncExternalStore } from 'react'

// As wide as the utilities' md.
const phone = () => window.matchMedia('(max-width: 767.98px)')

function subscribe(listener: () => void): () => void {
  const query = phone()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the window is as narrow as a phone's: rows are other rows there, not the same ones narrower. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => phone().matches)
