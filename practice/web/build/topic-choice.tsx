import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { LoadingNote, Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { CATEGORIES, type Category, topicKey } from '../../categories.ts'
import { type getMastery, TOPICS_AT_MOST } from '../../contract/build.ts'
import { topicHeading } from '../topics.ts'
import { ANYTHING, builtTestUrl } from './built-test.ts'
import { masteryQuery } from './queries.ts'

type Topic = ResponseOf<typeof getMastery>[number]

/** Every topic with where it stands (product 3.14.2), to be chosen, and a test of it alone. */
export function TopicChoice(props: {
  chosen: readonly string[]
  onChange: (topics: string[]) => void
}) {
  const { chosen } = props
  const mastery = useQuery(masteryQuery())
  function toggle(topic: string) {
    const topics = chosen.includes(topic)
      ? chosen.filter((one) => one !== topic)
      : [...chosen, topic]
    props.onChange(topics)
  }
  return (
    <section aria-labelledby="topics" className="mt-14">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-ink border-b pb-3">
        <h2 id="topics">Topics</h2>
        {chosen.length > 0 ? (
          <p className="hint">
            {chosen.length === TOPICS_AT_MOST && `${TOPICS_AT_MOST} at most · `}
            <button type="button" className="link" onClick={() => props.onChange([])}>
              All topics again
            </button>
          </p>
        ) : (
          <p className="hint">None chosen: all of them</p>
        )}
      </div>
      <p className="hint mt-3 max-w-[68ch]">
        Solid is what you last answered right twice running, on different days, and still know today
        nine times in ten. It fades by itself when you leave it alone.
      </p>
      {mastery.data ? (
        CATEGORIES.map((category) => (
          <CategoryTopics
            key={category}
            category={category}
            topics={mastery.data.filter((topic) => topic.category === category)}
            chosen={chosen}
            onToggle={toggle}
          />
        ))
      ) : mastery.isError ? (
        <p role="alert" className="mt-4">
          The topics could not be loaded.{' '}
          <button type="button" className="link" onClick={() => void mastery.refetch()}>
            Try again
          </button>
        </p>
      ) : (
        <div className="mt-4">
          <LoadingNote>Loading the topics</LoadingNote>
          <Skeleton className="h-[320px] w-full" />
        </div>
      )}
    </section>
  )
}

function CategoryTopics(props: {
  category: Category
  topics: readonly Topic[]
  chosen: readonly string[]
  onToggle: (topic: string) => void
}) {
  const { category, topics, chosen } = props
  const keyOf = ({ topic }: Topic) => topicKey(category, topic)
  const count = topics.filter((one) => chosen.includes(keyOf(one))).length
  return (
    <details className="group border-line border-b">
      <summary className="flex min-h-[60px] cursor-pointer flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-4">
        <span className="font-serif text-[21px]">{category}</span>
        <span className="hint flex items-center gap-2.5">
          {count > 0 ? `${count} chosen · ` : ''}
          {standing(sumOf(topics))}
          <ChevronDown size={18} aria-hidden className="group-open:rotate-180" />
        </span>
      </summary>
      <ul className="pb-3">
        {[...topics].sort(weakestFirst).map((one) => (
          <li
            key={one.topic}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 border-line border-t"
          >
            <label className="grid min-h-11 cursor-pointer grid-cols-[20px_minmax(0,1fr)] items-center gap-x-3 py-2">
              <input
                type="checkbox"
                className="size-[18px] accent-(--ink)"
                checked={chosen.includes(keyOf(one))}
                disabled={chosen.length === TOPICS_AT_MOST && !chosen.includes(keyOf(one))}
                onChange={() => props.onToggle(keyOf(one))}
              />
              <span>
                {topicHeading(one.topic)} <span className="hint">{standing(one)}</span>
              </span>
            </label>
            <Link
              to={builtTestUrl({ ...ANYTHING, topics: [keyOf(one)] })}
              className="link flex min-h-11 items-center"
            >
              Start<span className="sr-only"> a test of {topicHeading(one.topic)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </details>
  )
}

type Counts = Pick<Topic, 'solid' | 'shaky' | 'new'>

export const sumOf = (topics: readonly Counts[]): Counts =>
  topics.reduce(
    (sum, one) => ({
      solid: sum.solid + one.solid,
      shaky: sum.shaky + one.shaky,
      new: sum.new + one.new,
    }),
    { solid: 0, shaky: 0, new: 0 },
  )

/** '3 solid · 2 shaky · 4 new'; what there is none of is left out. */
export function standing({ solid, shaky, new: fresh }: Counts): string {
  return [
    [solid, 'solid'],
    [shaky, 'shaky'],
    [fresh, 'new'],
  ]
    .filter(([count]) => count)
    .map((words) => words.join(' '))
    .join(' · ')
}

/** What is shaky leads, then what was begun, then what is new. */
const weakestFirst = (a: Topic, b: Topic): number =>
  b.shaky - a.shaky || b.solid - a.solid || (a.topic < b.topic ? -1 : 1)
