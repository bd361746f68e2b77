import { type ReactNode, useEffect, useRef } from 'react'
import type { OptionLetter } from '../../../platform/options.ts'
import { RadioOptions } from '../../../platform/web/ui/option.tsx'
import type { Question } from '../../question.ts'
import { JudgedOptions, Note } from './margin.tsx'

/** How long what stands at a place has been in view, milliseconds, a day at most. */
export function useTimeShown(place: number): () => number {
  const shownAtMs = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time runs from when this place is in view
  useEffect(() => {
    shownAtMs.current = performance.now()
  }, [place])
  return () => Math.min(86_400_000, Math.round(performance.now() - shownAtMs.current))
}

/** The options of a question, or once it is judged what was chosen and what is right. */
export function AnswerOptions(props: {
  /** the heading's id */
  labelledBy: string
  options: Record<OptionLetter, string>
  correctOption: OptionLetter
  chosen: OptionLetter | undefined
  judged: OptionLetter | undefined
  onChoose: (letter: OptionLetter) => void
  className: string
}) {
  const { labelledBy, options, correctOption, judged } = props
  if (judged)
    return <JudgedOptions options={options} correctOption={correctOption} chosen={judged} />
  return (
    <RadioOptions
      key={labelledBy}
      labelledBy={labelledBy}
      options={options}
      chosen={props.chosen}
      onChoose={props.onChoose}
      className={props.className}
    />
  )
}

/** The note on an answer: for a wrong one the mistake behind it. `right`: what is said of a right one. */
export function AnswerNote(props: {
  question: Pick<Question, 'why' | 'explanation' | 'source'>
  chosen: OptionLetter
  isRight: boolean
  mistakeTitle: string | undefined
  right?: { tone: 'right' | 'plain'; title: string; sentence: string }
  children?: ReactNode
}) {
  const { question, chosen } = props
  const { tone, title, sentence } = props.isRight
    ? (props.right ?? { tone: 'right' as const, title: 'Correct', sentence: undefined })
    : {
        tone: 'wrong' as const,
        title: props.mistakeTitle ?? 'The mistake',
        sentence: question.why[chosen],
      }
  return (
    <Note
      tone={tone}
      title={title}
      sentence={sentence}
      explanation={question.explanation}
      source={question.source}
    >
      {props.children}
    </Note>
  )
}
