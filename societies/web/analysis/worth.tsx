import type { ReactNode } from 'react'
import { coefficient, decimal, points } from '../../statistics/figures.ts'
import { itemsNeeded, reliabilityWord } from '../../statistics/reliability.ts'
import { FIGURES_FROM } from '../../statistics/sample-size.ts'
import { lengthWords, reliabilityMeaning, wholePointsApart } from '../../statistics/words.ts'
import { type Analysis, endWords, paceWords } from './analysis-words.ts'

/** What the test is worth: in a figure, a word, a width and a length (product 7.18.3). */
export function Worth({ analysis }: { analysis: Analysis }) {
  const { reliability, people, questionCount } = analysis
  if (people < FIGURES_FROM) return null
  if (!reliability) return <NoReliability />
  const { alpha, error } = reliability
  const word = reliabilityWord(alpha)
  const needed = itemsNeeded(questionCount, alpha)
  const pace = paceWords(analysis)
  return (
    <>
      <div className="figures mb-7.5 grid border-line border-t border-t-ink border-b lg:grid-cols-[auto_repeat(3,minmax(0,1fr))] md:max-lg:grid-cols-2">
        <div className="pt-3.5 pr-7 pb-4">
          <p className="hint">Reliability, KR-20</p>
          <p className="count mt-2 text-[60px]!">{coefficient(alpha)}</p>
          <p className="hint mt-1">n = {people}</p>
        </div>
        <Piece label="In words" value={word.charAt(0).toUpperCase() + word.slice(1)}>
          {reliabilityMeaning(alpha)}
        </Piece>
        <Piece label="A score is good to" value={`± ${points(Math.max(1, Math.round(error)))}`}>
          Standard error {decimal(error)}. Two candidates differ for certain from{' '}
          {wholePointsApart(error)} points on.
        </Piece>
        <Piece
          label="To reach .80"
          value={
            needed === null ? '–' : needed <= questionCount ? 'It does' : `${needed} questions`
          }
        >
          {needed !== null && needed > questionCount
            ? `${needed - questionCount} more of the same kind.`
            : lengthWords(questionCount, alpha)}{' '}
          {endWords(analysis)}
        </Piece>
      </div>
      {pace && <p className="-mt-3 mb-7 text-[13px] text-ink-2">{pace}</p>}
    </>
  )
}

function Piece(props: { label: string; value: string; children: ReactNode }) {
  return (
    <div className="border-line pt-3.5 pr-5 pb-4 max-lg:border-t lg:border-l lg:pl-7">
      <p className="hint">{props.label}</p>
      <p className="mt-1 font-medium font-serif text-[24px] tracking-[-0.015em]">{props.value}</p>
      <p className="mt-1 text-pretty text-[13px] text-ink-2 leading-[1.4]">{props.children}</p>
    </div>
  )
}

function NoReliability() {
  return (
    <p className="mb-6 text-ink-2">
      Reliability can't be computed: all candidates have the same score, or fewer than two questions
      count.
    </p>
  )
}
