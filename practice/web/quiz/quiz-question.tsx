import { useEffect, useRef } from 'react'
import type { OptionLetter } from '../../../platform/options.ts'
import { RadioOptions } from '../../../platform/web/ui/option.tsx'
import { useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import type { Question } from '../../question.ts'
import { JudgedOptions, Note } from '../sitting/margin.tsx'
import { SittingQuestion } from '../sitting/sitting-question.tsx'

/** One question with options and keys; once checked, the judged options and the note in the margin. */
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
        isChecked &&
        chosen && <Verdict question={question} chosen={chosen} mistakeTitle={props.mistakeTitle} />
      }
    >
      {isChecked && chosen ? (
        <JudgedOptions
          options={question.options}
          correctOption={question.correctOption}
          chosen={chosen}
        />
      ) : (
        <RadioOptions
          key={headingId}
          labelledBy={headingId}
          options={question.options}
          chosen={chosen}
          onChoose={props.onChoose}
          className="mt-6 gap-3 sm:mt-8"
        />
      )}
    </SittingQuestion>
  )
}

function Verdict(props: {
  question: Question
  chosen: OptionLetter
  mistakeTitle: string | undefined
}) {
  const { question, chosen, mistakeTitle = 'The mistake' } = props
  const { why, explanation, source } = question
  return chosen === question.correctOption ? (
    <Note tone="right" title="Correct" explanation={explanation} source={source} />
  ) : (
    <Note
      tone="wrong"
      title={mistakeTitle}
      sentence={why[chosen]}
      explanation={explanation}
      source={source}
    />
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
