import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Search, X } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { HubSection } from '../../../platform/web/ui/section.tsx'
import { CATEGORIES, type Category, SHORT_NAMES, topicKey } from '../../categories.ts'
import { type getMastery, TOPICS_AT_MOST } from '../../contract/build.ts'
import { Loading, RetryLine, toggled } from '../kit.tsx'
import { weakTopicsQuery } from '../queries.ts'
import { topicHeading } from '../topics.ts'
import { masteryQuery } from './built-test.ts'

type Topic = ResponseOf<typeof getMastery>[number]
const keyOf = ({ category, topic }: { category: Category; topic: string }) =>
  topicKey(category, topic)

/** More names would push the list off a phone's screen. */
const NAMED_AT_MOST = 12

interface Choosing {
  chosen: readonly string[]
  onToggle: (topic: string) => void
}

export function TopicChoice(props: {
  chosen: readonly string[]
  onChange: (topics: string[]) => void
}) {
  const { chosen } = props
  const mastery = useQuery(masteryQuery())
  const weakest = useQuery(weakTopicsQuery)
  const [search, setSearch] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const choosing: Choosing = {
    chosen,
    onToggle: (topic) => props.onChange(toggled(chosen, topic)),
  }
  if (mastery.isError) {
    return (
      <RetryLine className="mt-6" onRetry={() => void mastery.refetch()}>
        The topics could not be loaded.
      </RetryLine>
    )
  }
  if (!mastery.data) {
    return <Loading note="Loading the topics" shapes={['mt-6 h-[420px]']} />
  }
  const topics = mastery.data
  // A topic has one entry per level. Only the weakest level is shown.
  const weakTopics = weakest.data?.filter(
    (one, place, all) => all.findIndex((other) => keyOf(other) === keyOf(one)) === place,
  )
  const wanted = search.trim().toLowerCase()
  const hits = topics.filter(({ topic }) => topicHeading(topic).toLowerCase().includes(wanted))
  return (
    <section aria-label="Topics" className="mt-5">
      <label className="flex items-center gap-2.5 rounded-md border border-line-strong bg-surface px-3.5 focus-within:outline-2 focus-within:outline-accent">
        <Search size={18} aria-hidden className="flex-none text-ink-2" />
        <span className="sr-only">Search topics</span>
        <input
          ref={field}
          type="search"
          value={search}
          placeholder={`Search ${topics.length} topics`}
          onChange={(event) => setSearch(event.target.value)}
          className="min-h-12 w-full bg-transparent outline-none"
        />
      </label>
      {chosen.length > 0 && (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          {chosen.length > NAMED_AT_MOST && <p>{chosen.length} topics chosen</p>}
          {(chosen.length > NAMED_AT_MOST ? [] : chosen).map((topic) => (
            <button
              key={topic}
              type="button"
              className="flex min-h-10 items-center gap-2 rounded-md border border-accent bg-accent-soft px-3 font-medium text-[15px]"
              onClick={() => {
                choosing.onToggle(topic)
                field.current?.focus()
              }}
            >
              <span className="sr-only">Remove </span>
              {topicHeading(topic.split('/').at(-1) ?? topic)}
              <X size={15} aria-hidden />
            </button>
          ))}
          <button
            type="button"
            className="link ml-auto min-h-10"
            onClick={() => {
              props.onChange([])
              field.current?.focus()
            }}
          >
            Clear
          </button>
        </div>
      )}
      {wanted ? (
        <TopicList topics={hits} {...choosing} />
      ) : (
        <>
          {weakTopics && weakTopics.length > 0 && (
            <HubSection title="Weakest topics" note="right so far">
              <TopicList
                topics={weakTopics}
                about={({ right, answered }) => `${right} of ${answered}`}
                {...choosing}
              />
            </HubSection>
          )}
          <HubSection title="All topics" note="All, unless you choose">
            {CATEGORIES.map((category) => (
              <CategoryTopics
                key={category}
                category={category}
                topics={topics.filter((topic) => topic.category === category)}
                {...choosing}
              />
            ))}
          </HubSection>
        </>
      )}
    </section>
  )
}

function CategoryTopics(props: Choosing & { category: Category; topics: readonly Topic[] }) {
  const { category, topics, chosen, onToggle } = props
  const count = topics.filter((one) => chosen.includes(keyOf(one))).length
  return (
    <details className="group border-line border-b">
      <summary className="flex min-h-14 cursor-pointer list-none items-center justify-between gap-x-4 py-3">
        {category}
        <span className="hint flex flex-none items-center gap-2.5">
          {count > 0 ? `${count} chosen` : topics.length}
          <ChevronDown size={18} aria-hidden className="group-open:rotate-180" />
        </span>
      </summary>
      <TopicList
        topics={[...topics].sort(weakestFirst)}
        about={standing}
        chosen={chosen}
        onToggle={onToggle}
      />
    </details>
  )
}

function TopicList<One extends { category: Category; topic: string }>(
  props: Choosing & { topics: readonly One[]; about?: (topic: One) => string },
) {
  const { topics, chosen, about } = props
  if (topics.length === 0) return <p className="mt-4 text-ink-2">No topics match.</p>
  return (
    <ul>
      {topics.map((one) => (
        <li key={keyOf(one)} className="border-line border-b">
          <label className="grid min-h-12 cursor-pointer grid-cols-[20px_minmax(0,1fr)_auto] items-center gap-x-3 py-2">
            <input
              type="checkbox"
              className="size-[18px] accent-(--accent)"
              checked={chosen.includes(keyOf(one))}
              disabled={chosen.length === TOPICS_AT_MOST && !chosen.includes(keyOf(one))}
              onChange={() => props.onToggle(keyOf(one))}
            />
            <span>
              {topicHeading(one.topic)} <span className="hint">{SHORT_NAMES[one.category]}</span>
            </span>
            <span className="hint">{about?.(one)}</span>
          </label>
        </li>
      ))}
    </ul>
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

/** Returns '3 solid · 2 shaky · 4 new' and leaves out zeros. */
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

const weakestFirst = (a: Topic, b: Topic): number =>
  b.shaky - a.shaky || b.solid - a.solid || (a.topic < b.topic ? -1 : 1)
