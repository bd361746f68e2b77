import { useEffect, useRef, useState } from 'react'

/** Rows rendered at first, and added each time the end scrolls into view. More rows are slow to render. */
const ROWS = 200

/**
 * Renders a long list as far as it has been scrolled.
 * @param view a different value starts again at the top
 * @returns the rows to render, and the element below them
 */
export function useMore<Row>(rows: readonly Row[], view = '') {
  const [drawn, setDrawn] = useState({ view, most: ROWS })
  const most = drawn.view === view ? drawn.most : ROWS
  return {
    shown: rows.length > most ? rows.slice(0, most) : rows,
    more: rows.length > most && (
      <End
        text={`${most} of ${rows.length} · the rest as you scroll`}
        onSeen={() => setDrawn({ view, most: most + ROWS })}
      />
    ),
  }
}

/** The end of the rendered rows. It loads more when it scrolls into view or is clicked. */
function End({ text, onSeen }: { text: string; onSeen: () => void }) {
  const place = useRef<HTMLButtonElement>(null)
  const seen = useRef(onSeen)
  seen.current = onSeen
  // biome-ignore lint/correctness/useExhaustiveDependencies: again after each step, since the end may still be in sight
  useEffect(() => {
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) seen.current()
      },
      { rootMargin: '800px' },
    )
    if (place.current) watcher.observe(place.current)
    return () => watcher.disconnect()
  }, [text])
  return (
    <button
      ref={place}
      type="button"
      className="hint mt-3.5 text-ink-2 max-md:min-h-11"
      onClick={onSeen}
    >
      {text}
    </button>
  )
}
