import { type RefObject, useEffect, useState } from 'react'

/** Rows above and below what is seen. */
const BESIDE = 12
/** So many are drawn at once: the browser's own search finds them, and they are printed. */
const ALL_DRAWN = 300

/**
 * Which rows of a long list are near the window: the others are space alone, so that two thousand cost as
 * much as fifty.
 * @param place where the rows begin
 * @param rowPx all rows are as high
 */
export function useInSight(
  place: RefObject<HTMLElement | null>,
  count: number,
  rowPx: number,
): { from: number; to: number } {
  const [range, setRange] = useState({ from: 0, to: 60 })
  useEffect(() => {
    let frame = 0
    const measure = () => {
      frame = 0
      const top = place.current?.getBoundingClientRect().top ?? 0
      // In steps, so that not every pixel draws anew.
      const from = Math.max(0, Math.floor(-top / rowPx / BESIDE) * BESIDE - BESIDE)
      const to = Math.ceil((window.innerHeight - top) / rowPx / BESIDE) * BESIDE + BESIDE
      setRange((now) => (now.from === from && now.to === to ? now : { from, to }))
    }
    const ask = () => {
      frame ||= requestAnimationFrame(measure)
    }
    measure()
    // What stands above may grow without anybody scrolling.
    const watcher = new ResizeObserver(ask)
    watcher.observe(document.body)
    window.addEventListener('scroll', ask, { passive: true })
    window.addEventListener('resize', ask)
    return () => {
      cancelAnimationFrame(frame)
      watcher.disconnect()
      window.removeEventListener('scroll', ask)
      window.removeEventListener('resize', ask)
    }
  }, [place, rowPx])
  if (count <= ALL_DRAWN) return { from: 0, to: count }
  return { from: Math.min(range.from, Math.max(0, count - 1)), to: Math.min(count, range.to) }
}
