import { KINDS, type KindName } from '../../../drill/kinds.ts'
import type { KindReport } from '../../../drill/report.ts'
import { Section } from '../../kit.tsx'
import { seconds } from '../tape.tsx'

/** The width for which dots are kept apart; narrower, they only come nearer to each other. */
const WIDTH = 540
const HEIGHT = 38
const MIDDLE = HEIGHT / 2
const DOT = 5.8
const ROWS = [0, 1, -1, 2, -2, 3, -3]

export function KindsTable({
  kinds,
  slow,
}: {
  kinds: readonly KindReport[]
  slow: KindName | null
}) {
  const longest = Math.max(
    1_000,
    ...kinds.flatMap(({ reached }) => reached.map(({ tookMs }) => tookMs)),
  )
  const stepSeconds =
    [1, 2, 5, 10, 20, 30, 60, 120, 300].find((step) => step * 5_000 > longest) ?? 600
  const topMs = Math.max(longest * 1.03, stepSeconds * 1_000)
  return (
    <Section
      id="by-kind"
      title="By kind of sum"
      hint={
        <>
          <span className="max-nav:hidden">each dot a sum · </span>line: the median · cross: wrong
        </>
      }
      className="mt-11"
    >
      <table className="drill-kinds">
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Right</th>
            <th scope="col">Median</th>
            <th scope="col">
              <span className="sr-only">Seconds of each</span>
              <Axis stepSeconds={stepSeconds} topMs={topMs} />
            </th>
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind.name} className={kind.name === slow ? 'font-semibold' : undefined}>
              <th scope="row">
                {KINDS[kind.name].title}
                {kind.name === slow && <span className="sr-only"> (slow)</span>}
              </th>
              <td>
                {kind.right}{' '}
                <span className="font-normal text-[13px] text-ink-2">of {kind.reached.length}</span>
              </td>
              <td>{seconds(kind.medianMs)}</td>
              <td>
                <Dots kind={kind} topMs={topMs} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="nav:hidden" aria-hidden>
        <Axis stepSeconds={stepSeconds} topMs={topMs} />
      </div>
    </Section>
  )
}

function Axis({ stepSeconds, topMs }: { stepSeconds: number; topMs: number }) {
  const figures = Array.from(
    { length: Math.floor(topMs / (stepSeconds * 1_000)) + 1 },
    (_, index) => index * stepSeconds,
  )
  return (
    <svg width="100%" height="18" aria-hidden="true">
      {figures.map((figure, index) => {
        const share = (figure * 100_000) / topMs
        return (
          <text
            key={figure}
            className="chart-text"
            x={`${share}%`}
            y="13"
            textAnchor={index === 0 ? 'start' : share > 96 ? 'end' : 'middle'}
          >
            {figure}
            {index === figures.length - 1 && ' s'}
          </text>
        )
      })}
    </svg>
  )
}

function Dots({ kind, topMs }: { kind: KindReport; topMs: number }) {
  const taken: { x: number; row: number }[] = []
  const median = (kind.medianMs / topMs) * 100
  return (
    <svg
      width="100%"
      height={HEIGHT}
      role="img"
      aria-label={`${KINDS[kind.name].title}: median ${(kind.medianMs / 1_000).toFixed(1)} seconds, ${kind.right} of ${kind.reached.length} right.`}
    >
      <line x1="0" x2="100%" y1={MIDDLE} y2={MIDDLE} stroke="var(--line)" />
      {kind.reached.map(({ tookMs, isRight }, index) => {
        const x = (tookMs / topMs) * WIDTH
        const row =
          ROWS.find((one) => !taken.some((dot) => dot.row === one && Math.abs(dot.x - x) < DOT)) ??
          0
        taken.push({ x, row })
        const y = MIDDLE + row * (DOT - 0.6)
        return (
          <svg
            // biome-ignore lint/suspicious/noArrayIndexKey: a dot is its sum's place
            key={index}
            x={`${(tookMs / topMs) * 100}%`}
            y={y}
            overflow="visible"
            aria-hidden="true"
          >
            {isRight ? (
              <circle r="2.9" fill="var(--ink)" opacity=".78" />
            ) : (
              <path
                d="M-3.4-3.4l6.8 6.8m0-6.8-6.8 6.8"
                stroke="var(--wrong)"
                strokeWidth="2"
                strokeLinecap="round"
              />
            )}
          </svg>
        )
      })}
      <line
        x1={`${median}%`}
        x2={`${median}%`}
        y1="2"
        y2="36"
        stroke="var(--ink)"
        strokeWidth="1.5"
      />
    </svg>
  )
}
