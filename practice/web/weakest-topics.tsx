import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { URLS } from '../../platform/urls.ts'
import { fetchScreenAhead } from '../../platform/web/screens.ts'
import { HubSection } from '../../platform/web/ui/section.tsx'
import { shortCellName, topicKey } from '../categories.ts'
import { onIntent } from './ahead.ts'
import { ANYTHING, builtTestUrl } from './build/built-test.ts'
import { weakTopicsQuery } from './queries.ts'
import { topicHeading, topicName } from './topics.ts'

/** The weakest topics, and one button that leads to the first (product 1.8.7); nothing while they aren't known. */
export function WeakestTopics() {
  const { data: topics } = useQuery(weakTopicsQuery)
  const [weakest] = topics ?? []
  if (!topics || !weakest) return null
  const ofIt = { ...ANYTHING, topics: [topicKey(weakest.category, weakest.topic)] }
  return (
    <HubSection title="Weakest topics" note="right, the last time you answered">
      <ol>
        {topics.map(({ topic, right, answered, ...cell }) => (
          <li
            key={`${cell.category} ${cell.difficulty} ${topic}`}
            className="grid grid-cols-[1fr_auto] items-baseline gap-x-5 border-line border-b py-3"
          >
            <span>
              {topicHeading(topic)}{' '}
              <span className="hint">{shortCellName(cell.category, cell.difficulty)}</span>
            </span>
            <span className="text-[15px]">
              {right} of {answered}
            </span>
          </li>
        ))}
      </ol>
      <Link
        to={builtTestUrl(ofIt)}
        className="btn btn-ghost mt-4 max-sm:w-full"
        {...onIntent(() => fetchScreenAhead(URLS.builtTest))}
      >
        Practice {topicName(weakest.topic)}
      </Link>
    </HubSection>
  )
}
