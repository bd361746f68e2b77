import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'
import { clockTime } from '../../platform/durations.ts'
import type { OptionLetter } from '../../platform/options.ts'
import { ApiFailure, call } from '../../platform/web/api.ts'
import { useOffline } from '../../platform/web/connection/connectivity.ts'
import { deviceTimeZone } from '../../platform/web/dates.ts'
import { useUser } from '../../platform/web/session.tsx'
import { RadioOptions } from '../../platform/web/ui/option.tsx'
import { focusWhenShown, useQuestionKeys } from '../../platform/web/ui/option-keys.ts'
import { type AnsweredDaily, answerDaily, type Daily } from '../contract.ts'
import { dailyTimers } from './daily-timer.ts'

/** The message next to the button when an answer wasn't saved (product 5.14). */
function failureText(error: Error, isOffline: boolean): string {
  // A success status with an unreadable body isn't a refusal. It may be a hotel's sign-in page.
  const isNotSaved =
    isOffline || (error instanceof ApiFailure && (error.status === 0 || error.status >= 400))
  return isNotSaved
    ? 'Failed to save your answer. Please try again.'
    : 'Something went wrong. Please try again.'
}

/** A revealed brainteaser: statement, options A to D and Submit Answer. The timer is running. */
export function DailyPuzzle(props: {
  daily: Daily
  onAnswered: (answered: AnsweredDaily) => void
  /** whether the statement takes the focus, because the user just asked for it */
  takesFocus: boolean
  heading: ReactNode
  children?: ReactNode
}) {
  const { daily } = props
  const { date } = daily
  const { id: userId } = useUser()
  const isOffline = useOffline()
  const [choice, setChoice] = useState(() => dailyTimers.load(userId, date)?.choice)
  const submit = useMutation({
    mutationFn: (selectedOption: OptionLetter) =>
      call(answerDaily, {
        body: {
          // The date is sent because midnight may pass between Reveal and Submit.
          date,
          selectedOption,
          timeTakenSeconds: dailyTimers.secondsOf(userId, date),
          timeZone: deviceTimeZone(),
        },
      }),
    onSuccess: (result) => {
      dailyTimers.remove(userId, date)
      props.onAnswered({ ...daily, result })
    },
  })

  function choose(letter: OptionLetter): void {
    if (submit.isPending) return
    setChoice(letter)
    dailyTimers.choose(userId, date, letter)
  }

  function submitChoice(): void {
    if (choice && !submit.isPending) submit.mutate(choice)
  }
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    submitChoice()
  }

  const onQuestionKey = useQuestionKeys({ onChoose: choose, onEnter: submitChoice })
  function onKeyDown(event: KeyboardEvent): void {
    // Enter belongs to the focused button or link.
    const isOnButton = event.target instanceof Element && event.target.closest('a, button')
    if (event.key !== 'Enter' || !isOnButton) onQuestionKey(event)
  }
  const statementId = `daily-${date}`
  return (
    <form
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
      name={statementId}
      className="flex flex-1 flex-col"
    >
      <div className="flex h-[13px] items-center justify-between gap-4">
        {props.heading}
        <Elapsed userId={userId} date={date} />
      </div>
      <h3
        ref={props.takesFocus ? focusWhenShown : undefined}
        id={statementId}
        tabIndex={-1}
        className="mt-3 max-w-[38em] whitespace-pre-line text-pretty text-[19px] leading-[1.36] tracking-[-0.01em] outline-none lg:text-[21px]"
      >
        {daily.statement}
      </h3>
      <RadioOptions
        labelledBy={statementId}
        options={daily.options}
        chosen={choice}
        onChoose={choose}
        className="mt-5 gap-2.5"
      />
      <div role="alert" className={submit.error ? 'mt-4 text-[15px] text-wrong' : undefined}>
        {submit.error && failureText(submit.error, isOffline)}
      </div>
      <div className="mt-auto flex flex-wrap items-center gap-x-5 gap-y-2 pt-5">
        <button
          type="submit"
          className="btn"
          disabled={choice === undefined}
          // Not `disabled`, because the focus would be lost, and a failed answer can be sent again.
          aria-disabled={submit.isPending || undefined}
        >
          {submit.isPending ? 'Submitting…' : 'Submit Answer'}
        </button>
        {props.children}
      </div>
    </form>
  )
}

function Elapsed({ userId, date }: { userId: string; date: string }) {
  const [seconds, setSeconds] = useState(() => dailyTimers.secondsOf(userId, date))
  useEffect(() => {
    const timer = setInterval(() => setSeconds(dailyTimers.secondsOf(userId, date)), 1000)
    return () => clearInterval(timer)
  }, [userId, date])
  return (
    <span role="timer" aria-label="Time since you revealed it" className="hint leading-none">
      {clockTime(seconds)}
    </span>
  )
}
