import { useQuery } from '@tanstack/react-query'
import { Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { useToday } from '../../../platform/web/use-today.ts'
import { streakMessage, streakToday } from '../../streak.ts'
import { WeekDays } from '../ledger-cells.tsx'
import { streakQuery } from '../queries.ts'

/** The day streak with its week in one line (product 4.10, 4.11, 4.12, 4.13). A failed load is only logged. */
export function StreakStrip() {
  const { data: streak, isError } = useQuery(streakQuery())
  const today = useToday()
  return (
    <section aria-label="Day streak" className="streak-strip">
      <p className="streak-count">
        {streak ? (
          <>
            <span className="fig">{streak.currentStreak}</span>
            <span className="hint">{streak.currentStreak === 1 ? 'day' : 'days'}</span>
          </>
        ) : isError ? (
          <span aria-hidden className="fig">
            –
          </span>
        ) : (
          <Skeleton className="h-10 w-[72px]" />
        )}
      </p>
      <WeekDays practised={new Set(streak?.recentDays)} isKnown={streak !== undefined} />
      <p className="streak-message running">
        {streak ? (
          streakMessage(streak.currentStreak)
        ) : isError ? (
          'Every test you finish counts for your streak.'
        ) : (
          <Skeleton className="h-6 w-56" />
        )}
      </p>
      {streak && (
        <p className="hint streak-best">
          {[
            streakToday(streak.currentStreak, streak.recentDays.includes(today)),
            streak.streakHighscore > streak.currentStreak &&
              `Personal Best ${streak.streakHighscore}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
    </section>
  )
}
