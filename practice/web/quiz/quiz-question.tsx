import type { OptionLetter } from '../../../platform/options.ts'
import { RadioOptions } from '../../../platform/web/ui/option.tsx'
import { useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import { QuestionHeading } from '../../../platform/web/ui/question-heading.tsx'
import type { Question } from '../../question.ts'

const SIZES = {
  short: 'text-[clamp(25px,2.6vw,34px)]',
  medium: 'text-[clamp(22px,2.1vw,28px)]',
  long: 'text-[clamp(20px,1.8vw,24px)]',
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
        <QuestionHeading
          key={question.id}
          as="h1"
          id={headingId}
          spokenNumber={`Question ${props.number}`}
          text={question.question}
          sizes={SIZES}
        />
        <RadioOptions
          key={headingId}
          labelledBy={headingId}
          options={question.options}
          chosen={props.chosen}
          onChoose={props.onChoose}
          className="mt-8 gap-3 sm:mt-9"
        />
      </div>
    </section>
  )
}
