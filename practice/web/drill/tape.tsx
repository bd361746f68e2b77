import { Check, X } from 'lucide-react'
import type { DrillAnswer } from '../../contract/drills.ts'
import { type Sum, withUnit } from '../../drill/sum.ts'

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
