import type { KeyboardEvent, ReactNode } from 'react'
import { QuestionHeading } from '../../../platform/web/ui/question-heading.tsx'

// One size for all: options that jump between two questions are missed by the thumb.
const SIZE = 'text-[clamp(21px,2vw,28px)]'
const SIZES = { short: SIZE, medium: SIZE, long: SIZE }

/** A question with its answers; from 900 px up the margin stays free, so nothing moves when a note comes. */
export function SittingQuestion(props: {
  id: string
  eyebrow: ReactNode
  aside?: ReactNode
  spokenNumber: string
  text: string
  onKeyDown?: (event: KeyboardEvent) => void
  margin?: ReactNode
  /** nothing will ever stand there: the question has the middle */
  isAlone?: boolean
  children: ReactNode
}) {
  return (
    <section
      aria-labelledby={props.id}
      // Focusable by a click beside the options, so that the keys go on working.
      tabIndex={-1}
      onKeyDown={props.onKeyDown}
      className={`sitting-wrap sitting-question ${props.isAlone ? 'is-alone' : ''}`}
    >
      <div className="min-w-0">
        <div className="flex items-center justify-between gap-4">
          <p className="eyebrow">{props.eyebrow}</p>
          {props.aside}
        </div>
        <QuestionHeading
          // Unlike the options' own, which stand beside it and may be the id.
          key={`heading-${props.id}`}
          as="h1"
          id={props.id}
          spokenNumber={props.spokenNumber}
          text={props.text}
          sizes={SIZES}
        />
        {props.children}
      </div>
      {/* Stands there before it says anything, so that a screen reader hears what comes into it. */}
      <div aria-live="polite" className="min-w-0">
        {props.margin}
      </div>
    </section>
  )
}
