import { memo } from 'react'

const at = (place: number, total: number) => ((place + 0.5) / total) * 100
/** From here on, of the width in percent, there is room for words beside a mark on a phone too. */
const ROOM = 20

/** Sums as a number line: right stands, wrong hangs, a triangle where one was last time (product 3.11.7). */
export function NumberLine(props: {
  marks: readonly boolean[]
  sumCount: number
  isEndless: boolean
  /** sums answered last time by this second; undefined without a last time */
  lastAt: number | undefined
  lastCount: number | undefined
}) {
  const { marks, lastAt } = props
  const done = marks.length
  const reach = Math.max(done + 5, (props.lastCount ?? 0) + 5, 40)
  const total = props.isEndless
    ? Math.min(props.sumCount, Math.ceil(reach / 20) * 20)
    : props.sumCount
  const right = marks.filter(Boolean).length
  const ahead = lastAt === undefined ? 0 : done - lastAt
  const lead = ahead === 0 ? 'level' : ahead > 0 ? `${ahead} ahead` : `${-ahead} behind`
  const hand = at(done, total)
  const ghost = lastAt === undefined ? undefined : at(Math.min(lastAt, total - 1), total)
  const isLeadLeft = hand > 100 - ROOM || (ghost !== undefined && ghost > hand)
  const label = `${done} of ${total} done, ${right} right, ${done - right} wrong.`
  return (
    <div className="drill-line sitting-wrap">
      <svg
        role="img"
        aria-label={lastAt === undefined ? label : `${label} Last time ${lastAt} at this point.`}
        width="100%"
        height="66"
      >
        <Marks marks={marks} total={total} />
        <line className="chart-axis" x1="0" x2="100%" y1="34" y2="34" />
        {ghost !== undefined && (
          <svg x={`${ghost}%`} overflow="visible" aria-hidden="true">
            <path d="M-5 7h10l-5 8z" fill="none" stroke="var(--ink-2)" strokeWidth="1.3" />
            {(isLeadLeft ? ghost < 100 - ROOM : ghost > ROOM) && (
              <text
                className="chart-text"
                x={isLeadLeft ? 10 : -10}
                y="15"
                textAnchor={isLeadLeft ? 'start' : 'end'}
              >
                last time
              </text>
            )}
          </svg>
        )}
        <line
          x1={`${hand}%`}
          x2={`${hand}%`}
          y1="40"
          y2="12"
          stroke="var(--accent)"
          strokeWidth="3"
        />
        {ghost !== undefined && (!isLeadLeft || hand > ROOM) && (
          <text
            className="chart-figure"
            x={`${hand}%`}
            dx={isLeadLeft ? -9 : 9}
            y="18"
            textAnchor={isLeadLeft ? 'end' : 'start'}
          >
            {lead}
          </text>
        )}
      </svg>
    </div>
  )
}

/** The ticks and figures of the line, memoized because the line itself is drawn five times a second. */
const Marks = memo(function Marks({ marks, total }: { marks: readonly boolean[]; total: number }) {
  const step = total > 100 ? 20 : total > 30 ? 10 : 5
  return (
    <g>
      {Array.from({ length: total }, (_, place) => {
        const x = `${at(place, total)}%`
        const isRight = marks[place]
        if (place === marks.length) return null
        return isRight === undefined ? (
          <line key={x} x1={x} x2={x} y1="34" y2="29" stroke="var(--line-strong)" opacity=".7" />
        ) : (
          <line
            key={x}
            x1={x}
            x2={x}
            y1="34"
            y2={isRight ? 22 : 46}
            stroke={isRight ? 'var(--ink)' : 'var(--wrong)'}
            strokeWidth="2"
          />
        )
      })}
      {Array.from({ length: Math.floor(total / step) }, (_, index) => {
        const figure = (index + 1) * step
        const isEnd = figure === total
        return (
          <text
            key={figure}
            className="chart-text"
            x={isEnd ? '100%' : `${at(figure - 1, total)}%`}
            y="61"
            textAnchor={isEnd ? 'end' : 'middle'}
          >
            {figure}
          </text>
        )
      })}
    </g>
  )
})
