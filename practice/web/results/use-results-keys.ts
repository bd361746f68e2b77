import { useEffect, useRef } from 'react'
import { useKeysEnabled } from '../../../platform/web/preferences.ts'
import { goBy, type Review, toggleCurrent } from './use-review.ts'

/** The press that finished the test is not one for what comes after it. */
const DEAF_MS = 500

/** J and K from question to question, O opens and closes, Enter is the first button where nothing has the focus (product 3.5.13). */
export function useResultsKeys(review: Review, goOn: () => void): void {
  const [areKeysEnabled] = useKeysEnabled()
  const latest = useRef({ review, goOn })
  latest.current = { review, goOn }
  useEffect(() => {
    if (!areKeysEnabled) return
    const shownAtMs = performance.now()
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target instanceof HTMLElement ? event.target : null
      if (target?.closest('input, textarea, select, [role="dialog"], [role="alertdialog"]')) return
      const key = event.key.toLowerCase()
      if (key === 'j' || key === 'k') goBy(key === 'j' ? 1 : -1)
      else if (key === 'o') toggleCurrent(latest.current.review)
      else if (key === 'enter' && target === document.body) {
        if (performance.now() - shownAtMs > DEAF_MS) latest.current.goOn()
      } else return
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [areKeysEnabled])
}
