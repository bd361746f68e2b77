import type { ReactNode } from 'react'

/** A graded answer without its options: 'Correct answer: … You chose …'. */
export function AnswerPair(props: {
  correct: ReactNode
  chosen: ReactNode | undefined
  isRight: boolean
}) {
  return (
    <dl className="answer-pair">
      <div className="judged-right">
        <dt className="grade-right">Correct answer</dt>
        <dd>{props.correct}</dd>
      </div>
      {props.chosen && (
        <div className={props.isRight ? '' : 'judged-wrong'}>
          <dt className={props.isRight ? '' : 'grade-wrong'}>You chose</dt>
          <dd>{props.chosen}</dd>
        </div>
      )}
    </dl>
  )
}
