import { useId, useState } from 'react'
import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'
import { call } from '../../../platform/web/api.ts'
import { ExhibitShown } from '../../../platform/web/ui/exhibit.tsx'
import { useQuestionKeys } from '../../../platform/web/ui/option-keys.ts'
import { QuestionHeading } from '../../../platform/web/ui/question-heading.tsx'
import { isStale } from '../../kit/web/console/changed-meanwhile.tsx'
import { AreaField } from '../../kit/web/fields.tsx'
import { Problem, useAct, usePlace } from '../../kit/web/use-act.tsx'
import { COMMENT_CHARACTERS, checkKey, type ListedQuestion } from '../contract.ts'
import { usePicture } from './hooks.ts'

const SIZES = { short: 'text-[28px]!', medium: 'text-[24px]!', long: 'text-[20px]!' }

export function HideKeys(props: {
  items: readonly ListedQuestion[]
  isHidden: boolean
  onChange: (isHidden: boolean) => void
}) {
  const { items, isHidden } = props
  const id = useId()
  const answered = items.filter(({ checks }) => checks.some(({ isYou }) => isYou)).length
  return (
    <div className="flex flex-wrap items-center gap-3 border-line border-b pt-3 pb-2.5">
      <input
        type="checkbox"
        role="switch"
        aria-checked={isHidden}
        id={id}
        className="switch"
        checked={isHidden}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      <label htmlFor={id} className="font-[550]">
        Hide the key
      </label>
      <span className="hint ml-auto">
        {isHidden ? `${answered} of ${items.length} answered` : 'and answer the questions yourself'}
      </span>
    </div>
  )
}

interface Asked {
  item: ListedQuestion
  /** 'Question 14 of 20' */
  place: string
  /** undefined after the last question */
  onNext: (() => void) | undefined
}

/** Asks a question with its key hidden, then shows whether the member agrees (product 7.9.40). */
export function KeyAnswer(props: Asked) {
  const { questionId } = props.item
  // The switch that hides the keys keeps the focus; the next question takes it.
  const [first, setFirst] = useState<string | null>(questionId)
  if (first !== null && first !== questionId) setFirst(null)
  return <OneQuestion key={questionId} {...props} leavesFocus={first !== null} />
}

function OneQuestion(props: Asked & { leavesFocus: boolean }) {
  const { item, onNext } = props
  const { questionId, version, answer } = item
  const [chosen, setChosen] = useState<OptionLetter | null>(null)
  const [comment, setComment] = useState('')
  const params = { ...usePlace(), question: questionId }
  const check = useAct(
    (body: { choice: OptionLetter | null; comment: string }) =>
      call(checkKey, { params, body: { version, ...body } }),
    // The list now includes the stored answer.
    () => setChosen(null),
    // A failed comment can be sent again, unless another question is shown.
    (_, error) => setChosen((now) => (now === answer || isStale(error) ? null : now)),
  )
  const own = item.checks.find(({ isYou }) => isYou)
  const choice = own?.choice ?? chosen
  const isOpen = own === undefined && chosen !== null && chosen !== answer
  function choose(letter: OptionLetter): void {
    if (choice !== null || check.isBusy) return
    setChosen(letter)
    if (letter === answer) check.run({ choice: letter, comment: '' })
  }
  const picture = usePicture(item)
  // Before the answer, Enter presses the option that has the focus.
  const isDone = choice !== null && !isOpen
  const onKeyDown = useQuestionKeys({
    onChoose: choose,
    ...(isDone && onNext && { onGoOn: onNext }),
  })
  const button = (look: string, words: string, act: () => void) => (
    <button type="button" className={look} aria-disabled={check.isBusy} onClick={act}>
      {words}
    </button>
  )
  const headingId = `answer-${questionId}`
  return (
    <div className="max-w-[720px]">
      <section
        aria-labelledby={headingId}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className="outline-none"
      >
        <p className="eyebrow">{props.place}</p>
        <QuestionHeading
          as="h2"
          id={headingId}
          spokenNumber={props.place}
          text={item.question}
          sizes={SIZES}
          leavesFocus={props.leavesFocus}
        />
        {item.exhibit && <ExhibitShown exhibit={item.exhibit} picture={picture} />}
        <div className="mt-6 grid gap-2">
          {OPTION_LETTERS.map((letter) => (
            <button
              key={letter}
              type="button"
              aria-disabled={choice !== null}
              className={`opt opt-radio ${choice === letter ? 'opt-chosen' : ''}`}
              onClick={() => choose(letter)}
            >
              <span className="opt-letter">{letter}</span>
              <span className="whitespace-pre-line">{item.options[letter]}</span>
              <span className="opt-mark text-ink-2">
                {[choice === letter && 'your answer', choice !== null && letter === answer && 'key']
                  .filter(Boolean)
                  .join(', ')}
              </span>
            </button>
          ))}
        </div>
      </section>
      <div role="status" className="mt-5">
        {choice !== null && <Verdict choice={choice} answer={answer} />}
        {own && own.choice !== answer && (
          <p className="mt-2">You dispute the key{own.comment ? `: ${own.comment}` : '.'}</p>
        )}
      </div>
      {isOpen && (
        <div className="mt-4">
          <AreaField
            label="What do you think now?"
            note="optional"
            maxLength={COMMENT_CHARACTERS}
            value={comment}
            onChange={setComment}
          />
          <div className="mt-3 flex flex-wrap gap-2">
            {button('btn', 'Dispute the key', () => check.run({ choice, comment }))}
            {button('btn btn-ghost', 'My mistake', () =>
              check.run({ choice: answer, comment: '' }),
            )}
          </div>
          <p className="hint mt-2">Disputes appear on Overview. They don’t stop the test.</p>
        </div>
      )}
      <Problem text={check.problem} />
      <div className="mt-4 flex flex-wrap gap-2">
        {onNext && (
          <button type="button" className={isDone ? 'btn' : 'btn btn-ghost'} onClick={onNext}>
            Next question
          </button>
        )}
        {own &&
          button(
            'btn btn-quiet',
            own.choice === answer ? 'Withdraw my answer' : 'Withdraw the dispute',
            () => check.run({ choice: null, comment: '' }),
          )}
      </div>
    </div>
  )
}

function Verdict({ choice, answer }: { choice: OptionLetter; answer: OptionLetter }) {
  const isSame = choice === answer
  return (
    <p
      className={`border-t-2 pt-3 font-serif text-[20px] ${isSame ? 'border-line' : 'border-mid'}`}
    >
      {isSame ? 'You agree with the key.' : `You chose ${choice}. The key is ${answer}.`}
    </p>
  )
}

export function Disputes({ item }: { item: ListedQuestion }) {
  return item.checks
    .filter(({ choice }) => choice !== item.answer)
    .map(({ name, isYou, choice, comment }) => (
      <div key={name} className="warning mb-4">
        <span>
          <b className="font-semibold">
            {isYou ? 'You' : name} chose {choice} and {isYou ? 'dispute' : 'disputes'} the key.
          </b>{' '}
          {comment && `${comment} `}
          {isYou
            ? 'Change the question, or hide the keys to withdraw the dispute.'
            : `Change the question, or ask ${name} to withdraw the dispute.`}
        </span>
      </div>
    ))
}
