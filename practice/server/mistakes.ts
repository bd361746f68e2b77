import type { Api } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { getMistakes } from '../contract.ts'
import { isCleared, mostMissed } from '../schedule/schedule.ts'
import type { Bank } from './bank.ts'
import { readCards, readLastWrong } from './schedule/cards.ts'

export function serveMistakes(api: Api, { db }: AppDependencies, bank: Bank): void {
  api.serve(getMistakes, async ({ user, query }) => {
    const items = await bank.items(user.contentVersion)
    const cards = await readCards(db, user.id, items)
    const cardOfFamily = new Map(cards.map((card) => [card.family, card]))
    const wrong = await readLastWrong(
      db,
      user.id,
      cards.flatMap(({ family, lapses }) => (lapses > 0 ? family : [])),
    )
    // Retired questions are not in the bank, so they can't be practiced again.
    const missed = [...items.values()].flatMap(({ question, family }) => {
      const isOfCell =
        question.category === query.category && question.difficulty === query.difficulty
      const card = isOfCell ? cardOfFamily.get(family) : undefined
      const last = card && wrong.get(card.family)
      // Only the variant missed last is listed.
      if (!card || last?.item !== String(question.id)) return []
      const { lapses: timesWrong, stability } = card
      return [{ question, questionId: question.id, timesWrong, stability, userAnswer: last.choice }]
    })
    const { rows } = await db.$client.query<{ attempts: number }>({
      name: 'attempts-in-cell',
      text: `select count(*)::int as attempts from test_results
        where user_id = $1 and category = $2 and difficulty = $3`,
      values: [user.id, query.category, query.difficulty],
    })
    return {
      attempts: rows[0]?.attempts ?? 0,
      cleared: missed.filter(isCleared).length,
      mistakes: mostMissed(missed).map(({ question, timesWrong, userAnswer }) => ({
        ...question,
        timesWrong,
        userAnswer,
      })),
    }
  })
}
