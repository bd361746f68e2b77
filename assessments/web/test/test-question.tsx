import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'
import { RadioOption } from '../../../platform/web/ui/option.tsx'
import { focusWhenShown, useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import type { Question } from '../attempt/attempt-view.ts'

/** A long question is set smaller, so that its options stay in sight beside clock and banner. */
function sizeFor(text: string): string {
  if (text.length <= 130) return 'text-[clamp(24px,2.1vw,29px)]'
  return text.length <= 240 ? 'text-[clamp(22px,1.9vw,26px)]' : 'text-[clamp(20px,1.6vw,22px)]'
}

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
  onGoBack: () => void
}) {
  const { question, number, total } = props
  const onKeyDown = useQuestionKeys(props)
  const headingId = `question-${question.id}`
  return (
    <section
      aria-labelledby={headingId}
      // Focusable by a click beside the options, so that the keys go on working.
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="outline-none"
    >
      <div className="flex items-baseline justify-between gap-4">
        <p className="eyebrow">
          Question {number} of {total}
        </p>
        <p className="hint">{props.answeredCount} answered</p>
      </div>
      <h2
        key={question.id}
        ref={focusWhenShown}
        id={headingId}
        tabIndex={-1}
        className={`mt-3 whitespace-pre-line text-pretty leading-[1.24] outline-none ${sizeFor(question.question)}`}
      >
        <span className="sr-only">
          Question {number} of {total}:{' '}
        </span>
        {question.question}
      </h2>
      <fieldset disabled={props.isLocked} className="mt-8">
        <div role="radiogroup" aria-labelledby={headingId} className="grid gap-3">
          {OPTION_LETTERS.map((letter) => (
            <RadioOption
              key={`${question.id}${letter}`}
              name={headingId}
              letter={letter}
              text={question.options[letter]}
              isChosen={props.chosen === letter}
              onChoose={props.onChoose}
            />
          ))}
        </div>
      </fieldset>
    </section>
  )
}
