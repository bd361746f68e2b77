import { CircleCheck, CircleX } from 'lucide-react'
import type { RefObject } from 'react'
import { AnswerPair } from '../../platform/web/ui/answer-pair.tsx'
import { Dialog } from '../../platform/web/ui/dialog.tsx'
import type { AnsweredDaily, DailyResult } from '../contract.ts'

/** 'Correct!' or 'Nice try!' (product 5.13). */
export function headlineOf({ wasCorrect }: DailyResult): string {
  return wasCorrect ? 'Correct!' : 'Nice try!'
}

/** The text below a wrong answer's headline (product 5.13). */
export function cheerOf({ wasCorrect }: DailyResult): string | undefined {
  return wasCorrect ? undefined : "Great effort! You're building strong instincts."
}

export function DailyDetails(props: {
  open: boolean
  onOpenChange: (open: boolean) => void
  daily: AnsweredDaily
  /** what opens the details again, because the original button may be gone */
  returnFocusTo: RefObject<HTMLElement | null>
}) {
  const { daily } = props
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      wide
      closeButton="text"
      finalFocus={props.returnFocusTo}
      title={headlineOf(daily.result)}
      description={cheerOf(daily.result)}
    >
      <DailyAnswer daily={daily} />
    </Dialog>
  )
}

/** Badge, statement, choice, correct answer, the mistake behind a wrong one (product 5.16) and the explanation. */
export function DailyAnswer({ daily }: { daily: AnsweredDaily }) {
  const { result } = daily
  return (
    <>
      <ResultChip wasCorrect={result.wasCorrect} />
      <p className="mt-4 whitespace-pre-line text-pretty font-medium font-serif text-[19px] leading-[1.36] tracking-[-0.01em]">
        {daily.statement}
      </p>
      <div className="mt-6">
        <AnswerPair
          correct={daily.options[result.correctOption]}
          chosen={daily.options[result.selectedOption]}
          isRight={result.wasCorrect}
        />
      </div>
      {result.mistake && (
        <div className="mt-6 border-wrong border-l-2 pl-4">
          <h3 className="eyebrow font-sans">{result.mistake.name}</h3>
          <p className="running mt-1.5 max-w-[62ch]">{result.mistake.sentence}</p>
        </div>
      )}
      {result.explanation && (
        <div className="mt-6 border-ink border-l-2 pl-4">
          <h3 className="eyebrow font-sans">Explanation</h3>
          <p className="running mt-1.5 max-w-[62ch] whitespace-pre-line">{result.explanation}</p>
        </div>
      )}
    </>
  )
}

export function ResultChip({ wasCorrect }: { wasCorrect: boolean }) {
  const Icon = wasCorrect ? CircleCheck : CircleX
  return (
    <span className={`chip gap-1.5 ${wasCorrect ? 'chip-right' : 'chip-wrong'}`}>
      <Icon size={14} aria-hidden />
      {wasCorrect ? 'Correct' : 'Incorrect'}
    </span>
  )
}
