import type { KeyboardEvent } from 'react'
import { useKeysEnabled } from '../../../platform/web/preferences.ts'

type KeyActs = Partial<Record<' ' | 'Enter' | 'l' | 'ArrowLeft' | 'ArrowRight', () => void>> & {
  digit?: (digit: number) => void
}

/** These elements use the keys themselves: Space and Enter press buttons, and arrows move in a group. */
const OWN: Record<string, string> = {
  ' ': 'a, button, input',
  Enter: 'a, button',
  ArrowLeft: 'input[type=radio]',
  ArrowRight: 'input[type=radio]',
}

/** Handles single keys (product 3.13.11) while the focus is in the page. They can be switched off (WCAG 2.1.4). */
export function useAloudKeys(acts: KeyActs): (event: KeyboardEvent) => void {
  const [areKeysEnabled] = useKeysEnabled()
  return (event) => {
    if (!areKeysEnabled || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
    const own = OWN[event.key]
    if (own && event.target instanceof Element && event.target.closest(own)) return
    const digit = /^[1-6]$/.test(event.key) ? Number(event.key) : null
    const act =
      digit !== null && acts.digit
        ? () => acts.digit?.(digit)
        : acts[(event.key.length === 1 ? event.key.toLowerCase() : event.key) as keyof KeyActs]
    if (!act) return
    event.preventDefault()
    ;(act as () => void)()
  }
}
