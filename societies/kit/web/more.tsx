import { useEffect, useRef, useState } from 'react'

/** Rows at first, and as many more each time that the end comes into sight: more would make each look slow. */
const ROWS = 200

/**
 * A long list, drawn as far as it was scrolled.
 * @param view another one is another list, which begins at its top
 * @returns what is drawn, and what stands below it
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

/** The end of what is drawn: asks for more when it comes into sight, or is pressed. */
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
