import type { PromptKind } from '../aloud/spoken-prompt.ts'
import {
  CATEGORIES,
  type Category,
  type Difficulty,
  difficultiesOf,
  topicKey,
} from '../categories.ts'
import { TEST_QUESTIONS } from '../contract/superday.ts'
import { seededRandom } from '../drill/sum.ts'
import type { Role } from '../schedule/plan-choices.ts'
import { placeOf, topicWeights } from '../schedule/tracks.ts'

export interface Drawable {
  id: number
  category: Category
  difficulty: Difficulty
  topic: string | null
  isKnown: boolean
}

const PER_CATEGORY = TEST_QUESTIONS / CATEGORIES.length
const PER_DIFFICULTY: Record<Difficulty, number> = { 'Discover Finance': 1, Intern: 2, Analyst: 1 }

/** Draws four questions per category, with the role's topics and unseen questions first, and few topics twice. */
export function drawTest(
  questions: readonly Drawable[],
  seed: number,
  role: Role | null = null,
): number[] {
  const random = seededRandom(seed)
  const weights = role ? topicWeights(role) : new Map<string, number>()
  const place = ({ category, topic }: Drawable) =>
    placeOf(
      weights.get(topicKey(category, topic ?? '')) ?? 1e-6,
      random.between(0, 999_999) / 1_000_000,
    )
  const inSomeOrder = [...questions]
    .sort((a, b) => a.id - b.id)
    .map((one) => ({ one, at: place(one) }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
  const drawn = CATEGORIES.flatMap((category) => {
    const difficulties = difficultiesOf(category)
    const topics = new Set<string>()
    return difficulties.flatMap((difficulty) => {
      const count = difficulties.length === 1 ? PER_CATEGORY : PER_DIFFICULTY[difficulty]
      const cell = inSomeOrder.filter(
        (one) => one.category === category && one.difficulty === difficulty,
      )
      return takeOfCell(cell, count, topics)
    })
  })
  return random.shuffle(drawn)
}

/** @param topics already drawn in the category; this function adds to them */
function takeOfCell(cell: readonly Drawable[], count: number, topics: Set<string>): number[] {
  const left = [...cell]
  return Array.from({ length: Math.min(count, cell.length) }, () => {
    const isOther = ({ topic }: Drawable) => topic === null || !topics.has(topic)
    const next =
      left.find((one) => !one.isKnown && isOther(one)) ??
      left.find((one) => !one.isKnown) ??
      left.find(isOther) ??
      (left[0] as Drawable)
    left.splice(left.indexOf(next), 1)
    if (next.topic !== null) topics.add(next.topic)
    return next.id
  })
}

/** Returns the first case never finished, or the one finished longest ago, or null if there are none. */
export function drawCase(
  cases: readonly { slug: string; finishedAt: string | null }[],
): string | null {
  const [first] = [...cases].sort((a, b) => (a.finishedAt ?? '').localeCompare(b.finishedAt ?? ''))
  return first?.slug ?? null
}

const ASKED_ALOUD: readonly (readonly PromptKind[])[] = [
  ['technical'],
  ['deal', 'market'],
  ['behavioral'],
]

const ASKED_FOR = new Map<string, Role>([
  ['why-investment-banking', 'investment-banking'],
  ['why-consulting', 'consulting'],
  ['why-trading', 'sales-and-trading'],
  ['why-asset-management', 'asset-management'],
  ['why-private-equity', 'private-equity'],
  ['why-corporate-banking', 'corporate-banking'],
])

/** Draws a technical, a deal or market, and a behavioral prompt for the role, unanswered or longest ago first. */
export function drawPrompts(
  prompts: readonly { slug: string; kind: PromptKind; answeredOn: string | null }[],
  seed: number,
  role: Role | null,
): string[] {
  const random = seededRandom(seed)
  const fitting = prompts.filter(
    ({ slug }) => role === null || !ASKED_FOR.has(slug) || ASKED_FOR.get(slug) === role,
  )
  return ASKED_ALOUD.flatMap((kinds) => {
    const [first] = random
      .shuffle(fitting.filter(({ kind }) => kinds.includes(kind)))
      .sort((a, b) => (a.answeredOn ?? '').localeCompare(b.answeredOn ?? ''))
    return first?.slug ?? []
  })
}
