import type { OptionLetter } from '../../../platform/options.ts'
import { RadioOptions } from '../../../platform/web/ui/option.tsx'
import { useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import { QuestionHeading } from '../../../platform/web/ui/question-heading.tsx'
import type { Question } from '../attempt/attempt-view.ts'

/** Smaller than in practice: clock and banner need their room. */
const SIZES = {
  short: 'text-[clamp(24px,2.1vw,29px)]',
  medium: 'text-[clamp(22px,1.9vw,26px)]',
  long: 'text-[clamp(20px,1.6vw,22px)]',
}

export const headingIdOf = (question: Question) => `question-${question.id}`

/** One question with its options A-D, and the keys that work while the focus is in it. */
export function TestQuestion(props: {
  question: Question
  number: number
  total: number
  answeredCount: number
  chosen: OptionLetter | undefined
  isLocked: boolean
  onChoose: (letter: OptionLetter) => void
  onGoOn: () => void
  onEnter: () => void
  onGoBack: () => void
}) {
  const { question, number, total } = props
  const onKeyDown = useQuestionKeys(props)
  const headingId = headingIdOf(question)
  return (
    <section
      aria-labelledby={headingId}
      // Focusable by a click beside the options, so that the keys go on working.
      tabIndex={-1}
      onKeyDown={onKeyDown}
      // Nothing to select and drag away (product 6.8.22); screen readers read it all the same.
      className="select-none outline-none"
    >
      <div className="flex items-baseline justify-between gap-4">
        <p className="eyebrow">
          Question {number} of {total}
        </p>
        <p className="hint">{props.answeredCount} answered</p>
      </div>
      <QuestionHeading
        key={question.id}
        as="h2"
        id={headingId}
        spokenNumber={`Question ${number} of ${total}`}
        text={question.question}
        sizes={SIZES}
      />
      <fieldset disabled={props.isLocked} className="mt-8">
        <RadioOptions
          key={headingId}
          labelledBy={headingId}
          options={question.options}
          chosen={props.chosen}
          onChoose={props.onChoose}
          className="gap-3"
        />
      </fieldset>
    </section>
  )
}
