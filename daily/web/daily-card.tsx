import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { queryClient } from '../../platform/web/query-client.ts'
import { useUser } from '../../platform/web/session.tsx'
import { Dialog } from '../../platform/web/ui/dialog.tsx'
import { LoadingNote, Skeleton } from '../../platform/web/ui/skeleton.tsx'
import { useToday } from '../../platform/web/use-today.ts'
import type { AnsweredDaily, Daily } from '../contract.ts'
import { DailyPuzzle } from './daily-answer-form.tsx'
import { DailyArchive } from './daily-archive.tsx'
import { DailyDetails, ResultChip } from './daily-details.tsx'
import { dailyTimers } from './daily-timer.ts'
import { todaysDailyQuery } from './queries.ts'

const NEEDS_ANOTHER_TRY = 'Something went wrong. Please try again.'

/** The daily challenge card in all its states (product 5.9, 5.10, 5.11). */
export function DailyCard() {
  const today = useToday()
  const query = todaysDailyQuery(today)
  const daily = useQuery(query)
  // A copy, so that midnight doesn't take away what is being read.
  const [details, setDetails] = useState<AnsweredDaily | null>(null)
  const [isDetailsOpen, setDetailsOpen] = useState(false)
  const [isArchiveOpen, setArchiveOpen] = useState(false)
  const openButton = useRef<HTMLButtonElement>(null)
  const [firstDay] = useState(today)

  function showDetails(answered: AnsweredDaily): void {
    setDetails(answered)
    setDetailsOpen(true)
  }

  function onAnswered(answered: AnsweredDaily): void {
    queryClient.setQueryData(query.queryKey, answered)
    void queryClient.invalidateQueries({ queryKey: ['streak'] })
    showDetails(answered)
  }

  const state = daily.data
  const archive = <ArchiveButton onClick={() => setArchiveOpen(true)} />
  return (
    <section
      aria-labelledby="daily"
      className="card relative flex min-h-[256px] flex-col p-6 md:has-[form]:row-span-2 lg:has-[form]:col-span-2"
    >
      {state === undefined ? (
        daily.isError ? (
          <CardText title={NEEDS_ANOTHER_TRY}>
            <button
              type="button"
              className="btn"
              aria-disabled={daily.isFetching}
              onClick={() => void daily.refetch()}
            >
              {daily.isFetching ? 'Trying again…' : 'Try again'}
            </button>
          </CardText>
        ) : (
          <CardSkeleton />
        )
      ) : state === null ? (
        <CardText title="Check back later!" text="There is no puzzle today.">
          {archive}
        </CardText>
      ) : isAnswered(state) ? (
        <CardText
          title={
            <button
              ref={openButton}
              type="button"
              onClick={() => showDetails(state)}
              className="text-left underline-offset-4 after:absolute after:inset-0 after:rounded-md hover:underline focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
            >
              Complete! Tap for details
            </button>
          }
          text="The next one is here at midnight."
          chip={<ResultChip wasCorrect={state.result.wasCorrect} />}
        >
          {archive}
        </CardText>
      ) : (
        <Unanswered key={state.date} daily={state} onAnswered={onAnswered}>
          {archive}
        </Unanswered>
      )}
      <p role="status" className="sr-only">
        {today !== firstDay && 'A new day: a new daily challenge.'}
      </p>
      {/* Beside the puzzle's form, not in it: what is pressed in the dialog would reach the form. */}
      <Dialog
        open={isArchiveOpen}
        onOpenChange={setArchiveOpen}
        wide
        title="The past seven days"
        description="Play the puzzles that you missed. They don't count for your streak."
      >
        <DailyArchive today={state?.date ?? today} />
      </Dialog>
      {details && (
        <DailyDetails
          open={isDetailsOpen}
          onOpenChange={setDetailsOpen}
          daily={details}
          returnFocusTo={openButton}
        />
      )}
    </section>
  )
}

function isAnswered(daily: Daily): daily is AnsweredDaily {
  return daily.result !== null
}

/** Collapsed with Reveal, then the puzzle with its timer running. */
function Unanswered({
  children,
  ...puzzle
}: {
  daily: Daily
  onAnswered: (answered: AnsweredDaily) => void
  children: ReactNode
}) {
  const { date } = puzzle.daily
  const user = useUser()
  const [revealed, setRevealed] = useState<'no' | 'earlier' | 'now'>(() =>
    dailyTimers.load(user.id, date) ? 'earlier' : 'no',
  )
  if (revealed !== 'no') {
    return (
      <DailyPuzzle {...puzzle} takesFocus={revealed === 'now'} heading={<CardHeading />}>
        {children}
      </DailyPuzzle>
    )
  }
  return (
    <CardText title="One puzzle a day." text="The timer starts when you reveal it.">
      <button
        type="button"
        className="btn"
        onClick={() => {
          dailyTimers.reveal(user.id, date)
          setRevealed('now')
        }}
      >
        Reveal
      </button>
      {children}
    </CardText>
  )
}

function CardHeading() {
  return (
    <h2 id="daily" className="eyebrow font-sans">
      Daily challenge
    </h2>
  )
}

/** What every closed state of the card is made of. */
function CardText(props: {
  title: ReactNode
  text?: string
  chip?: ReactNode
  children: ReactNode
}) {
  return (
    <>
      <div className="flex h-[13px] items-center justify-between gap-4">
        <CardHeading />
        {props.chip}
      </div>
      <p className="mt-3 font-medium font-serif text-[21px] leading-snug tracking-[-0.015em]">
        {props.title}
      </p>
      {props.text && <p className="mt-1.5 text-ink-2">{props.text}</p>}
      <div className="mt-auto flex flex-wrap items-center gap-x-5 gap-y-2 pt-5">
        {props.children}
      </div>
    </>
  )
}

function ArchiveButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      // Above the button that fills the card when the puzzle is answered.
      className="relative min-h-11 text-[15px] text-ink-2 underline decoration-line-strong underline-offset-4 hover:text-ink"
      onClick={onClick}
    >
      The past seven days
    </button>
  )
}

function CardSkeleton() {
  return (
    <>
      <CardHeading />
      <LoadingNote>Loading the daily challenge</LoadingNote>
      <Skeleton className="mt-4 h-6 w-40" />
      <Skeleton className="mt-3 h-5 w-full max-w-[260px]" />
      <Skeleton className="mt-auto h-11 w-[92px]" />
    </>
  )
}
