import type { KeyboardEvent, ReactNode } from 'react'
import { QuestionHeading } from '../../../platform/web/ui/question-heading.tsx'
import { signs } from './signs.ts'

const SIZES = {
  short: 'text-[clamp(24px,2.3vw,33px)]',
  medium: 'text-[clamp(23px,2.15vw,31px)]',
  long: 'text-[clamp(20px,1.8vw,25px)]',
}

/**
 * One question of a sitting with what is answered below it, and from 900 px up the margin beside it, which
 * is kept free from the start: nothing moves when a note comes. Below that the note follows.
 */
export function SittingQuestion(props: {
  /** the heading's id: names the options */
  id: string
  /** over the question: where it is from */
  eyebrow: ReactNode
  /** at the right of the eyebrow, a switch for one */
  aside?: ReactNode
  /** heard before the question: 'Question 3' */
  spokenNumber: string
  text: string
  /** characters that the text's size is chosen for; those of the text itself without it */
  sizedFor?: number
  /** keys that work while the focus is in the question or its margin */
  onKeyDown?: (event: KeyboardEvent) => void
  /** what stands in the margin, a Note for one */
  margin?: ReactNode
  /** the options */
  children: ReactNode
}) {
  return (
    <section
      aria-labelledby={props.id}
      // Focusable by a click beside the options, so that the keys go on working.
      tabIndex={-1}
      onKeyDown={props.onKeyDown}
      className="sitting-wrap sitting-question"
    >
      <div className="min-w-0">
        <div className="flex items-center justify-between gap-4">
          <p className="eyebrow">{props.eyebrow}</p>
          {props.aside}
        </div>
        <QuestionHeading
          key={props.id}
          as="h1"
          id={props.id}
          spokenNumber={props.spokenNumber}
          text={signs(props.text)}
          sizes={SIZES}
          sizedFor={props.sizedFor}
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
