import { shortDate } from '../../../platform/web/dates.ts'
import { Dot, type Point, SCORE_GUIDES, ScorePicture } from './score-picture.tsx'

const WIDTH = 800
const HEIGHT = 200
const INSET = 8
const SCALE = [100, ...SCORE_GUIDES, 0]
/** With more tests than this the dots would run into each other. */
const MOST_DOTS = 40

interface ScoredTest {
  /** ISO 8601 */
  completedAt: string
  /** what it was, in words */
  name: string
  percentage: number
}

/** The course of all scores, the oldest first, with the lines at 80 and 60; as a table to who can't see it. */
export function ScoreHistory({ tests }: { tests: readonly ScoredTest[] }) {
  const y = (percentage: number) => INSET + ((100 - percentage) / 100) * (HEIGHT - 2 * INSET)
  const points = tests.map(
    ({ percentage }, index): Point => ({
      x:
        tests.length === 1 ? WIDTH / 2 : INSET + (index / (tests.length - 1)) * (WIDTH - 2 * INSET),
      y: y(percentage),
    }),
  )
  const last = tests.length - 1
  return (
    <figure className="relative">
      <div aria-hidden className="grid grid-cols-[30px_1fr]">
        <ScorePicture
          width={WIDTH}
          height={HEIGHT}
          heightClass="h-[200px]"
          guides={SCALE}
          guideClass="text-[12px]"
          y={y}
          points={points}
        >
          {points.map((point, index) =>
            index === last || tests.length <= MOST_DOTS ? (
              <Dot
                // biome-ignore lint/suspicious/noArrayIndexKey: a place in the picture has no other name
                key={index}
                at={point}
                color={index === last ? 'var(--accent)' : 'var(--ink)'}
                size={index === last ? 10 : 6}
              />
            ) : null,
          )}
        </ScorePicture>
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
