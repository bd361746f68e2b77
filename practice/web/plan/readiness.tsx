import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { ROLE_NAMES, ROLES, type Role } from '../../schedule/plan-choices.ts'
import { readinessOf } from '../../schedule/tracks.ts'
import { masteryQuery } from '../build/queries.ts'
import { Section } from '../section.tsx'

const percent = (share: number) => `${Math.round(100 * share)}%`

/** How ready one is for the plan's role, and for the others (product 3.16.15). */
export function Readiness({ role }: { role: Role }) {
  const { data: topics, isError } = useQuery(masteryQuery())
  if (isError) return null
  if (!topics) return <Skeleton className="mt-10 h-[180px]" />
  const { solid, shaky, new: unseen } = readinessOf(role, topics)
  return (
    <Section id="plan-ready" title="Readiness" hint={ROLE_NAMES[role]} className="mt-10">
      <p className="serif mt-4 text-[23px] leading-tight nav:text-[31px]">
        {percent(solid)} of what interviews ask is solid
      </p>
      <p className="mt-2 text-[15px] text-ink-2">
        {solid + shaky === 0
          ? "You haven't seen any of it yet. "
          : `${percent(shaky)} is shaky, and you haven't seen ${percent(unseen)} yet. `}
        The more often interviews ask about a topic, the more it counts.
      </p>
      <details className="plan-fold">
        <summary>
          Other roles <ChevronDown size={18} aria-hidden />
        </summary>
        <ul className="pb-3">
          {ROLES.filter((one) => one !== role).map((one) => {
            const of = readinessOf(one, topics)
            return (
              <li key={one} className="flex min-h-10 items-center justify-between gap-4">
                {ROLE_NAMES[one]}
                <span className="hint">
                  {percent(of.solid)} solid, {percent(of.new)} not seen
                </span>
              </li>
            )
          })}
        </ul>
      </details>
    </Section>
  )
}
