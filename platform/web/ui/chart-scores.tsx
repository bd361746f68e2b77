import { shortDate } from '../dates.ts'
import { GuideLabels, GuideLines } from './chart-guides.tsx'

const WIDTH = 800
const HEIGHT = 200
const INSET = 8
/** Where the colour of a score changes (product 3.4.3, 10.5.1), between nothing and all. */
const SCALE = [100, 80, 60, 0]
/** With more tests than this the dots would run into each other. */
const MOST_DOTS = 40

export interface ScoredTest {
  /** ISO 8601 */
  completedAt: string
  /** what it was, in words */
  name: string
  percentage: number
}

/** The course of all scores, the oldest first, with the lines at 80 and 60; as a table to who can't see it. */
export function ScoreHistory({ tests }: { tests: readonly ScoredTest[] }) {
  const x = (index: number) =>
    tests.length === 1 ? WIDTH / 2 : INSET + (index / (tests.length - 1)) * (WIDTH - 2 * INSET)
  const y = (percentage: number) => INSET + ((100 - percentage) / 100) * (HEIGHT - 2 * INSET)
  const last = tests.length - 1
  return (
    <figure className="relative">
      <div aria-hidden className="grid grid-cols-[30px_1fr]">
        <div className="relative text-[12px] text-ink-2">
          <GuideLabels values={SCALE} y={y} height={HEIGHT} />
        </div>
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          className="h-[200px] w-full overflow-visible"
          preserveAspectRatio="none"
        >
          <GuideLines values={SCALE} y={y} width={WIDTH} />
          <polyline
            points={tests.map((test, index) => `${x(index)},${y(test.percentage)}`).join(' ')}
            fill="none"
            stroke="var(--ink)"
            strokeWidth={1.75}
            strokeLinejoin="round"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
          {/* A round cap on a line of no length is a dot that the stretched picture can't flatten. */}
          {tests.map((test, index) =>
            index === last || tests.length <= MOST_DOTS ? (
              <line
                // biome-ignore lint/suspicious/noArrayIndexKey: a place in the picture has no other name
                key={index}
                x1={x(index)}
                x2={x(index)}
                y1={y(test.percentage)}
                y2={y(test.percentage)}
                stroke={index === last ? 'var(--accent)' : 'var(--ink)'}
                strokeWidth={index === last ? 10 : 6}
                strokeLinecap="round"
                vectorEffect="non-scaling-stroke"
              />
            ) : null,
          )}
        </svg>
        <span />
        <div className="hint mt-2 flex justify-between">
          {tests.length > 1 && <span>{shortDate(tests[0]?.completedAt ?? '')}</span>}
          <span className="ml-auto">{shortDate(tests[last]?.completedAt ?? '')}</span>
        </div>
      </div>
      <div className="sr-only">
        <table>
          <caption>Scores, oldest first</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Test</th>
              <th scope="col">Score</th>
            </tr>
          </thead>
          <tbody>
            {tests.map((test, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows don't move
              <tr key={index}>
                <td>{shortDate(test.completedAt)}</td>
                <td>{test.name}</td>
                <td>{test.percentage}%</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
