import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { errorPracticeUrl } from '../../../platform/urls.ts'
import { Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { numberWord } from '../../../platform/words.ts'
import { onIntent } from '../ahead.ts'
import { mistakesQuery, topicsQuery } from '../queries.ts'
import { timesWord } from '../slips/slip-words.ts'
import { topicHeading } from '../topics.ts'

export function MistakesCard({ category, difficulty }: { category: string; difficulty: string }) {
  const { data, isError } = useQuery(mistakesQuery(category, difficulty))
  const to = errorPracticeUrl(category, difficulty)
  const count = data?.mistakes.length ?? 0
  const { data: topics } = useQuery({ ...topicsQuery(category, difficulty), enabled: count > 0 })
  const topicOf = new Map(topics?.map(({ id, topic }) => [id, topic]))
  return (
    <section className="panel mistakes-card" aria-labelledby="mistakes">
      <h2 id="mistakes">
        <Link to={to} className="underline-offset-4 hover:underline" {...onIntent(fetchAhead)}>
          Practice Your Mistakes
        </Link>
      </h2>
      {data || isError ? (
        <p className="running rail-text">{aboutMistakes(count, data?.attempts)}</p>
      ) : (
        <div className="rail-text">
          <Skeleton className="h-[46px] w-full" />
        </div>
      )}
      {data && count > 0 && (
        <>
          {topics && (
            <ol>
              {rowsOf(data.mistakes, (id) => topicOf.get(id) ?? null).map(({ name, times }) => (
                <li key={name}>
                  <span>{name}</span>
                  {times > 0 && <span>missed {timesWord(times)}</span>}
                </li>
              ))}
            </ol>
          )}
          <Link to={to} className="btn btn-ghost" {...onIntent(fetchAhead)}>
            Practice {count === 1 ? 'this mistake' : `${count} mistakes`}
          </Link>
        </>
      )}
    </section>
  )
}

function fetchAhead(): void {
  import('../error-practice.tsx').catch(() => {})
}

function aboutMistakes(count: number, attempts: number | undefined): string {
  if (count > 1) return `The ${count} questions that you have missed most often here.`
  if (count === 1) return 'The one question that you have missed here.'
  return attempts
    ? 'No mistakes here so far. Questions you miss will appear here.'
    : 'A test of the questions you have missed most often here.'
}

const TOPICS_NAMED = 3

/** Returns the most missed topics and the number of other questions. `times` is 0 if the counts differ. */
export function rowsOf(
  mistakes: readonly { id: number; timesWrong: number }[],
  topicOf: (id: number) => string | null,
): { name: string; times: number }[] {
  const byTopic = new Map<string, { times: number; questions: number[] }>()
  for (const { id, timesWrong } of mistakes) {
    const topic = topicOf(id)
    if (topic === null) continue
    const known = byTopic.get(topic) ?? { times: 0, questions: [] }
    byTopic.set(topic, { times: known.times + timesWrong, questions: [...known.questions, id] })
  }
  const named = [...byTopic].sort(([, a], [, b]) => b.times - a.times).slice(0, TOPICS_NAMED)
  const isNamed = new Set(named.flatMap(([, { questions }]) => questions))
  const rest = mistakes.filter(({ id }) => !isNamed.has(id))
  const rows = named.map(([topic, { times }]) => ({ name: topicHeading(topic), times }))
  if (rest.length === 0) return rows
  const often = new Set(rest.map(({ timesWrong }) => timesWrong))
  return [
    ...rows,
    {
      name: `${numberWord(rest.length)} more`,
      times: often.size === 1 ? (rest[0]?.timesWrong ?? 0) : 0,
    },
  ]
}
