import { nameOf } from '../../accounts/person.ts'
import { DailyCard } from '../../daily/web/daily-card.tsx'
import { dayAndDate } from '../../platform/web/dates.ts'
import { useUser } from '../../platform/web/session.tsx'
import { useTitle } from '../../platform/web/ui/page.tsx'
import { useToday } from '../../platform/web/use-today.ts'
import { DashboardCategories } from '../../practice/web/category-cards.tsx'
import { ProgressCard } from '../../practice/web/overall-progress-card.tsx'
import { StreakCard } from '../../practice/web/streak-card.tsx'

/** /dashboard (product 1.7.1). */
export function Dashboard() {
  const user = useUser()
  // Date, week and streak are drawn anew at midnight.
  useToday()
  useTitle('Dashboard', 'Your streak, your progress, and every category to practice.')
  return (
    <main className="wrap pt-9 pb-20 sm:pt-11">
      <p className="eyebrow">{dayAndDate(Date.now())}</p>
      <h1 className="mt-1.5 text-[clamp(38px,4.2vw,48px)] [overflow-wrap:anywhere]">
        Welcome back, {nameOf(user.email)}
      </h1>
      {/* A puzzle that is open takes the place of two cards; the third moves under the first. */}
      <div className="group/cards mt-8 grid gap-5 sm:mt-9 md:grid-cols-2 md:has-[form]:grid-rows-[auto_1fr] lg:grid-cols-3 xl:grid-cols-[1fr_1.15fr_1.15fr]">
        <StreakCard />
        <DailyCard />
        <div className="grid md:max-lg:col-span-2 md:group-has-[form]/cards:col-span-1 md:group-has-[form]/cards:col-start-1 md:max-lg:group-has-[form]/cards:self-start">
          <ProgressCard />
        </div>
      </div>
      <DashboardCategories />
    </main>
  )
}
