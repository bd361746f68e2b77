import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useEffect, useState } from 'react'
import { nameOf } from '../../accounts/email.ts'
import { DailyCard } from '../../daily/web/daily-card.tsx'
import { dayAndDate } from '../../platform/web/dates.ts'
import { useUser } from '../../platform/web/session.tsx'
import { useTitle } from '../../platform/web/ui/page.tsx'
import { useToday } from '../../platform/web/use-today.ts'
import { whenIdle } from '../../platform/web/when-idle.ts'
import { DashboardCategories } from '../../practice/web/dashboard/categories.tsx'
import { DueCell } from '../../practice/web/dashboard/due-cell.tsx'
import { Lead } from '../../practice/web/dashboard/lead.tsx'
import { leadOf } from '../../practice/web/dashboard/lead-content.ts'
import { BuiltInProgress, OtherWays } from '../../practice/web/dashboard/other-ways.tsx'
import { OverallProgress } from '../../practice/web/dashboard/overall-progress.tsx'
import { StreakStrip } from '../../practice/web/dashboard/streak-strip.tsx'
import { todayQuery } from '../../practice/web/queries.ts'
import { useUnfinished } from '../../practice/web/quiz/unfinished.ts'
import { useTaken } from '../../practice/web/use-outbox.tsx'

/** /dashboard (product 1.7): the next step, then today, then everything else. */
export function Dashboard() {
  const user = useUser()
  // Date, week and streak render again at midnight.
  const day = useToday()
  useTitle('Dashboard', 'Your streak, your progress, and every category to practice.')
  const today = useQuery(todayQuery())
  const taken = useTaken(user.id)
  const lead = leadOf(
    useUnfinished(user.id),
    today.isError && !today.data ? null : today.data,
    taken,
    day,
  )
  return (
    <main className="wrap home pb-8">
      <div className="home-top">
        <h1>{user.is_anonymous ? 'Welcome' : `Welcome back, ${nameOf(user.email)}`}</h1>
        <p className="eyebrow">{dayAndDate(Date.now())}</p>
      </div>
      <Lead content={lead} today={today.data} onRetry={() => void today.refetch()} />
      <BuiltInProgress />
      <div className="panel front">
        <StreakStrip />
        <DailyCard />
        <DueCell
          today={today.data}
          isError={today.isError}
          isLeading={lead.kind === 'due' || lead.kind === 'plan'}
          isNew={taken?.length === 0}
        />
      </div>
      <DashboardCategories />
      <OtherWays />
      <OverallProgress />
      <LaterOffers />
    </main>
  )
}

/** The offers at the end of the dashboard, loaded after everything above. */
function LaterOffers() {
  const [Offers, setOffers] = useState<ComponentType>()
  useEffect(
    () =>
      whenIdle(() => {
        import('./offline/offers.tsx').then(
          (part) => setOffers(() => part.Offers),
          // These offers are optional.
          () => {},
        )
      }),
    [],
  )
  return Offers ? <Offers /> : null
}
