// Long because the five lanes of one picture share their scale and stand in one place.
import { useEffect, useRef, useState } from 'react'
import { lengthText } from '../../../assessments/incident-words.ts'
import type { CandidateFile, ShownIncident } from '../../contract/incidents.ts'
import { zoneTime } from '../../zone-time.ts'
import { type AxisFacts, endWords, marksOf } from './axis-layout.ts'
import { lookOf, signWords } from './axis-signs.ts'
import { zoneSecond } from './zone-second.ts'

/** Where the lanes begin, after their names. */
const LEFT = 116
const HEIGHT = 282
const LANES = { others: 56, saves: 104, away: 156, network: 202, window: 242 } as const

interface Props {
  facts: AxisFacts
  file: CandidateFile
  timeZone: string
}

/** The attempt as a picture: others away, answers saved, absences and acts, network, windows. */
export function TimeAxis(props: Props) {
  const { facts, file, timeZone } = props
  const [width, setWidth] = useState(1000)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const node = place.current
    if (!node) return
    const watch = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 1000))
    watch.observe(node)
    return () => watch.disconnect()
  }, [])
  const x = (ms: number) =>
    LEFT + ((ms - facts.fromMs) / (facts.toMs - facts.fromMs)) * (width - LEFT)
  const marks = marksOf(facts)
  return (
    <div ref={place} className="max-md:hidden">
      <svg
        role="img"
        aria-label="What was seen, on a time axis. The same stands below in words."
        width={width}
        height={HEIGHT}
        className="figures block overflow-visible text-[12.5px] [&_text]:fill-[var(--ink-2)]"
      >
        {marks.map((ms, index) => (
          <g key={ms}>
            <line x1={x(ms)} x2={x(ms)} y1="24" y2="276" stroke="var(--line)" />
            <text x={x(ms)} y="16" textAnchor={index === marks.length - 1 ? 'end' : 'start'}>
              {zoneTime(facts.startAtMs + ms, timeZone)}
            </text>
          </g>
        ))}
        <line x1={LEFT} x2={width} y1="24.5" y2="24.5" stroke="var(--ink)" />
        <line x1={LEFT} x2={width} y1="276.5" y2="276.5" stroke="var(--line)" />
        <Others {...props} x={x} width={width} />
        <Saves {...props} x={x} width={width} />
        <Away {...props} x={x} width={width} />
        <Network {...props} x={x} width={width} />
        <Windows {...props} x={x} width={width} />
        <Moments
          facts={facts}
          x={x}
          timeZone={timeZone}
          end={file.attempt?.submittedAt ? endWords(file.attempt) : null}
        />
      </svg>
    </div>
  )
}

type Drawn = Props & { x: (ms: number) => number; width: number }

function LaneName({ y, children }: { y: number; children: string }) {
  return (
    <text x="0" y={y + 14} className="fill-[var(--ink)]! text-[13px]">
      {children}
    </text>
  )
}

function Others({ file, x, width }: Drawn) {
  const { others } = file.lanes
  const most = Math.max(1, ...others.map(({ of }) => of))
  const peak = others.reduce<(typeof others)[number] | null>(
    (best, one) => (one.away > (best?.away ?? 0) ? one : best),
    null,
  )
  const barWidth = Math.max(1, x(60_000) - x(0) - 2)
  // Its words stand behind the hill that it belongs to.
  const hillEnd = others.find((one) => peak && one.atMs > peak.atMs && one.away < peak.away * 0.3)
  return (
    <g>
      <LaneName y={LANES.others}>Others away</LaneName>
      {others.map(({ atMs, away }) =>
        away > 0 ? (
          <rect
            key={atMs}
            x={x(atMs) + 1}
            y={84 - (away / most) * 42}
            width={barWidth}
            height={(away / most) * 42}
            fill="var(--line-strong)"
            opacity=".55"
          />
        ) : null,
      )}
      <line x1={LEFT} x2={width} y1="84.5" y2="84.5" stroke="var(--line)" />
      {peak && (
        <text
          x={clamp(hillEnd ? x(hillEnd.atMs) + 8 : x(peak.atMs) + barWidth + 8, LEFT, width - 180)}
          y={peak.away / most > 0.5 ? 62 : 76}
        >
          {peak.away} of the {peak.of} others{file.room ? ` in room ${file.room}` : ''}
        </text>
      )}
    </g>
  )
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)

function Saves({ file, x, width }: Drawn) {
  return (
    <g>
      <LaneName y={LANES.saves}>Answers saved</LaneName>
      {file.lanes.saves.map(({ atMs, isChange, hasWaited }, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: saves never change their place
          key={index}
          x={x(atMs) - 1}
          y={LANES.saves + (isChange ? 0 : 5)}
          width="2"
          height={isChange ? 22 : 17}
          fill={hasWaited ? 'none' : 'var(--ink)'}
          stroke={hasWaited ? 'var(--ink)' : 'none'}
        />
      ))}
      <line x1={LEFT} x2={width} y1="126.5" y2="126.5" stroke="var(--line)" />
    </g>
  )
}

/** Where an incident has no length to draw, and for its number. */
const TAG = 17

function Away({ file, x, width }: Drawn) {
  const shown = file.incidents.filter(({ kind }) => kind === 'away' || kind === 'act')
  const y = LANES.away + 1
  return (
    <g>
      <LaneName y={LANES.away}>Away and acts</LaneName>
      {shown.map((one, index) => {
        const from = x(one.atMs)
        const length = Math.max(0, x(one.atMs + (one.lengthMs ?? 0)) - from)
        const next = shown[index + 1]
        // Words only where there is room for them before the next sign.
        const room = (next ? x(next.atMs) : width) - from - Math.max(length, TAG)
        const words = signWords(one)
        const isWide = length > TAG + 70
        const look = lookOf(one)
        return (
          <g key={one.name}>
            {length > TAG && (
              <rect
                x={from}
                y={y}
                width={length}
                height={TAG}
                rx="2"
                fill={look === 'waits' ? 'var(--mid)' : 'none'}
                stroke={look === 'waits' ? 'none' : 'var(--ink)'}
              />
            )}
            <Tag x={length > TAG ? from : Math.min(from - TAG / 2, width - TAG)} y={y} one={one} />
            {(isWide || room > words.length * 6.4 + 12) && (
              <text
                x={isWide && look !== 'waits' ? from + 24 : from + Math.max(length, TAG / 2) + 8}
                y={y + 13}
                className={
                  look === 'waits' ? 'fill-[var(--mid)]! font-semibold' : 'fill-[var(--ink)]!'
                }
              >
                {isWide && look !== 'waits' && one.lengthMs !== null
                  ? lengthText(one.lengthMs)
                  : words}
              </text>
            )}
          </g>
        )
      })}
      <line x1={LEFT} x2={width} y1="178.5" y2="178.5" stroke="var(--line)" />
    </g>
  )
}

/** A strike's number in a square; without one, of what never counted. */
export function Tag({ x, y, one }: { x: number; y: number; one: ShownIncident }) {
  const look = lookOf(one)
  const fill = look === 'waits' ? 'var(--mid)' : look === 'back' ? 'var(--paper)' : 'var(--ink)'
  return (
    <g transform={`translate(${x},${y})`}>
      <rect
        width={TAG}
        height={TAG}
        rx="3"
        fill={fill}
        stroke={look === 'back' ? 'var(--ink)' : 'none'}
      />
      {one.strike && (
        <text
          x="8.5"
          y="12.7"
          textAnchor="middle"
          className={`font-semibold text-[11px] ${look === 'back' ? 'fill-[var(--ink)]!' : 'fill-[var(--paper)]!'}`}
        >
          {one.strike.number}
        </text>
      )}
      {one.strike && look === 'back' && one.strike.standing !== 'stands' && (
        <line x1="2" x2="15" y1="8.5" y2="8.5" stroke="var(--ink)" />
      )}
    </g>
  )
}

function Network({ file, facts, x }: Drawn) {
  const y = LANES.network + 9
  const offline = file.incidents.filter(({ kind }) => kind === 'offline')
  return (
    <g>
      <LaneName y={LANES.network}>Network</LaneName>
      <line x1={x(0)} x2={x(facts.endMs)} y1={y} y2={y} stroke="var(--ink)" strokeWidth="1.5" />
      {offline.map((one) => {
        const [from, to] = [x(one.atMs), x(one.atMs + (one.lengthMs ?? 0))]
        return (
          <g key={one.name}>
            <line x1={from} x2={to} y1={y} y2={y} stroke="var(--paper)" strokeWidth="3" />
            <line
              x1={from}
              x2={to}
              y1={y}
              y2={y}
              stroke="var(--ink)"
              strokeWidth="1.5"
              strokeDasharray="2 4"
            />
            <text x={from - 2} y={y - 8}>
              offline{one.lengthMs === null ? '' : ` ${lengthText(one.lengthMs)}`}
            </text>
          </g>
        )
      })}
    </g>
  )
}

function Windows({ file, x }: Drawn) {
  const { windows } = file.lanes
  const y = LANES.window
  return (
    <g>
      <LaneName y={y}>Window</LaneName>
      {windows.map(({ fromMs, toMs, browser, isOther }, index) => {
        const next = windows[index + 1]
        const unseenMs = next ? next.fromMs - toMs : 0
        const [from, to] = [x(fromMs), x(toMs)]
        const words = index === 0 ? browser : `${isOther ? 'took over' : 'opened anew'}: ${browser}`
        return (
          <g key={fromMs}>
            <rect
              x={from}
              y={y}
              width={Math.max(2, to - from)}
              height="22"
              rx="3"
              fill="var(--sunken)"
              stroke="var(--line-strong)"
            />
            {to - from > words.length * 6.6 + 16 && (
              <text x={from + 10} y={y + 15} className="fill-[var(--ink)]!">
                {words}
              </text>
            )}
            {next && unseenMs > 1_000 && (
              <>
                <rect
                  x={to}
                  y={y}
                  width={Math.max(2, x(next.fromMs) - to)}
                  height="22"
                  fill="var(--mid-soft)"
                />
                <text x={(to + x(next.fromMs)) / 2} y={y - 6} textAnchor="middle">
                  {lengthText(unseenMs)}
                </text>
              </>
            )}
          </g>
        )
      })}
    </g>
  )
}

function Moments(props: {
  facts: AxisFacts
  x: (ms: number) => number
  timeZone: string
  /** how it ended; null: it goes on */
  end: string | null
}) {
  const { facts, x, timeZone, end } = props
  const { endMs, plainEndMs, startAtMs, deadlineMs } = facts
  const isNear = (ms: number) => ms <= facts.toMs
  return (
    <g>
      <line x1={x(0)} x2={x(0)} y1="24" y2="276" stroke="var(--ink)" />
      <text x={x(0) + 6} y="38" className="fill-[var(--ink)]!">
        start
      </text>
      {plainEndMs !== null && isNear(plainEndMs) && (
        <>
          <line
            x1={x(plainEndMs)}
            x2={x(plainEndMs)}
            y1="24"
            y2="237"
            stroke="var(--ink)"
            strokeDasharray="2 3"
          />
          <text x={x(plainEndMs) - 6} y="38" textAnchor="end" className="fill-[var(--ink)]!">
            end without the {Math.round((deadlineMs - plainEndMs) / 60_000)} min
          </text>
        </>
      )}
      <line x1={x(endMs)} x2={x(endMs)} y1="24" y2="276" stroke="var(--ink)" />
      <text
        x={x(endMs) - 6}
        y={plainEndMs === null ? 38 : 52}
        textAnchor="end"
        className="fill-[var(--ink)]!"
      >
        {end ? `${end} ${zoneSecond(startAtMs + endMs, timeZone)}` : 'now'}
      </text>
    </g>
  )
}
