export type Tick = 'open' | 'done' | 'now' | 'right' | 'wrong'

/** Shows one tick per question. A wrong one is broken, so color isn't needed. */
export function Ticks({ ticks, isFine }: { ticks: readonly Tick[]; isFine?: boolean }) {
  return (
    <div aria-hidden className={`ticks ${isFine ? 'ticks-fine' : ''}`}>
      {ticks.map((tick, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ticks never move
        <span key={index} className={`tick-${tick}`} />
      ))}
    </div>
  )
}

/** Returns ticks for work in progress: done, current and open. `question` counts from 1, and 0 means none. */
export const ticksOf = (at: { question: number; answered: number }, total: number): Tick[] =>
  Array.from({ length: total }, (_, index) =>
    index + 1 === at.question ? 'now' : index < at.answered ? 'done' : 'open',
  )

export const FIRST = { question: 1, answered: 0 }

export function Tens({ of, answered, next }: { of: number; answered: number; next: number }) {
  const ticks = Array.from({ length: of }, (_, index): Tick => {
    if (index < answered) return 'done'
    return index < answered + next ? 'now' : 'open'
  })
  const tens = Array.from({ length: Math.ceil(of / 10) }, (_, ten) =>
    ticks.slice(10 * ten, 10 * ten + 10),
  )
  return (
    <div className={`tens tens-${Math.min(4, tens.length)}`}>
      {tens.map((ten, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tens never move
        <Ticks key={index} ticks={ten} isFine />
      ))}
    </div>
  )
}
