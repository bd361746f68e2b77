import type { ResponseOf } from '../../../platform/endpoint.ts'
import { localDay } from '../../../platform/local-day.ts'
import type { Api } from '../../../platform/server/api.ts'
import type { CurrentUser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { CATEGORIES, topicKey } from '../../categories.ts'
import { buildTest, getMastery } from '../../contract/build.ts'
import { hash, retrievability, standingOf } from '../../schedule/schedule.ts'
import { QUESTIONS_PER_TEST } from '../../test-of-ten.ts'
import type { Bank, BankItem } from '../bank.ts'
import { chooseVariant, type FamilyCard, readCards } from '../schedule/cards.ts'

export function serveBuild(api: Api, { db, now }: AppDependencies, bank: Bank): void {
  async function familiesWithCards(user: Pick<CurrentUser, 'id' | 'contentVersion'>) {
    const items = await bank.items(user.contentVersion)
    const cards = await readCards(db, user.id, items)
    const cardOf = new Map(cards.map((card) => [card.family, card]))
    return [...(await bank.families(user.contentVersion))].map(([family, variants]) => ({
      family,
      variants,
      card: cardOf.get(family),
    }))
  }

  api.serve(buildTest, async ({ user, query }) => {
    if (query.ids !== undefined) {
      const items = await bank.items(user.contentVersion)
      const questions = [...new Set(query.ids.split(','))].flatMap(
        (id) => items.get(id)?.question ?? [],
      )
      return { questions, found: questions.length }
    }
    const day = localDay(now().getTime(), query.timeZone)
    const fits = fitterOf(query)
    // Asked again on the same day after some answers, it is another test.
    const seed = `${user.id} ${now().getTime()}`
    const size = Number(query.n ?? QUESTIONS_PER_TEST)
    const families = (await familiesWithCards(user)).flatMap(({ family, variants: all, card }) => {
      const variants = all.filter(fits)
      if (variants.length === 0) return []
      return [{ variants, card, urgency: urgencyOf(card, day), draw: hash(`${seed} ${family}`) }]
    })
    const chosen = families
      .sort((a, b) => a.urgency - b.urgency || a.draw - b.draw)
      .slice(0, size)
      // The order must not show which questions are the weakest.
      .sort((a, b) => a.draw - b.draw)
    return {
      questions: chosen.map(({ variants, card }) => chooseVariant(variants, card, seed).question),
      found: families.length,
    }
  })

  api.serve(getMastery, async ({ user, query }) => {
    const day = localDay(now().getTime(), query.timeZone)
    const topics = new Map<string, ResponseOf<typeof getMastery>[number]>()
    for (const { variants, card } of await familiesWithCards(user)) {
      const [first] = variants
      if (!first || first.topic === null) continue
      const { category } = first.question
      const key = `${category} ${first.topic}`
      const known = topics.get(key) ?? { category, topic: first.topic, solid: 0, shaky: 0, new: 0 }
      known[standingOf(card ?? null, day)] += 1
      topics.set(key, known)
    }
    return [...topics.values()].sort(
      (a, b) => CATEGORIES.indexOf(a.category) - CATEGORIES.indexOf(b.category),
    )
  })
}

/** Whether a question belongs in the test that a person builds (product 3.14.5). */
function fitterOf(query: { topics?: string; levels?: string; slip?: string }) {
  const topics = query.topics?.split(',')
  const levels = query.levels?.split(',')
  return ({ question, topic, slips }: BankItem): boolean =>
    (!topics || (topic !== null && topics.includes(topicKey(question.category, topic)))) &&
    (!levels || levels.includes(question.difficulty)) &&
    (query.slip === undefined || Object.values(slips).includes(query.slip))
}

/** Sorts new questions first, then the ones most likely forgotten, and solid ones last. */
const urgencyOf = (card: FamilyCard | undefined, day: string): number =>
  card ? retrievability(card, day) + (standingOf(card, day) === 'solid' ? 2 : 1) : 0
