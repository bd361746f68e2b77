import { useQuery } from '@tanstack/react-query'
import { localDay } from '../../platform/local-day.ts'
import { deviceTimeZone, weekOf } from '../../platform/web/dates.ts'
import { Skeleton } from '../../platform/web/ui/skeleton.tsx'
import { streakMessage } from '../streak.ts'
import { streakQuery } from './queries.ts'

/** The day streak with its week (product 4.10, 4.11, 4.12, 4.13). A failed load is only logged. */
export function StreakCard() {
  const { data: streak, isError } = useQuery(streakQuery())
  return (
    <section aria-labelledby="streak" className="card flex min-h-[256px] flex-col p-6">
      <h2 id="streak" className="eyebrow font-sans">
        Day streak
      </h2>
      {streak ? (
        <>
          <p className="mt-2 flex items-baseline gap-3">
            <span className="font-medium font-serif text-[68px] text-streak leading-[1.05] tracking-[-0.03em]">
              {streak.currentStreak}
            </span>
            <span className="text-ink-2">{streak.currentStreak === 1 ? 'day' : 'days'}</span>
          </p>
          <Week practised={new Set(streak.recentDays)} />
          <p className="mt-4">{streakMessage(streak.currentStreak)}</p>
          {streak.streakHighscore > streak.currentStreak && (
            <p className="hint mt-1">Personal Best {streak.streakHighscore}</p>
          )}
        </>
      ) : isError ? (
        <>
          <p className="mt-2 font-medium font-serif text-[68px] text-ink-2 leading-[1.05]">
            <span aria-hidden>–</span>
          </p>
          <p className="mt-4 text-ink-2">Every test you finish counts for your streak.</p>
        </>
      ) : (
        <>
          <Skeleton className="mt-3 h-[58px] w-24" />
          <Skeleton className="mt-5 h-[30px] w-[252px] max-w-full" />
          <Skeleton className="mt-5 h-5 w-56" />
        </>
      )}
    </section>
  )
}

/** The days of this week: filled when practised, ringed today. */
function Week({ practised }: { practised: Set<string> }) {
  const today = localDay(Date.now(), deviceTimeZone())
  return (
    <ol aria-label="This week" className="mt-4 flex gap-1.5">
      {weekOf(today).map(({ name, day }) => {
        const isPractised = practised.has(day)
        const look = isPractised
          ? 'bg-streak border-streak text-surface'
          : day === today
            ? 'border-streak text-streak'
            : 'border-line text-ink-2'
        return (
          <li
            key={day}
            className={`grid size-[30px] place-items-center rounded-full border font-semibold text-[12px] ${look}`}
          >
            <span aria-hidden>{name.slice(0, 1)}</span>
            <span className="sr-only">
              {day === today ? `${name}, today` : name}:{' '}
              {isPractised ? 'practiced' : day > today ? 'to come' : 'not practiced'}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
