import { nameOf } from '../../shared/person.ts'
import { dayAndDate } from '../dates.ts'
import { useUser } from '../session.tsx'
import { useTitle } from '../ui/page.tsx'
import { DashboardCategories } from './dashboard-categories.tsx'
import { ProgressCard } from './dashboard-progress.tsx'
import { StreakCard } from './dashboard-streak.tsx'

/** /dashboard (specification, section 2). */
export function Dashboard() {
  const user = useUser()
  useTitle('Dashboard')
  return (
    <main className="wrap pt-9 pb-20 sm:pt-11">
      <p className="eyebrow">{dayAndDate(Date.now())}</p>
      <h1 className="mt-1.5 text-[clamp(38px,4.2vw,48px)] [overflow-wrap:anywhere]">
        Welcome back, {nameOf(user.email)}
      </h1>
      {/* As many columns as there are cards: two, and three with the daily challenge. */}
      <div className="mt-8 grid gap-5 sm:mt-9 sm:grid-cols-[repeat(auto-fit,minmax(300px,1fr))]">
        <StreakCard />
        <ProgressCard />
      </div>
      <DashboardCategories />
    </main>
  )
}
