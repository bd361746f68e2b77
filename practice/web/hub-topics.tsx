import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { URLS } from '../../platform/urls.ts'
import { HubSection } from '../../platform/web/ui/section.tsx'
import { CATEGORIES } from '../categories.ts'
import { masteryQuery } from './build/queries.ts'
import { standing, sumOf } from './build/topic-choice.tsx'

/** What is solid, shaky and new by category (product 3.14.3); nothing before anything was answered. */
export function HubTopics() {
  const { data: topics } = useQuery(masteryQuery())
  if (!topics?.some(({ solid, shaky }) => solid + shaky > 0)) return null
  return (
    <HubSection title="What you know today" note="Solid fades when you leave it alone">
      <ul>
        {CATEGORIES.map((category) => (
          <li
            key={category}
            className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-line border-b py-3.5"
          >
            <span>{category}</span>
            <span className="text-[15px] text-ink-2">
              {standing(sumOf(topics.filter((topic) => topic.category === category)))}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-4">
        <Link to={URLS.build} className="quiet-link">
          By topic, with a test of each
        </Link>
      </p>
    </HubSection>
  )
}
