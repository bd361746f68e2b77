import { CornerDownRight } from 'lucide-react'
import type { Case } from '../../cases/case.ts'
import { withMinus } from './exhibit-cells.ts'

/** The five questions by what they find: the figures so far, and which comes from which. */
export function CaseChain(props: { content: Case; answered: number; shown: number }) {
  return (
    <ol className="case-chain" aria-label="The questions of this case">
      {props.content.questions.map(({ finds, from, options, answer }, index) => {
        const figure = options[answer]
        const isFound = index < props.answered
        return (
          <li key={finds} aria-current={index === props.shown ? 'step' : undefined}>
            <span className="case-chain-number">{index + 1}</span>
            <span>{finds}</span>
            <span>
              {isFound
                ? // A sentence has no room here; it stands with its question.
                  /\d/.test(figure) && figure.length < 24 && withMinus(figure)
                : from.length > 0 && (
                    <>
                      <CornerDownRight size={15} aria-hidden />
                      from {from.join(' and ')}
                    </>
                  )}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
