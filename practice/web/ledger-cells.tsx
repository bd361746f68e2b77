import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { localDay } from '../../platform/local-day.ts'
import { deviceTimeZone, weekOf } from '../../platform/web/dates.ts'
import { streakMessage } from '../streak.ts'
import { streakQuery } from './queries.ts'

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

/** The streak with its week, the last cell of a ledger (product 4.10 to 4.13); a failed load is only logged. */
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
        <WeekDays practised={new Set(streak?.recentDays)} isKnown={streak !== undefined} />
      </dd>
    </div>
  )
}

export function WeekDays({
  practised,
  isKnown,
}: {
  practised: ReadonlySet<string>
  isKnown: boolean
}) {
  const today = localDay(Date.now(), deviceTimeZone())
  return (
    <ol aria-label="This week" className="week-days">
      {weekOf(today).map(({ name, day }) => {
        const isPractised = practised.has(day)
        const look = `${day === today ? 'is-today' : ''} ${isPractised ? 'is-done' : ''}`
        return (
          <li key={day} className={look}>
            <span aria-hidden>{name.slice(0, 1)}</span>
            <span className="sr-only">
              {day === today ? `${name}, today` : name}
              {isKnown &&
                `: ${isPractised ? 'practiced' : day > today ? 'to come' : 'not practiced'}`}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
