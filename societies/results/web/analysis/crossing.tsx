import { ArrowRight } from 'lucide-react'
import { countOf } from '../../../../platform/words.ts'
import { blindNumber } from '../../../kit/role-words.ts'
import { decimal, points } from '../../../kit/statistics/figures.ts'
import { Heads } from '../../../kit/web/heads.tsx'
import type { Moved, Placed, ShownConsequences } from '../../contract-analysis.ts'

/** '16', '16.5': no more digits than a cut score can have */
const plain = (value: number) => (Number.isInteger(value) ? value : decimal(value))

/** The candidates who cross the cut score, by blind numbers. */
export function Crossing(props: { line: number; across: ShownConsequences['lines'][number] }) {
  const { line, across } = props
  const crossing = across.crossing ?? []
  const rises = crossing.filter(({ pointsAfter }) => pointsAfter >= across.points)
  const falls = crossing.filter(({ pointsAfter }) => pointsAfter < across.points)
  return (
    <section aria-labelledby="across">
      <h2 id="across" className="text-[19px]!">
        Across the cut score
      </h2>
      {crossing.length === 0 ? (
        <p className="mt-2 text-ink-2">
          Nobody crosses the cut score, {plain(across.points)}
          {across.points !== line && ` instead of ${plain(line)}`}.
        </p>
      ) : (
        <table className="table mt-2">
          <Heads of={[['Candidate'], ['Score', 'text-end!'], ['Rank', 'text-end!']]} />
          <tbody>
            <Group words={`${countOf(rises.length, 'comes', 'come')} in`} candidates={rises} />
            <Group words={`${countOf(falls.length, 'falls', 'fall')} out`} candidates={falls} />
          </tbody>
        </table>
      )}
    </section>
  )
}

function Group({ words, candidates }: { words: string; candidates: readonly Moved[] }) {
  if (candidates.length === 0) return null
  return (
    <>
      <tr>
        <td colSpan={3} className="align-bottom text-[12.5px] text-ink-2">
          {words}
        </td>
      </tr>
      {candidates.map((one) => (
        <tr key={one.number}>
          <td>{blindNumber(one.number)}</td>
          <Change before={one.points} after={one.pointsAfter} />
          <Change before={one.place} after={one.placeAfter} />
        </tr>
      ))}
    </>
  )
}

const Change = ({ before, after }: { before: number; after: number }) => (
  <td className="text-end">
    {plain(before)} <ArrowRight size={12} aria-label="to" className="inline text-ink-2" />{' '}
    <b className="font-semibold">{plain(after)}</b>
  </td>
)

const WIDTH = 780
const HEIGHT = 272
const [LEFT, RIGHT] = [92, WIDTH - 92]

type ShownPlaces = NonNullable<ShownConsequences['places']>
const placeOf = (one: Placed, isAfter: boolean) => (isAfter ? one.atAfter : one.at)
const pointsOf = (one: Placed, isAfter: boolean) => (isAfter ? one.pointsAfter : one.points)
const yOf = ({ from, to }: ShownPlaces, at: number) =>
  14 + ((at - from + 0.5) * 244) / (to - from + 1)

/** Where the cut score is drawn: below the last candidate who is in. */
function cutY(places: ShownPlaces, cut: number, isAfter: boolean): number {
  const inside = places.candidates.filter((one) => pointsOf(one, isAfter) >= cut)
  return yOf(places, Math.max(places.from - 1, ...inside.map((one) => placeOf(one, isAfter))) + 0.5)
}

/** The places near the cut score before and after: a line for each candidate, amber where it crosses. */
export function Places(props: {
  places: ShownPlaces
  /** the cut score before and after; null: there is none */
  cuts: readonly [before: number, after: number] | null
}) {
  const { places, cuts } = props
  const { from, to } = places
  const isCrossing = (one: Placed) =>
    cuts !== null && one.points >= cuts[0] !== one.pointsAfter >= cuts[1]
  // Amber lines are drawn over the others.
  const drawn = [...places.candidates].sort((a, b) => Number(isCrossing(a)) - Number(isCrossing(b)))
  return (
    <section aria-labelledby="places" className="max-md:hidden">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="places" className="text-[19px]!">
          Places {from} to {to}
        </h2>
        <span className="hint">each line is a candidate{cuts && '; amber crosses'}</span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="figures mt-2 block w-full text-[12px]"
        role="img"
        aria-label={`Places ${from} to ${to} before and after: ${drawn.filter(isCrossing).length} cross the cut score.`}
      >
        <clipPath id="within">
          <rect x="0" y="12" width={WIDTH} height={HEIGHT - 14} />
        </clipPath>
        <g clipPath="url(#within)">
          {drawn.map((one) => (
            <line
              key={one.number}
              x1={LEFT}
              y1={yOf(places, one.at)}
              x2={RIGHT}
              y2={yOf(places, one.atAfter)}
              stroke={isCrossing(one) ? 'var(--mid)' : 'var(--line-strong)'}
              strokeWidth={isCrossing(one) ? 2 : 1}
              opacity={isCrossing(one) ? 1 : 0.5}
            />
          ))}
        </g>
        <Scores places={places} isAfter={false} />
        <Scores places={places} isAfter />
        {cuts && (
          <>
            <CutEnd y={cutY(places, cuts[0], false)} isAfter={false} />
            <CutEnd y={cutY(places, cuts[1], true)} isAfter />
            <line
              x1={LEFT}
              x2={RIGHT}
              y1={cutY(places, cuts[0], false)}
              y2={cutY(places, cuts[1], true)}
              stroke="var(--ink)"
              strokeDasharray="2 3"
            />
          </>
        )}
      </svg>
    </section>
  )
}

/** One end of the cut score, with its word. */
function CutEnd({ y, isAfter }: { y: number; isAfter: boolean }) {
  const [x1, x2] = isAfter ? [RIGHT, WIDTH] : [0, LEFT]
  return (
    <>
      <line x1={x1} x2={x2} y1={y} y2={y} stroke="var(--ink)" strokeWidth="2" />
      <text
        x={isAfter ? WIDTH : 0}
        y={y - 5}
        fill="var(--ink)"
        fontWeight="600"
        textAnchor={isAfter ? 'end' : 'start'}
      >
        cut score
      </text>
    </>
  )
}

/** '18 points' next to the places that have them. */
function Scores({ places, isAfter }: { places: ShownPlaces; isAfter: boolean }) {
  const levels = new Map<number, number[]>()
  for (const one of places.candidates) {
    const [at, score] = [placeOf(one, isAfter), pointsOf(one, isAfter)]
    if (at < places.from || at > places.to) continue
    levels.set(score, [...(levels.get(score) ?? []), yOf(places, at)])
  }
  const [x, edge] = isAfter ? [RIGHT + 12, RIGHT + 5] : [LEFT - 12, LEFT - 5]
  return [...levels].map(([score, ys]) => {
    const [first, last] = [Math.min(...ys), Math.max(...ys)]
    return (
      <g key={score}>
        <line x1={edge} x2={edge} y1={first - 2} y2={last + 2} stroke="var(--line-strong)" />
        {last - first >= 6 && (
          <text
            x={x}
            y={(first + last) / 2 + 4}
            textAnchor={isAfter ? 'start' : 'end'}
            fill="var(--ink-2)"
          >
            {points(score)}
          </text>
        )}
      </g>
    )
  })
}
