import { localDay } from '../../../platform/local-day.ts'
import type { Api, EnterTurn } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { CATEGORIES, topicKey } from '../../categories.ts'
import { buildTest, getMastery } from '../../contract/build.ts'
import { standingOf } from '../../schedule/mastery.ts'
import { hash, personSpread, retrievability } from '../../schedule/schedule.ts'
import { QUESTIONS_PER_TEST } from '../../test-of-ten.ts'
import type { Bank, BankItem } from '../bank.ts'
import { type FamilyCard, readCards, type SpreadFor } from '../schedule/cards.ts'
import { chooseVariant, familiesOf } from '../schedule/families.ts'

/** What a question has to be to stand in a test of one's own (product 3.14.5). */
interface Wanted {
  topics: ReadonlySet<string> | null
  levels: ReadonlySet<string> | null
  slip: string | null
}

/** Mastery by topic, and tests that a person builds (product 3.14). */
export function serveBuild(
  api: Api,
  { db, now }: AppDependencies,
  bank: Bank,
  enterTurn: EnterTurn,
  spreadFor: SpreadFor = personSpread,
): void {
  api.serveInTurn(buildTest, enterTurn, async ({ user, query }) => {
    const items = await bank.items(user.contentVersion)
    if (query.ids !== undefined) {
      const questions = [...new Set(query.ids.split(','))].flatMap(
        (id) => items.get(id)?.question ?? [],
      )
      return { questions, found: questions.length }
    }
    const day = localDay(now().getTime(), query.timeZone)
    const cards = new Map(
      (await readCards(db, user.id, items, spreadFor)).map((card) => [card.family, card]),
    )
    const families = [...familiesOf(items)].flatMap(([family, variants]) => {
      const fitting = variants.filter((item) => isWanted(item, wantedOf(query)))
      return fitting.length > 0 ? [{ family, variants: fitting, card: cards.get(family) }] : []
    })
    // Asked again on the same day after some answers, it is another test.
    const seed = `${user.id} ${now().getTime()}`
    const size = Number(query.n ?? QUESTIONS_PER_TEST)
    const chosen = families
      .map((one) => ({
        ...one,
        urgency: urgencyOf(one.card, day),
        draw: hash(`${seed} ${one.family}`),
      }))
      .sort((a, b) => a.urgency - b.urgency || a.draw - b.draw)
      .slice(0, size)
      // Not the weakest first: the order tells nothing.
      .sort((a, b) => a.draw - b.draw)
    return {
      questions: chosen.map(({ variants, card }) => chooseVariant(variants, card, seed).question),
      found: families.length,
    }
  })

  api.serveInTurn(getMastery, enterTurn, async ({ user, query }) => {
    const day = localDay(now().getTime(), query.timeZone)
    const items = await bank.items(user.contentVersion)
    const cards = new Map(
      (await readCards(db, user.id, items, spreadFor)).map((card) => [card.family, card]),
    )
    const topics = new Map<
      string,
      { category: string; topic: string; solid: number; shaky: number; new: number }
    >()
    for (const [family, [first]] of familiesOf(items)) {
      if (!first || first.topic === null) continue
      const { category } = first.question
      const key = `${category} ${first.topic}`
      const known = topics.get(key) ?? { category, topic: first.topic, solid: 0, shaky: 0, new: 0 }
      known[standingOf(cards.get(family) ?? null, day)] += 1
      topics.set(key, known)
    }
    return CATEGORIES.flatMap((category) =>
      [...topics.values()]
        .filter((topic) => topic.category === category)
        .map((topic) => ({ ...topic, category })),
    )
  })
}

function wantedOf(query: { topics?: string; levels?: string; slip?: string }): Wanted {
  const setOf = (list: string | undefined) => (list === undefined ? null : new Set(list.split(',')))
  return { topics: setOf(query.topics), levels: setOf(query.levels), slip: query.slip ?? null }
}

function isWanted({ question, topic, slips }: BankItem, wanted: Wanted): boolean {
  return (
    (wanted.topics === null ||
      (topic !== null && wanted.topics.has(topicKey(question.category, topic)))) &&
    (wanted.levels === null || wanted.levels.has(question.difficulty)) &&
    (wanted.slip === null || Object.values(slips).includes(wanted.slip))
  )
}

/**
 * What is asked first: 0 what was never answered, then what is likeliest forgotten. Solid ones come last.
 * @param day local, yyyy-mm-dd
 */
const urgencyOf = (card: FamilyCard | undefined, day: string): number =>
  card ? retrievability(card, day) + (standingOf(card, day) === 'solid' ? 2 : 1) : 0
