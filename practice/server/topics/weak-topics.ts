import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { listCells } from '../../categories.ts'
import { getWeakTopics, type WeakTopic } from '../../contract.ts'
import { GREEN_FROM } from '../../scoring.ts'
import { QUESTIONS_PER_TEST } from '../../test-of-ten.ts'
import type { Bank } from '../bank.ts'
import { newestAnswers } from '../facts-store.ts'

const LEAST_ANSWERS = 3
const LISTED_TOPICS = 5

export function serveWeakTopics(api: Api, { db }: AppDependencies, bank: Bank): void {
  api.serve(getWeakTopics, async ({ user }) => {
    const { rows } = await db.$client.query<{ item: string; isRight: boolean }>({
      name: 'latest-answers',
      // Case questions are not in the bank.
      text: `select distinct on (item) item, is_right as "isRight" from ${newestAnswers()} newest
        where item not like 'case/%' order by item, answered_at desc`,
      values: [user.id],
    })
    const latest = new Map(rows.map(({ item, isRight }) => [item, isRight]))
    const weak: WeakTopic[] = []
    for (const cell of latest.size > 0 ? listCells() : []) {
      const questions = await bank.topics(cell.category, cell.difficulty, user.contentVersion)
      weak.push(...weakTopicsOf(questions, latest).map((topic) => ({ ...cell, ...topic })))
    }
    return weak
      .sort((a, b) => a.right / a.answered - b.right / b.answered || b.answered - a.answered)
      .slice(0, LISTED_TOPICS)
  })
}

export function weakTopicsOf(
  questions: readonly { id: number; topic: string | null }[],
  latest: ReadonlyMap<string, boolean>,
): Omit<WeakTopic, 'category' | 'difficulty'>[] {
  const topics = new Map<string, { right: number; answered: number; open: Map<number, number> }>()
  for (const [index, { id, topic }] of questions.entries()) {
    if (topic === null) continue
    const known = topics.get(topic) ?? { right: 0, answered: 0, open: new Map() }
    topics.set(topic, known)
    const isRight = latest.get(String(id))
    if (isRight !== undefined) known.answered += 1
    if (isRight) known.right += 1
    else {
      const testNumber = Math.floor(index / QUESTIONS_PER_TEST) + 1
      known.open.set(testNumber, (known.open.get(testNumber) ?? 0) + 1)
    }
  }
  return [...topics].flatMap(([topic, { right, answered, open }]) => {
    // Tests are in order, so a tie goes to the first.
    const [test] = [...open].sort(([, a], [, b]) => b - a)
    if (answered < LEAST_ANSWERS || (right / answered) * 100 >= GREEN_FROM || !test) return []
    return [{ topic, right, answered, testNumber: test[0] }]
  })
}
