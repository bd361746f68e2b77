import { useEffect, useRef } from 'react'

const BARS = Array.from({ length: 21 }, (_, index) => index)
const STEP_MS = 60

/** How loud it is, moving with the voice; under reduced motion it stands still, and words say that one is heard. */
export function LevelMeter({ loudness }: { loudness: () => number }) {
  const picture = useRef<SVGSVGElement>(null)
  const read = useRef(loudness)
  useEffect(() => {
    read.current = loudness
  })
  useEffect(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const levels = BARS.map(() => 0)
    // Past React: twenty-one lines, sixteen times a second.
    const timer = setInterval(() => {
      levels.shift()
      levels.push(read.current())
      const lines = picture.current?.children ?? []
      for (const [index, level] of levels.entries()) {
        const half = 2 + level * 16
        lines[index]?.setAttribute('y1', String(18 - half))
        lines[index]?.setAttribute('y2', String(18 + half))
      }
    }, STEP_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <svg ref={picture} viewBox="0 0 150 36" className="level-meter" aria-hidden="true">
      {BARS.map((bar) => (
        <line key={bar} x1={5 + bar * 7} x2={5 + bar * 7} y1={16} y2={20} />
      ))}
    </svg>
  )
}
