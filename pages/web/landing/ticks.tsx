/** One tick is one question: whole and green is right, broken and claret is wrong, ink is at hand. */
export type TickMark = 'right' | 'wrong' | 'open' | 'ahead'

const LOOKS: Record<TickMark, string> = {
  right: 'bg-right',
  wrong: 'bg-[repeating-linear-gradient(90deg,var(--wrong)_0_6px,transparent_6px_9px)]',
  open: 'bg-ink',
  ahead: 'bg-line',
}

/** The rule above the question; its counter says the same in words. */
export function Ticks({ marks }: { marks: readonly TickMark[] }) {
  return (
    <div aria-hidden className="wrap">
      <div className="flex gap-[3px]">
        {marks.map((mark, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a tick's place is what it is
          <span key={index} className={`h-[3px] flex-1 ${LOOKS[mark]}`} />
        ))}
      </div>
    </div>
  )
}
