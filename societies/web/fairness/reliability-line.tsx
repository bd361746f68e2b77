import type { CardContent } from '../../contract/card.ts'
import { coefficient } from '../../statistics/figures.ts'

/** Where the words for a reliability begin (societies/statistics/reliability.ts). */
const ZONES = [
  { from: 0, to: 0.5, word: 'not for ranking' },
  { from: 0.5, to: 0.65, word: 'weak' },
  { from: 0.65, to: 0.8, word: 'fair' },
  { from: 0.8, to: 1, word: 'good' },
] as const

const within = (value: number) => Math.min(1, Math.max(0, value))
const at = (value: number) => `${within(value) * 100}%`

/** Each group's reliability with its interval on a line from 0 to 1; the sentences beside it say the same. */
export function ReliabilityLine({ groups }: { groups: CardContent['groups'] }) {
  const told = groups.flatMap(({ name, reliability }) =>
    reliability ? [{ name, reliability }] : [],
  )
  if (told.length === 0) return null
  const labels = told.map(({ name, reliability }) =>
    [coefficient(reliability.kr20), told.length > 1 ? name : null].filter(Boolean).join(' '),
  )
  return (
    <figure className="fair-line">
      <figcaption>
        <span>Reliability</span>
        <span>{labels.join(', ')}</span>
      </figcaption>
      <div aria-hidden className="fair-scale">
        {ZONES.map(({ from, to, word }) => (
          <span key={word} style={{ left: at(from), width: at(to - from) }}>
            <i />
            <small>{word}</small>
          </span>
        ))}
        {told.map(({ name, reliability: { kr20, low, high } }, index) => (
          <div
            key={name ?? ''}
            className="fair-mark"
            // Side by side about the middle of the bar.
            style={{ top: `${3.5 + (index - (told.length - 1) / 2) * 9}px` }}
          >
            <b style={{ left: at(low), width: at(within(high) - within(low)) }} />
            <em data-hollow={index > 0 ? '' : undefined} style={{ left: at(kr20) }} />
          </div>
        ))}
      </div>
    </figure>
  )
}
