import type { KeyboardEvent } from 'react'

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/** Moves the focus through the links and buttons of a list by the arrow keys, and stops at its ends. */
export function moveByArrows(event: KeyboardEvent, list: HTMLElement | null): void {
  const step = STEPS[event.key]
  if (!step || !list || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const stops = [...list.querySelectorAll<HTMLElement>('a[href], button')]
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step]
  if (!next || !list.contains(document.activeElement)) return
  event.preventDefault()
  next.focus()
}
