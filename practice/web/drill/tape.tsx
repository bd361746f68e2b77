import { Check, X } from 'lucide-react'
import type { DrillAnswer } from '../../contract/drills.ts'
import type { Preset } from '../../drill/presets.ts'
import { type Sum, withUnit } from '../../drill/sum.ts'
import { type Tick, Ticks } from '../sitting/ticks.tsx'

const SHOWN = 3

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

export function Tape(props: {
  sums: readonly Sum[]
  answers: readonly DrillAnswer[]
  isRight: readonly boolean[]
}) {
  const { sums, answers, isRight } = props
  const first = Math.max(0, answers.length - SHOWN)
  return (
    <ol aria-label="The last three" className="drill-tape">
      {answers.slice(first).map(({ answer, tookMs }, offset) => {
        const place = first + offset
        const sum = sums[place]
        return (
          sum && (
            <li key={place} className="drill-row" data-age={answers.length - place}>
              <span className="truncate">{sum.prompt}</span>
              <span className="drill-sign">{sum.sign}</span>
              <span className="whitespace-nowrap">
                <Judged sum={sum} answer={answer} isRight={isRight[place] === true} />
                <span className={`drill-took ${isRight[place] ? '' : 'text-wrong'}`}>
                  {isRight[place] ? (
                    <Check size={15} aria-label="Correct" className="drill-check" />
                  ) : (
                    <X size={15} aria-label="Incorrect" />
                  )}
                  {seconds(tookMs)}
                </span>
              </span>
            </li>
          )
        )
      })}
    </ol>
  )
}

export function Judged(props: { sum: Sum; answer: string; isRight: boolean }) {
  const { sum, answer } = props
  if (props.isRight) return <>{withUnit(sum, sum.key)}</>
  return (
    <>
      <s className="drill-struck">
        <span className="sr-only">your answer </span>
        {withUnit(sum, answer)}
      </s>{' '}
      {withUnit(sum, sum.key)}
    </>
  )
}

/** Shows one tick per question and the comparison with last time. */
export function NumberLine(props: {
  marks: readonly boolean[]
  sumCount: number
  isEndless: boolean
  /** questions answered by this second last time; undefined without a last time */
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
  const label = `${done} of ${total} done, ${right} right, ${done - right} wrong.`
  const ticks = Array.from({ length: total }, (_, place): Tick => {
    if (place === done) return 'now'
    return marks[place] === undefined ? 'open' : marks[place] ? 'right' : 'wrong'
  })
  return (
    <div className="drill-line sitting-wrap">
      <div
        role="img"
        aria-label={lastAt === undefined ? label : `${label} Last time ${lastAt} at this point.`}
      >
        <Ticks ticks={ticks} isFine />
      </div>
      <p aria-hidden className="hint mt-2 flex justify-between">
        <span>
          {done} of {total}
        </span>
        {lastAt !== undefined && <span>{leadOver(done - lastAt)} last time</span>}
      </p>
    </div>
  )
}

function leadOver(ahead: number): string {
  if (ahead === 0) return 'level with'
  return ahead > 0 ? `${ahead} ahead of` : `${-ahead} behind`
}

/** Names the test that a drill imitates and its unaffiliated owner (product 3.11.2). It's empty for our own drills. */
export function SourceLine({ preset }: { preset: Preset }) {
  const { source, passMark } = preset
  if (!source) return null
  return (
    <p className="hint mt-3 max-w-[70ch]">
      After {source.whose}, as known in {source.year}: {source.told}
      {passMark !== null && `; ${passMark} is said to pass`}. Not affiliated with {source.whose}.
    </p>
  )
}
