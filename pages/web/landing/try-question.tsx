import { ArrowRight } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { questions } from '../../../content/pages/landing.yaml'
import { OPTION_LETTERS, type OptionLetter } from '../../../platform/option-letters.ts'
import { signUpUrl } from '../../../platform/urls.ts'
import { useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import type { SampleQuestion } from '../../page-shapes.ts'

/** Questions that visitors answer without an account (product 8.1.6). Nothing is stored or sent. */
export function TryQuestion() {
  const [place, setPlace] = useState(0)
  const [answers, setAnswers] = useState<readonly OptionLetter[]>([])
  const question = questions[place]
  const heading = useRef<HTMLHeadingElement>(null)
  const note = useRef<HTMLDivElement>(null)
  const id = useId()
  const answer = answers[place]

  // New content takes the focus, so that screen readers read it and the keys keep working. Not on page load, because
  // the visitor hasn't asked for a question yet.
  const isTouched = answers.length > 0
  useEffect(() => {
    if (!isTouched) return
    if (answer === undefined) {
      heading.current?.focus({ preventScroll: true })
      heading.current?.scrollIntoView({ block: 'nearest' })
    } else {
      note.current?.focus({ preventScroll: true })
      // On a phone the note is below the question and scrolls into view. Next to the question nothing moves.
      const left = note.current?.offsetLeft ?? 0
      if (left === heading.current?.offsetLeft) note.current?.scrollIntoView({ block: 'nearest' })
    }
  }, [isTouched, answer])

  const choose = (letter: OptionLetter) => {
    if (answer === undefined) setAnswers([...answers, letter])
  }
  const isLast = place === questions.length - 1
  const goOn = () => {
    if (answer !== undefined && !isLast) setPlace(place + 1)
  }
  const onQuestionKey = useQuestionKeys({ onChoose: choose, onEnter: goOn })
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter belongs to the focused link or button.
    if (event.key === 'Enter' && event.target !== note.current) return
    onQuestionKey(event)
  }

  if (!question) return null
  return (
    <section aria-labelledby="try" onKeyDown={onKeyDown}>
      <Ticks
        marks={questions.map(({ correctOption }, index) => {
          const given = answers[index]
          if (given === undefined) return index === place ? 'open' : 'ahead'
          return given === correctOption ? 'right' : 'wrong'
        })}
      />
      <h2 id="try" className="sr-only">
        Try a question
      </h2>
      <div className="wrap grid items-start gap-x-16 pt-7 pb-14 nav:grid-cols-[minmax(0,1fr)_348px] nav:pt-9 nav:pb-20">
        <div>
          <p className="eyebrow flex justify-between gap-x-4">
            <span>
              {question.category}
              <span className="max-sm:hidden">, {question.difficulty}</span>
            </span>
            <span className="whitespace-nowrap">
              {place + 1} of {questions.length}
            </span>
          </p>
          <h3
            ref={heading}
            id={`${id}-stem`}
            tabIndex={-1}
            className="running mt-2.5 max-w-[24em] text-pretty text-[21px] leading-[1.28] outline-none nav:text-[29px] nav:leading-[1.24]"
          >
            {question.question}
          </h3>
          {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons, not a form's fieldset */}
          <div
            role="group"
            aria-labelledby={`${id}-stem`}
            className="-mx-[18px] mt-4 border-line border-t sm:mx-0 nav:mt-6"
          >
            {OPTION_LETTERS.map((letter) => (
              <Option
                key={letter}
                letter={letter}
                text={question.options[letter]}
                mark={markOf(letter, answer, question.correctOption)}
                isJudged={answer !== undefined}
                onChoose={() => choose(letter)}
              />
            ))}
          </div>
        </div>
        <div
          ref={note}
          role="note"
          aria-label={answer === undefined ? 'How it works' : 'The verdict'}
          tabIndex={-1}
          className="mt-5 scroll-mb-6 outline-none nav:mt-1 nav:min-h-[330px]"
        >
          {answer === undefined ? (
            <Invitation isFirst={place === 0} />
          ) : (
            <Verdict key={question.id} question={question} answer={answer}>
              {isLast ? (
                <p className="running text-ink-2">
                  There are more than 800 of these, and an account keeps what you missed for another
                  try.
                </p>
              ) : (
                <button type="button" className="btn btn-ghost" onClick={goOn}>
                  Next question
                  <ArrowRight size={17} aria-hidden />
                </button>
              )}
            </Verdict>
          )}
          <WithoutScript question={question} />
        </div>
      </div>
    </section>
  )
}

/** The answer for visitors without scripts. */
function WithoutScript({ question }: { question: SampleQuestion }) {
  const { correctOption, options, explanation } = question
  return (
    <noscript>
      <details className="mt-5">
        <summary className="link">The answer</summary>
        <p className="running mt-2">
          {`${correctOption}: ${options[correctOption]}. ${explanation}`}
        </p>
      </details>
    </noscript>
  )
}

type Mark = 'correct' | 'wrong' | null

function markOf(letter: OptionLetter, answer: OptionLetter | undefined, key: OptionLetter): Mark {
  if (answer === undefined) return null
  if (letter === key) return 'correct'
  return letter === answer ? 'wrong' : null
}

const TONES = {
  correct: { row: 'border-b-right bg-right-soft', word: 'grade-right' },
  wrong: { row: 'bg-wrong-soft', word: 'grade-wrong' },
}

/** A ruled line with the answer. Its height doesn't change when it is graded, so that nothing moves. */
function Option(props: {
  letter: OptionLetter
  text: string
  mark: Mark
  isJudged: boolean
  onChoose: () => void
}) {
  const { mark } = props
  const tone = mark ? TONES[mark] : null
  const row = `grid min-h-[50px] w-full grid-cols-[34px_minmax(0,1fr)_auto] items-center border-line border-b px-[18px] py-3 text-left text-[16.5px] sm:px-3.5`
  const content = (
    <>
      <span className={`font-medium text-[14px] ${tone?.word ?? 'text-ink-2'}`}>
        {props.letter}
      </span>
      <span>{props.text}</span>
      {tone && (
        <span className={`fade-in pl-3 font-semibold text-[12.5px] ${tone.word}`}>
          {mark === 'correct' ? 'CORRECT' : 'YOUR ANSWER'}
        </span>
      )}
    </>
  )
  if (props.isJudged) {
    return <div className={`${row} ${tone?.row ?? 'text-ink-2'}`}>{content}</div>
  }
  return (
    <button
      type="button"
      data-answer
      onClick={props.onChoose}
      className={`${row} hover:bg-sunken focus-visible:z-10`}
    >
      {content}
    </button>
  )
}

/** The note next to an unanswered question. */
function Invitation({ isFirst }: { isFirst: boolean }) {
  return (
    <div className="border-line-strong border-t pt-3">
      <p className="eyebrow">{isFirst ? 'Try it here' : 'Your turn'}</p>
      <p className="mt-2 text-pretty font-medium font-serif text-[19px] text-ink-2 leading-[1.3] nav:text-[21px]">
        Choose an answer. If it’s wrong, you’ll see the mistake behind it.
      </p>
    </div>
  )
}

function Verdict(props: {
  question: SampleQuestion
  answer: OptionLetter
  /** what follows, before the link to more */
  children: ReactNode
}) {
  const { question, answer } = props
  const isRight = answer === question.correctOption
  return (
    <div className={`fade-in border-t-2 pt-3 ${isRight ? 'border-right' : 'border-wrong'}`}>
      <p className={`eyebrow ${isRight ? 'grade-right' : 'grade-wrong'}`}>
        {isRight ? 'Correct' : 'The mistake'}
      </p>
      {!isRight && (
        <p className="running mt-1.5 text-pretty font-medium font-serif text-[21px] leading-[1.25] tracking-[-0.01em] nav:text-[23px]">
          {question.why[answer]}
        </p>
      )}
      <p className={`eyebrow ${isRight ? 'mt-2' : 'mt-5'}`}>Explanation</p>
      <p className="running mt-1.5 text-[15.5px] leading-[1.5]">{question.explanation}</p>
      <div className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-3">
        {props.children}
        <a href={signUpUrl} className="link inline-flex min-h-11 items-center">
          Get Started Free
        </a>
      </div>
    </div>
  )
}

/** Each tick is one question: solid green is right, dashed claret is wrong, ink is current. */
type TickMark = 'right' | 'wrong' | 'open' | 'ahead'

const LOOKS: Record<TickMark, string> = {
  right: 'bg-right',
  wrong: 'bg-[repeating-linear-gradient(90deg,var(--wrong)_0_6px,transparent_6px_9px)]',
  open: 'bg-ink',
  ahead: 'bg-line',
}

/** The rule above the question. Its counter says the same in words. */
function Ticks({ marks }: { marks: readonly TickMark[] }) {
  return (
    <div aria-hidden className="wrap">
      <div className="flex gap-[3px]">
        {marks.map((mark, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: ticks have no identity but their position
          <span key={index} className={`h-[3px] flex-1 ${LOOKS[mark]}`} />
        ))}
      </div>
    </div>
  )
}
