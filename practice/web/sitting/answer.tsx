import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'
import { RadioOptions } from '../../../platform/web/ui/option.tsx'
import { QuestionHeading } from '../../../platform/web/ui/question-heading.tsx'
import type { Question } from '../../question.ts'

export function useTimeShown(place: number): () => number {
  const shownAtMs = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time starts when this place is visible
  useEffect(() => {
    shownAtMs.current = performance.now()
  }, [place])
  return () => Math.min(86_400_000, Math.round(performance.now() - shownAtMs.current))
}

export function AnswerOptions({
  correctOption,
  judged,
  ...open
}: ComponentProps<typeof RadioOptions> & {
  correctOption: OptionLetter
  judged: OptionLetter | undefined
}) {
  if (!judged) return <RadioOptions key={open.labelledBy} {...open} />
  return <JudgedOptions options={open.options} correctOption={correctOption} chosen={judged} />
}

/** The note on an answer, with the mistake behind a wrong one. `right` is the text for a right answer. */
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
    <Note tone={tone} title={title} sentence={sentence} of={question}>
      {props.children}
    </Note>
  )
}

export function Note(props: {
  tone: 'right' | 'wrong' | 'plain'
  title: string
  sentence?: string | undefined
  of?: Pick<Question, 'explanation' | 'source'>
  isTitled?: boolean
  children?: ReactNode
}) {
  const { explanation, source } = props.of ?? {}
  return (
    <div className={`note note-${props.tone} fade-in`}>
      <p className="eyebrow">{props.title}</p>
      {props.sentence && <p className="note-sentence">{props.sentence}</p>}
      {explanation && (
        <>
          {!props.isTitled && <p className="eyebrow note-below">Explanation</p>}
          <p className="running note-text">{explanation}</p>
          {source && <p className="hint note-source">Source: {source}</p>}
        </>
      )}
      {props.children}
    </div>
  )
}

export function JudgedOptions(props: {
  options: Record<OptionLetter, string>
  correctOption: OptionLetter
  chosen: OptionLetter | undefined
}) {
  return (
    <ul className="judged">
      {OPTION_LETTERS.map((letter) => {
        const isRight = letter === props.correctOption
        const isChosen = letter === props.chosen
        const mark = isRight ? 'CORRECT' : isChosen ? 'YOUR ANSWER' : null
        return (
          <li
            key={letter}
            className={isRight ? 'judged-right' : isChosen ? 'judged-wrong' : undefined}
          >
            <span className="judged-letter">{letter}</span>
            <span className="whitespace-pre-line">{props.options[letter]}</span>
            {mark && <span className="judged-mark">{mark}</span>}
          </li>
        )
      })}
    </ul>
  )
}

// All options have the same size, so they don't move between questions.
const SIZE = 'text-[clamp(21px,2vw,28px)]'
const SIZES = { short: SIZE, medium: SIZE, long: SIZE }

/** A question with its options. From 900 px up, the margin stays free, so nothing moves when a note appears. */
export function SittingQuestion(props: {
  id: string
  eyebrow: ReactNode
  aside?: ReactNode
  spokenNumber: string
  text: string
  onKeyDown?: (event: KeyboardEvent) => void
  margin?: ReactNode
  /** true if no note will appear, so the question is centered */
  isAlone?: boolean
  children: ReactNode
}) {
  return (
    <section
      aria-labelledby={props.id}
      // A click next to the options can focus this, so that keys keep working.
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
          // The options next to it may use the id as their key.
          key={`heading-${props.id}`}
          as="h1"
          id={props.id}
          spokenNumber={props.spokenNumber}
          text={props.text}
          sizes={SIZES}
        />
        {props.children}
      </div>
      {/* This exists before it has text, so screen readers announce the text. */}
      <div aria-live="polite" className="min-w-0">
        {props.margin}
      </div>
    </section>
  )
}
