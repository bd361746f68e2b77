/** What became of a question: not reached, answered, in view, right or wrong. */
export type Tick = 'open' | 'done' | 'now' | 'right' | 'wrong'

/**
 * One tick is one question, wherever it stands. A wrong one is broken, so that it is seen without colour;
 * who can't see reads the words beside it.
 */
export function Ticks({ ticks, isFine }: { ticks: readonly Tick[]; isFine?: boolean }) {
  return (
    <div aria-hidden className={`ticks ${isFine ? 'ticks-fine' : ''}`}>
      {ticks.map((tick, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tick is its place
        <span key={index} className={`tick-${tick}`} />
      ))}
    </div>
  )
}
