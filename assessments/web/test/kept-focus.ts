import { useEffect } from 'react'

/** Milliseconds in which whatever took the control away may move the focus itself: a dialog gives it back. */
const SETTLE_MS = 100

/**
 * Keeps the keys of the question alive: where the control that had the focus goes or is switched off (a
 * toast is dismissed, a submission fails), and nothing else took the focus, the question gets it.
 */
export function useKeptFocus(focusQuestion: () => void): void {
  useEffect(() => {
    let last = document.activeElement
    let timer: ReturnType<typeof setTimeout> | undefined
    const onFocus = (event: FocusEvent) => {
      if (event.target instanceof Element) last = event.target
    }
    const look = (isLast = false) => {
      timer = undefined
      const { activeElement } = document
      if (!activeElement || activeElement === document.body || isOff(activeElement)) focusQuestion()
      // Switched off for a moment only, a control loses the focus some frames after it is on again.
      else if (!isLast) timer = setTimeout(look, 3 * SETTLE_MS, true)
    }
    const observer = new MutationObserver(() => {
      // A click beside everything takes the focus away on purpose; the control is still there then.
      if (last && isOff(last)) timer ??= setTimeout(look, SETTLE_MS)
    })
    document.addEventListener('focusin', onFocus)
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['disabled'],
    })
    return () => {
      document.removeEventListener('focusin', onFocus)
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [focusQuestion])
}

function isOff(element: Element): boolean {
  return !element.isConnected || element.matches(':disabled')
}
