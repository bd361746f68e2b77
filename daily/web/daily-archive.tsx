import { useQueries } from '@tanstack/react-query'
import { ArrowLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { dayName, daysBefore } from '../../platform/web/dates.ts'
import { queryClient } from '../../platform/web/query-client.ts'
import { useUser } from '../../platform/web/session.tsx'
import { Dialog } from '../../platform/web/ui/dialog.tsx'
import { LoadingNote, Skeleton } from '../../platform/web/ui/skeleton.tsx'
import { type AnsweredDaily, ARCHIVE_DAYS, type Daily } from '../contract.ts'
import { DailyPuzzle } from './daily-answer-form.tsx'
import { cheerOf, DailyAnswer, headlineOf, ResultChip } from './daily-details.tsx'
import { dailyTimers } from './daily-timer.ts'
import { dailyWeekQuery, pastDailyQuery } from './queries.ts'

/** Scrolls to and focuses what the user just asked for. */
const focusOn = (element: HTMLElement | null) => element?.focus()

/** A dialog with the past seven days. */
export function ArchiveDialog(props: {
  today: string
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      wide
      title="The past seven days"
      description="Play the puzzles you missed. They don't count for your streak."
    >
      <DailyArchive today={props.today} />
    </Dialog>
  )
}

/** The list of days, or the day that is being played or viewed. */
function DailyArchive({ today }: { today: string }) {
  const user = useUser()
  const dates = Array.from({ length: ARCHIVE_DAYS }, (_, index) => daysBefore(today, index + 1))
  const days = useQueries({ queries: dates.map(pastDailyQuery) })
  const [chosen, setChosen] = useState<string | null>(null)
  /** the last viewed day, whose row takes the focus */
  const [returnTo, setReturnTo] = useState<string | null>(null)

  function open(daily: Daily): void {
    if (!daily.result) dailyTimers.reveal(user.id, daily.date)
    setChosen(daily.date)
  }

  const shown = days[dates.indexOf(chosen ?? '')]?.data
  if (shown) {
    return (
      <ArchivedDay
        daily={shown}
        onBack={() => {
          setReturnTo(chosen)
          setChosen(null)
        }}
      />
    )
  }
  return (
    <>
      {days.some((day) => day.isPending) && <LoadingNote>Loading the past seven days</LoadingNote>}
      <ul className="border-ink border-t">
        {dates.map((date, index) => {
          const day = days[index]
          return (
            <li key={date} className="border-line border-b">
              {day?.data ? (
                <DayButton
                  daily={day.data}
                  takesFocus={date === returnTo}
                  onClick={() => day.data && open(day.data)}
                />
              ) : (
                <div className={row}>
                  <span>{dayName(date)}</span>
                  {day?.isError ? (
                    <button
                      type="button"
                      className="link min-h-9 text-[15px]"
                      onClick={() => void day.refetch()}
                    >
                      Try again<span className="sr-only"> to load {dayName(date)}</span>
                    </button>
                  ) : day?.data === null ? (
                    <span className="hint">No puzzle</span>
                  ) : (
                    <Skeleton className="h-6 w-24" />
                  )}
                </div>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}

const row = 'flex min-h-[52px] w-full items-center justify-between gap-4 py-2 text-left'

function DayButton(props: { daily: Daily; takesFocus: boolean; onClick: () => void }) {
  const { result, date } = props.daily
  return (
    <button
      ref={props.takesFocus ? focusOn : undefined}
      type="button"
      onClick={props.onClick}
      className={`${row} group`}
    >
      <span className="underline-offset-4 group-hover:underline">{dayName(date)}</span>
      <span className="flex items-center gap-3">
        {result ? (
          <ResultChip wasCorrect={result.wasCorrect} />
        ) : (
          <span className="hint whitespace-nowrap">Not played</span>
        )}
        <span className="flex items-center gap-1 text-[15px] text-accent">
          <span className="max-sm:sr-only">{result ? 'Details' : 'Play'}</span>
          <ChevronRight size={16} aria-hidden />
        </span>
      </span>
    </button>
  )
}

function ArchivedDay({ daily, onBack }: { daily: Daily; onBack: () => void }) {
  const heading = (text: string) => <p className="eyebrow">{text}</p>
  return (
    <>
      <button
        type="button"
        onClick={onBack}
        className="-mt-2 mb-2 inline-flex min-h-11 items-center gap-2 text-[15px] text-ink-2 hover:text-ink"
      >
        <ArrowLeft size={16} aria-hidden />
        All seven days
      </button>
      {daily.result ? (
        <ArchivedAnswer daily={{ ...daily, result: daily.result }} />
      ) : (
        <DailyPuzzle
          daily={daily}
          takesFocus
          heading={heading(dayName(daily.date))}
          onAnswered={(answered) => {
            queryClient.setQueryData(pastDailyQuery(daily.date).queryKey, answered)
            void queryClient.invalidateQueries({
              queryKey: dailyWeekQuery(daily.date).queryKey.slice(0, 3),
            })
          }}
        />
      )}
    </>
  )
}

function ArchivedAnswer({ daily }: { daily: AnsweredDaily }) {
  const cheer = cheerOf(daily.result)
  return (
    <>
      <p className="eyebrow">{dayName(daily.date)}</p>
      <h3 ref={focusOn} tabIndex={-1} className="mt-2 text-[24px] outline-none">
        {headlineOf(daily.result)}
      </h3>
      {cheer && <p className="mt-1.5 text-ink-2">{cheer}</p>}
      <div className="mt-3">
        <DailyAnswer daily={daily} />
      </div>
    </>
  )
}
