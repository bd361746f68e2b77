import type { ReactNode } from 'react'

/** The bar at the thumb: the one filled button at its right, whatever else there is at its left. */
export function ActionBar({ aside, children }: { aside?: ReactNode; children: ReactNode }) {
  return (
    <div className="action-bar">
      <div className="sitting-wrap flex items-center justify-between gap-3">
        <div className="flex min-w-0 items-center gap-3">{aside}</div>
        <div className="flex flex-none items-center gap-4">{children}</div>
      </div>
    </div>
  )
}

/** Keys and what they do, beside the button; left out where there is no keyboard. */
export function KeyHints({ hints }: { hints: readonly (readonly [keys: string, does: string])[] }) {
  return (
    <p aria-hidden className="hint flex items-center gap-3 pointer-coarse:hidden max-nav:hidden">
      {hints.map(([keys, does]) => (
        <span key={keys} className="flex items-center gap-1.5">
          <kbd>{keys}</kbd> {does}
        </span>
      ))}
    </p>
  )
}
