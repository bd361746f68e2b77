import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { weekOf } from '../../../platform/web/dates.ts'
import { Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { useToday } from '../../../platform/web/use-today.ts'
import { streakMessage, streakToday } from '../../streak.ts'
import { streakQuery } from '../queries.ts'

/** The day streak with its week in one line (product 4.10 to 4.13). Load errors are only logged. */
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
      <WeekDays practiced={new Set(streak?.recentDays)} isKnown={streak !== undefined} />
      <p className="streak-message running">
        {streak ? (
          streakMessage(streak.currentStreak)
        ) : isError ? (
          'Every test you finish counts toward your streak.'
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

export function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span className="fig">{children}</span>
      </dd>
    </div>
  )
}

/** The streak with its week, as a ledger's last cell (product 4.10 to 4.13). Load errors are only logged. */
export function StreakCell() {
  const { data: streak } = useQuery(streakQuery())
  return (
    <div className="ledger-streak min-h-[92px]">
      <dt>{streak ? streakMessage(streak.currentStreak) : 'Day streak'}</dt>
      <dd>
        <span className="fig">
          {streak?.currentStreak ?? '–'}
          <span className="sr-only">{streak?.currentStreak === 1 ? ' day' : ' days'} in a row</span>
        </span>
        <WeekDays practiced={new Set(streak?.recentDays)} isKnown={streak !== undefined} />
      </dd>
    </div>
  )
}

function WeekDays({ practiced, isKnown }: { practiced: ReadonlySet<string>; isKnown: boolean }) {
  const today = useToday()
  return (
    <ol aria-label="This week" className="week-days">
      {weekOf(today).map(({ name, day }) => {
        const isPracticed = practiced.has(day)
        const look = `${day === today ? 'is-today' : ''} ${isPracticed ? 'is-done' : ''}`
        return (
          <li key={day} className={look}>
            <span aria-hidden>{name.slice(0, 1)}</span>
            <span className="sr-only">
              {day === today ? `${name}, today` : name}
              {isKnown &&
                `: ${isPracticed ? 'practiced' : day > today ? 'to come' : 'not practiced'}`}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
