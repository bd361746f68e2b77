import { useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useOffline } from '../../platform/web/connection/connectivity.ts'
import { weekdayName } from '../../platform/web/dates.ts'
import { queryClient } from '../../platform/web/query-client.ts'
import { useUser } from '../../platform/web/session.tsx'
import { openedOnDemand } from '../../platform/web/ui/on-demand.ts'
import { CellSkeleton } from '../../platform/web/ui/skeleton.tsx'
import { useToday } from '../../platform/web/use-today.ts'
import type { AnsweredDaily, Daily } from '../contract.ts'
import { DailyPuzzle } from './daily-answer-form.tsx'
import { DailyDetails, ResultChip } from './daily-details.tsx'
import { dailyTimers } from './daily-timer.ts'
import { dailyWeekQuery, todaysDailyQuery } from './queries.ts'

const NEEDS_ANOTHER_TRY = 'Something went wrong. Please try again.'
/** The puzzle isn't cached: it must not be seen before its day, and its time counts (product 3.17.4). */
const NEEDS_A_NETWORK = 'The puzzle of the day needs a connection.'

const ArchiveDialog = openedOnDemand(
  async () => (await import('./daily-archive.tsx')).ArchiveDialog,
)

/** The daily challenge card in all its states (product 5.9, 5.10, 5.11). */
export function DailyCard() {
  const today = useToday()
  const query = todaysDailyQuery(today)
  const daily = useQuery(query)
  const isOffline = useOffline()
  // A copy, so that midnight doesn't remove what the user is reading.
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
    void queryClient.invalidateQueries({ queryKey: ['api', 'streak'] })
    showDetails(answered)
  }

  const state = daily.data
  const archive = <Archive today={today} onOpen={() => setArchiveOpen(true)} />
  return (
    <section aria-labelledby="daily" className="front-cell">
      {state === undefined ? (
        daily.isError ? (
          <CardText title={isOffline ? NEEDS_A_NETWORK : NEEDS_ANOTHER_TRY}>
            <button
              type="button"
              className="btn btn-ghost"
              aria-disabled={daily.isFetching}
              onClick={() => void daily.refetch()}
            >
              {daily.isFetching ? 'Trying again…' : 'Try again'}
            </button>
          </CardText>
        ) : (
          <CellSkeleton heading={<CardHeading />} note="Loading the daily challenge" />
        )
      ) : state === null ? (
        <CardText title="Check back later!" text="There is no puzzle today." archive={archive} />
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
          text="The next one appears at midnight."
          chip={<ResultChip wasCorrect={state.result.wasCorrect} />}
          archive={archive}
        />
      ) : (
        <Unanswered key={state.date} daily={state} onAnswered={onAnswered} archive={archive} />
      )}
      <p role="status" className="sr-only">
        {today !== firstDay && 'A new day: a new daily challenge.'}
      </p>
      {/* Outside the puzzle's form, because events in the dialog would bubble to the form. */}
      <ArchiveDialog
        today={state?.date ?? today}
        open={isArchiveOpen}
        onOpenChange={setArchiveOpen}
      />
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

/** Collapsed with a Reveal button, then the puzzle with its timer. */
function Unanswered({
  archive,
  ...puzzle
}: {
  daily: Daily
  onAnswered: (answered: AnsweredDaily) => void
  archive: ReactNode
}) {
  const { date } = puzzle.daily
  const user = useUser()
  const [revealed, setRevealed] = useState<'no' | 'earlier' | 'now'>(() =>
    dailyTimers.load(user.id, date) ? 'earlier' : 'no',
  )
  if (revealed !== 'no') {
    return (
      <DailyPuzzle {...puzzle} takesFocus={revealed === 'now'} heading={<CardHeading />}>
        {archive}
      </DailyPuzzle>
    )
  }
  return (
    <CardText
      title="One puzzle a day."
      text="The timer starts when you reveal it."
      archive={archive}
    >
      <button
        type="button"
        className="btn btn-ghost"
        onClick={() => {
          dailyTimers.reveal(user.id, date)
          setRevealed('now')
        }}
      >
        Reveal
      </button>
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

function CardText(props: {
  title: ReactNode
  text?: string
  chip?: ReactNode
  archive?: ReactNode
  children?: ReactNode
}) {
  return (
    <>
      <div className="front-text">
        <div className="front-title">
          <CardHeading />
          {props.chip}
        </div>
        <p className="serif">{props.title}</p>
        {props.text && <p className="front-about running">{props.text}</p>}
        <div className="front-action">{props.children}</div>
      </div>
      {props.archive}
    </>
  )
}

/** The link to the past seven days, below their results. */
function Archive({ today, onOpen }: { today: string; onOpen: () => void }) {
  const { data: week } = useQuery(dailyWeekQuery(today))
  const wasPlayed = week?.some((day) => day.wasCorrect !== null)
  return (
    <div className="front-days">
      <ol className="seven-days" aria-label="The past seven days" hidden={!wasPlayed}>
        {week?.map(({ date, wasCorrect }) => (
          <li key={date}>
            <Mark wasCorrect={wasCorrect} />
            <span>
              <span aria-hidden>{weekdayName(date).slice(0, 1)}</span>
              <span className="sr-only">, {weekdayName(date)}</span>
            </span>
          </li>
        ))}
      </ol>
      <button type="button" className="quiet-link front-archive" onClick={onOpen}>
        The past seven days
      </button>
    </div>
  )
}

function Mark({ wasCorrect }: { wasCorrect: boolean | null }) {
  if (wasCorrect === null) {
    return (
      <span>
        <span aria-hidden>–</span>
        <span className="sr-only">not played</span>
      </span>
    )
  }
  const Icon = wasCorrect ? Check : X
  return (
    <span className={wasCorrect ? 'grade-right' : 'grade-wrong'}>
      <Icon size={15} aria-hidden />
      <span className="sr-only">{wasCorrect ? 'correct' : 'incorrect'}</span>
    </span>
  )
}
