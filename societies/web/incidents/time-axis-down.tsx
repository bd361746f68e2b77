import type { CandidateFile } from '../../contract/incidents.ts'
import { zoneTime } from '../../zone-time.ts'
import { type AxisFacts, endWords, marksOf, spread } from './axis-layout.ts'
import { lookOf, signNote, signWords } from './axis-signs.ts'
import { Tag } from './time-axis.tsx'
import { zoneSecond } from './zone-second.ts'

const HEIGHT = 640
const WIDTH = 354
const AXIS = { others: 50, saves: 100, line: 138, words: 156 } as const
/** Of a line of words. */
const LINE = 16

/** The same for a narrow screen: time runs downwards, with words beside the marks. */
export function TimeAxisDown(props: { facts: AxisFacts; file: CandidateFile; timeZone: string }) {
  const { facts, file, timeZone } = props
  const y = (ms: number) => 24 + ((ms - facts.fromMs) / (facts.toMs - facts.fromMs)) * (HEIGHT - 40)
  const { others, saves } = file.lanes
  const most = Math.max(1, ...others.map(({ of }) => of))
  const end = file.attempt?.submittedAt ? endWords(file.attempt) : null
  const told = [
    { ms: 0, words: `start ${zoneSecond(facts.startAtMs, timeZone)}`, look: 'plain', one: null },
    ...file.incidents.map((one) => ({
      ...{ ms: one.atMs, words: signWords(one), look: lookOf(one), one },
    })),
    {
      ...{ ms: facts.endMs, look: 'plain', one: null },
      words: end ? `${end} ${zoneSecond(facts.startAtMs + facts.endMs, timeZone)}` : 'now',
    },
  ]
    .filter(({ ms }) => ms >= facts.fromMs && ms <= facts.toMs)
    .sort((a, b) => a.ms - b.ms)
  const noteOf = ({ one }: (typeof told)[number]) => one && signNote(one)
  const places = spread(
    told.map((sign) => ({ place: y(sign.ms), height: LINE * (noteOf(sign) ? 2 : 1) })),
  )
  const height = Math.max(HEIGHT, (places.at(-1) ?? 0) + 20)
  return (
    <svg
      role="img"
      aria-label="What was seen, on a time axis. The same stands below in words."
      width="100%"
      height={height}
      viewBox={`0 0 ${WIDTH} ${height}`}
      preserveAspectRatio="xMinYMin meet"
      className="figures mt-2 block text-[12.5px] md:hidden [&_text]:fill-[var(--ink-2)]"
    >
      <text x={AXIS.others} y="12">
        others
      </text>
      <text x={AXIS.saves - 6} y="12">
        saves
      </text>
      {marksOf(facts).map((ms) => (
        <g key={ms}>
          <line x1="44" x2={WIDTH} y1={y(ms)} y2={y(ms)} stroke="var(--line)" />
          <text x="0" y={y(ms) + 4}>
            {zoneTime(facts.startAtMs + ms, timeZone)}
          </text>
        </g>
      ))}
      {others.map(({ atMs, away }) =>
        away > 0 ? (
          <rect
            key={atMs}
            x={AXIS.others}
            y={y(atMs) + 1}
            width={(away / most) * 40}
            height={Math.max(1, y(60_000) - y(0) - 2)}
            fill="var(--line-strong)"
            opacity=".45"
          />
        ) : null,
      )}
      {saves.map(({ atMs, isChange, hasWaited }, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: saves never change their place
          key={index}
          x={AXIS.saves}
          y={y(atMs) - 1}
          width={isChange ? 24 : 18}
          height="2"
          fill={hasWaited ? 'none' : 'var(--ink)'}
          stroke={hasWaited ? 'var(--ink)' : 'none'}
        />
      ))}
      <line
        x1={AXIS.line}
        x2={AXIS.line}
        y1={y(0)}
        y2={y(facts.endMs)}
        stroke="var(--line-strong)"
      />
      {told.map(({ ms, words, look, one }, index) => {
        const place = places[index] as number
        const length = one?.lengthMs ?? 0
        // Before it took over nobody was seen.
        const fromMs = one?.kind === 'take_over' ? ms - length : ms
        return (
          <g key={one?.name ?? words}>
            {one && length > 0 && (
              <rect
                x={AXIS.line - 7.5}
                y={y(fromMs)}
                width="16"
                height={Math.max(2, y(fromMs + length) - y(fromMs))}
                rx="2"
                fill={look === 'waits' ? 'var(--mid)' : 'var(--paper)'}
                stroke={look === 'waits' ? 'none' : 'var(--ink)'}
              />
            )}
            {one?.strike ? (
              <Tag x={AXIS.line - 8} y={length > 0 ? y(ms) : y(ms) - 8} one={one} />
            ) : (
              one && (
                <circle
                  cx={AXIS.line}
                  cy={y(ms)}
                  r="3"
                  fill={look === 'waits' ? 'var(--mid)' : 'var(--ink)'}
                />
              )
            )}
            <text
              x={AXIS.words}
              y={place + 5}
              className={
                look === 'waits'
                  ? 'fill-[var(--mid)]! font-semibold'
                  : one
                    ? ''
                    : 'fill-[var(--ink)]!'
              }
            >
              {words}
            </text>
            {one && signNote(one) && (
              <text x={AXIS.words} y={place + 5 + LINE}>
                {signNote(one)}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}
