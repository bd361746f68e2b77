import { numberWord } from '../../../platform/words.ts'
import { topicHeading } from '../topics.ts'

/** Topics that are named, before the rest is counted. */
const TOPICS_NAMED = 3

/**
 * The topics missed most, and how many questions are left.
 * @param mistakes the most missed first
 * @returns `times` is 0 where questions were missed differently often
 */
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
