import { CircleCheck, CircleX } from 'lucide-react'
import type { RefObject } from 'react'
import type { OptionLetter } from '../../platform/options.ts'
import { Dialog } from '../../platform/web/ui/dialog.tsx'
import type { AnsweredDaily, Daily, DailyResult } from '../contract.ts'

/** 'Correct!' or 'Nice try!' (product 5.13). */
export function headlineOf({ wasCorrect }: DailyResult): string {
  return wasCorrect ? 'Correct!' : 'Nice try!'
}

/** What stands under the headline of a wrong answer (product 5.13). */
export function cheerOf({ wasCorrect }: DailyResult): string | undefined {
  return wasCorrect ? undefined : "Great effort! You're building strong instincts."
}

export function DailyDetails(props: {
  open: boolean
  onOpenChange: (open: boolean) => void
  daily: AnsweredDaily
  /** what opens them again: the button that opened them first may be gone */
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

/** Badge, statement, the choice, the correct answer, the mistake behind a wrong one (product 5.16) and the explanation. */
export function DailyAnswer({ daily }: { daily: AnsweredDaily }) {
  const { result } = daily
  return (
    <>
      <ResultChip wasCorrect={result.wasCorrect} />
      <p className="mt-4 whitespace-pre-line text-pretty font-medium font-serif text-[19px] leading-[1.36] tracking-[-0.01em]">
        {daily.statement}
      </p>
      <dl className="mt-6 grid gap-4">
        <Choice
          name="Your choice"
          daily={daily}
          letter={result.selectedOption}
          isRight={result.wasCorrect}
        />
        <Choice name="Correct answer" daily={daily} letter={result.correctOption} isRight />
      </dl>
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

function Choice(props: { name: string; daily: Daily; letter: OptionLetter; isRight: boolean }) {
  return (
    <div>
      <dt className="eyebrow">{props.name}</dt>
      <dd className={`opt mt-1.5 ${props.isRight ? 'opt-right' : 'opt-wrong'}`}>
        <span className="opt-letter">{props.letter}</span>
        <span className="whitespace-pre-line">{props.daily.options[props.letter]}</span>
      </dd>
    </div>
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
