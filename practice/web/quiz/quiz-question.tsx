import { useEffect, useRef } from 'react'
import type { OptionLetter } from '../../../platform/options.ts'
import { useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import type { Question } from '../../question.ts'
import { AnswerNote, AnswerOptions } from '../sitting/answer.tsx'
import { SittingQuestion } from '../sitting/sitting-question.tsx'

export function QuizQuestion(props: {
  question: Question
  number: number
  chosen: OptionLetter | undefined
  isChecked: boolean
  mistakeTitle: string | undefined
  checks: boolean
  onChecksChange: (checks: boolean) => void
  onChoose: (letter: OptionLetter) => void
  onGoOn: () => void
  onGoBack: () => void
}) {
  const { question, chosen, isChecked } = props
  const judged = isChecked ? chosen : undefined
  const onKeyDown = useQuestionKeys(props)
  const headingId = `question-${question.id}`
  const wasChecked = useRef(isChecked)
  useEffect(() => {
    // The option that had the focus is gone with its verdict: the keys go on from the question.
    if (isChecked && !wasChecked.current && document.activeElement === document.body) {
      document.getElementById(headingId)?.focus({ preventScroll: true })
    }
    wasChecked.current = isChecked
  }, [isChecked, headingId])
  return (
    <SittingQuestion
      id={headingId}
      eyebrow={<span aria-hidden>Question {props.number}</span>}
      aside={<CheckSwitch isOn={props.checks} onChange={props.onChecksChange} />}
      spokenNumber={`Question ${props.number}`}
      text={question.question}
      onKeyDown={onKeyDown}
      isAlone={!props.checks && !isChecked}
      margin={
        judged && (
          <AnswerNote
            question={question}
            chosen={judged}
            isRight={judged === question.correctOption}
            mistakeTitle={props.mistakeTitle}
          />
        )
      }
    >
      <AnswerOptions
        labelledBy={headingId}
        options={question.options}
        correctOption={question.correctOption}
        chosen={chosen}
        judged={judged}
        onChoose={props.onChoose}
        className="mt-6 gap-3 sm:mt-8"
      />
    </SittingQuestion>
  )
}

function CheckSwitch(props: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label className="-my-2.5 flex min-h-11 flex-none cursor-pointer items-center gap-2.5 text-[14px] text-ink-2">
      Check as I go
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox says its state itself
        role="switch"
        className="switch"
        checked={props.isOn}
        onChange={(event) => props.onChange(event.target.checked)}
        // Enter goes on to the next question only from the question itself.
        onKeyDown={(event) => event.stopPropagation()}
      />
    </label>
  )
}
