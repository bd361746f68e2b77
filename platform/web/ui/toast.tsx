import { X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Changing } from '../changing.ts'

interface ToastItem {
  id: number
  kind: 'success' | 'error'
  title: string
  description: string | undefined
  undo: (() => void) | undefined
  shownAtMs: number
}

/** Milliseconds a toast stays, paused while the pointer or focus is on it. */
const STANDS_MS = { success: 5_000, error: 8_000 }
/** Matches the time in which the action can be undone. */
const UNDOABLE_MS = 10_000
/** Milliseconds. Older toasts disappear when a new one comes, because an old error next to a success misleads. */
const STAYS_BESIDE_MS = 1_000

let items: readonly ToastItem[] = []
let lastId = 0
const changing = new Changing()

function show(next: readonly ToastItem[]): void {
  items = next
  changing.changed()
}

function add(
  kind: ToastItem['kind'],
  title: string,
  description?: string,
  undo?: () => void,
): void {
  lastId += 1
  const shownAtMs = Date.now()
  const others = items.filter(
    (item) =>
      shownAtMs - item.shownAtMs < STAYS_BESIDE_MS &&
      // A repeated text replaces the first one and is announced again.
      (item.title !== title || item.description !== description),
  )
  show([...others, { id: lastId, kind, title, description, undo, shownAtMs }])
}

function dismiss(id: number): void {
  show(items.filter((item) => item.id !== id))
}

/** Shows a short message, also for screen readers. Callable from anywhere. */
export const toast = {
  success: (title: string, description?: string) => add('success', title, description),
  error: (title: string, description?: string) => add('error', title, description),
  /** Says what was done and offers to undo it for ten seconds. */
  undoable: (title: string, undo: () => void, description?: string) =>
    add('success', title, description, undo),
  /** Removes a success that no longer applies: 'Saved' next to a rejected field misleads. */
  outdateSuccess: () => {
    if (items.some((item) => item.kind === 'success')) {
      show(items.filter((item) => item.kind !== 'success'))
    }
  },
}

/** The toasts. The live regions always exist, because screen readers don't announce a new one. */
export function Toasts() {
  const shown = useSyncExternalStore(changing.subscribe, () => items)
  const list = (kind: ToastItem['kind']) =>
    shown
      .filter((item) => item.kind === kind)
      .map((item) => <ToastCard key={item.id} item={item} />)
  return (
    // Next to an open dialog they move to where it has no buttons.
    <section
      aria-label="Notifications"
      className="pointer-events-none fixed inset-x-4 bottom-[calc(88px+env(safe-area-inset-bottom))] z-60 in-data-exam:max-sm:top-22 in-data-exam:max-sm:bottom-auto in-[body:has([role$=dialog])]:max-sm:top-22 in-[body:has([role$=dialog])]:max-sm:bottom-auto print:hidden sm:inset-x-auto sm:right-4 sm:w-[380px] in-[body:has([role$=dialog])]:sm:right-auto in-[body:has([role$=dialog])]:sm:bottom-4 in-[body:has([role$=dialog])]:sm:left-4"
    >
      <div aria-live="polite" className="flex flex-col">
        {list('success')}
      </div>
      <div aria-live="assertive" className="flex flex-col">
        {list('error')}
      </div>
    </section>
  )
}

function ToastCard({ item }: { item: ToastItem }) {
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const standsMs = item.undo ? UNDOABLE_MS : STANDS_MS[item.kind]
    const timer = setTimeout(() => dismiss(item.id), standsMs)
    return () => clearTimeout(timer)
  }, [isHeld, item])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only pauses its timer
    <div
      className={`card pointer-events-auto relative mt-2 border-line-strong border-l-4 p-4 pr-12 ${item.kind === 'error' ? 'border-l-wrong' : 'border-l-right'}`}
      onMouseEnter={() => setIsHeld(true)}
      onMouseLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <p className="font-medium text-[15px] leading-snug">{item.title}</p>
      {item.description && <p className="mt-1 text-[14px] text-ink-2">{item.description}</p>}
      {item.undo && (
        <button
          type="button"
          className="link mt-1 min-h-9 font-medium text-[15px]"
          onClick={() => {
            dismiss(item.id)
            item.undo?.()
          }}
        >
          Undo
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        className="absolute top-1.5 right-1.5 grid size-9 place-items-center rounded-md text-ink-2 hover:text-ink"
        onClick={() => dismiss(item.id)}
      >
        <X size={16} aria-hidden />
      </button>
    </div>
  )
}
