import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'
import { RadioOption } from '../../../platform/web/ui/option.tsx'
import { focusWhenShown, useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import type { Question } from '../../question.ts'

/** A long question is set smaller, so that its options stay in sight. */
function sizeFor(text: string): string {
  if (text.length <= 130) return 'text-[clamp(25px,2.6vw,34px)]'
  return text.length <= 240 ? 'text-[clamp(22px,2.1vw,28px)]' : 'text-[clamp(20px,1.8vw,24px)]'
}

/** One question with its four options, and the keys that work while the focus is in it. */
export function QuizQuestion(props: {
  question: Question
  number: number
  chosen: OptionLetter | undefined
  onChoose: (letter: OptionLetter) => void
  onGoOn: () => void
  onGoBack: () => void
}) {
  const { question } = props
  const onKeyDown = useQuestionKeys(props)
  const headingId = `question-${question.id}`
  return (
    <section
      aria-labelledby={headingId}
      // Focusable by a click beside the options, so that the keys go on working.
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="w-full flex-1 pt-10 pb-12 outline-none sm:pt-14"
    >
      <div className="wrap max-w-[760px]">
        <p aria-hidden className="eyebrow">
          Question {props.number}
        </p>
        <h1
          key={question.id}
          ref={focusWhenShown}
          id={headingId}
          tabIndex={-1}
          className={`mt-3 text-pretty whitespace-pre-line leading-[1.24] outline-none ${sizeFor(question.question)}`}
        >
          <span className="sr-only">Question {props.number}: </span>
          {question.question}
        </h1>
        <div role="radiogroup" aria-labelledby={headingId} className="mt-8 grid gap-3 sm:mt-9">
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
      </div>
    </section>
  )
}
