import type { Placed, ShownConsequences } from '../../../contract/analysis.ts'
import { points } from '../../../statistics/figures.ts'

const WIDTH = 780
const HEIGHT = 272
const [LEFT, RIGHT] = [92, WIDTH - 92]

/** The places about the line before and after: each line is a candidate, amber crosses. */
export function Places(props: {
  places: NonNullable<ShownConsequences['places']>
  line: number | null
  lineAfter: number | null
}) {
  const { places, line, lineAfter } = props
  const { from, to, candidates } = places
  const y = (at: number) => 14 + ((at - from + 0.5) * 244) / (to - from + 1)
  const isCrossing = (one: Placed) =>
    line !== null && lineAfter !== null && one.points >= line !== one.pointsAfter >= lineAfter
  // Those who cross are drawn over the others.
  const drawn = [...candidates].sort((a, b) => Number(isCrossing(a)) - Number(isCrossing(b)))
  // Under the last one who is in.
  const under = (isIn: (one: Placed) => boolean, at: (one: Placed) => number) =>
    y(Math.max(from - 1, ...candidates.filter(isIn).map(at)) + 0.5)
  const drawnLine =
    line === null || lineAfter === null
      ? null
      : {
          before: under(
            (one) => one.points >= line,
            ({ at }) => at,
          ),
          after: under(
            (one) => one.pointsAfter >= lineAfter,
            ({ atAfter }) => atAfter,
          ),
        }
  return (
    <section aria-labelledby="places" className="max-md:hidden">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="places" className="text-[19px]!">
          Places {from} to {to}
        </h2>
        <span className="hint">
          each line is a candidate{line === null ? '' : '; amber crosses'}
        </span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="figures mt-2 block w-full text-[12px]"
        role="img"
        aria-label={`Places ${from} to ${to} before and after: ${candidates.filter(isCrossing).length} cross the line.`}
      >
        <clipPath id="within">
          <rect x="0" y="12" width={WIDTH} height={HEIGHT - 14} />
        </clipPath>
        <g clipPath="url(#within)">
          {drawn.map((one) => (
            <line
              key={one.number}
              x1={LEFT}
              y1={y(one.at)}
              x2={RIGHT}
              y2={y(one.atAfter)}
              stroke={isCrossing(one) ? 'var(--mid)' : 'var(--line-strong)'}
              strokeWidth={isCrossing(one) ? 2 : 1}
              opacity={isCrossing(one) ? 1 : 0.5}
            />
          ))}
        </g>
        <Scores
          candidates={candidates}
          of={({ points }) => points}
          at={({ at }) => at}
          {...{ from, to, y }}
        />
        <Scores
          candidates={candidates}
          of={({ pointsAfter }) => pointsAfter}
          at={({ atAfter }) => atAfter}
          {...{ from, to, y }}
          isAfter
        />
        {drawnLine && (
          <>
            <LineEnd y={drawnLine.before} />
            <LineEnd y={drawnLine.after} isAfter />
            <line
              x1={LEFT}
              x2={RIGHT}
              y1={drawnLine.before}
              y2={drawnLine.after}
              stroke="var(--ink)"
              strokeDasharray="2 3"
            />
          </>
        )}
      </svg>
    </section>
  )
}

/** The society's line on one side of the picture, with its word. */
function LineEnd({ y, isAfter = false }: { y: number; isAfter?: boolean }) {
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
        line
      </text>
    </>
  )
}

/** '18 points' beside the places that have them. */
function Scores(props: {
  candidates: readonly Placed[]
  of: (one: Placed) => number
  at: (one: Placed) => number
  from: number
  to: number
  y: (at: number) => number
  isAfter?: boolean
}) {
  const { candidates, of, at, from, to, y, isAfter = false } = props
  const levels = new Map<number, number[]>()
  for (const one of candidates) {
    if (at(one) < from || at(one) > to) continue
    levels.set(of(one), [...(levels.get(of(one)) ?? []), at(one)])
  }
  const x = isAfter ? RIGHT + 12 : LEFT - 12
  const edge = isAfter ? RIGHT + 5 : LEFT - 5
  return [...levels].map(([score, places]) => {
    const [first, last] = [Math.min(...places), Math.max(...places)]
    return (
      <g key={score}>
        <line x1={edge} x2={edge} y1={y(first) - 2} y2={y(last) + 2} stroke="var(--line-strong)" />
        {y(last) - y(first) >= 6 && (
          <text
            x={x}
            y={y((first + last) / 2) + 4}
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
