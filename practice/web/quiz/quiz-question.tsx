import type { OptionLetter } from '../../../platform/options.ts'
import { RadioOptions } from '../../../platform/web/ui/option.tsx'
import { useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import type { Question } from '../../question.ts'
import { SittingQuestion } from '../sitting/sitting-question.tsx'

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
    <SittingQuestion
      id={headingId}
      eyebrow={<span aria-hidden>Question {props.number}</span>}
      spokenNumber={`Question ${props.number}`}
      text={question.question}
      onKeyDown={onKeyDown}
    >
      <RadioOptions
        key={headingId}
        labelledBy={headingId}
        options={question.options}
        chosen={props.chosen}
        onChoose={props.onChoose}
        className="mt-6 gap-3 sm:mt-8"
      />
    </SittingQuestion>
  )
}
