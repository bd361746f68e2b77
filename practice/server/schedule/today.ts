import type { Database } from '../../../platform/database/database.ts'
import { dayAfter, localDay } from '../../../platform/local-day.ts'
import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import {
  CATEGORIES,
  type Category,
  DIFFICULTIES,
  difficultiesOf,
  isCategory,
  topicKey,
} from '../../categories.ts'
import { getReturns } from '../../contract/sessions.ts'
import { getDue, getToday } from '../../contract/today.ts'
import type { CellCount } from '../../progress.ts'
import {
  dayOfPlan,
  dueShare,
  isOfQuestions,
  type Plan,
  phaseOf,
  QUESTIONS_A_MINUTE,
  questionsOf,
} from '../../schedule/plan.ts'
import { type Card, retrievability } from '../../schedule/schedule.ts'
import {
  BEGINS_A_LEVEL,
  chooseToday,
  countAhead,
  type NewFamily,
  sizeOfSitting,
  tensOf,
} from '../../schedule/today.ts'
import { categoryWeights, topicWeights } from '../../schedule/tracks.ts'
import { countTests } from '../../test-of-ten.ts'
import { countSpokenDue } from '../aloud/aloud.ts'
import type { Bank, BankItem, Families } from '../bank.ts'
import { readPlan } from '../plan/plan.ts'
import { chooseVariant, type FamilyCard, readCards } from './cards.ts'

const DAYS_AHEAD = 7
/** This applies without a plan. */
const MINUTES_A_DAY = 10

export function serveToday(api: Api, { db, now }: AppDependencies, bank: Bank): void {
  api.serve(getToday, async ({ user, query }) => {
    const at = now()
    const of = await readDay(user, dayAsked(query, at))
    const { day, plan, alive, due, share, tens } = of
    const { due: _, ...done } = await countDone(db, user.id, day, at, query.timeZone)
    return {
      due: {
        count: due.length,
        alsoNew: (tens ? tens[0] : sizeOfSitting(due.length, of.fresh.length, share))?.fresh ?? 0,
        categories: countCategories(due, of.askable),
        nextSevenDays: [
          due.length,
          ...countAhead(alive, day, DAYS_AHEAD - 1).map((count) => Math.min(of.holds, count)),
        ],
      },
      plan: plan && { plan, of: of.ofDay, tens: tens ?? [], done },
      spokenDue: await countSpokenDue(db, user.id, day),
      next: await findNextTest(db, user.id, await bank.counts(user.contentVersion)),
    }
  })

  api.serve(getReturns, async ({ user, query }) => {
    const items = await bank.items(user.contentVersion)
    const cards = await readCards(db, user.id, items)
    const plan = await readPlan(db, user.id)
    const isAhead = plan && phaseOf(plan, localDay(now().getTime(), 'UTC')) !== 'past'
    // Dates after the interview are left out.
    const before = (isAhead && plan.interviewOn) || '9999-12-31'
    const dueOf = new Map(
      cards.filter(({ due }) => due < before).map(({ family, due }) => [family, due]),
    )
    return query.items.split(',').flatMap((item) => {
      const known = items.get(item)
      const due = known && dueOf.get(known.family)
      return due ? [{ item, due }] : []
    })
  })

  api.serve(getDue, async ({ user, query }) => {
    const at = now()
    const of = await readDay(user, dayAsked(query, at))
    const { day, plan, cards, askable, tens } = of
    const sitting = (await countDone(db, user.id, day, at, query.timeZone)).due
    const seed = `${user.id} ${day} ${sitting}`
    const known = new Map(cards.map((card) => [card.family, card]))
    const families = chooseToday({
      // After the plan's day is done, the person can get ten more of the other due questions.
      due: (tens?.length === 0 ? of.open : of.due).map(({ family }) => ({
        family,
        topic: topicOf(askable.get(family)?.[0] as BankItem),
      })),
      fresh: of.fresh,
      share: of.share,
      questions: tens?.[0] && questionsOf(tens.slice(0, 1)),
      weights: of.weights,
      topics: of.topics,
      levels: levelsOf(cards, askable),
      seed,
    })
    return {
      day,
      dueCount: of.due.length,
      plan:
        plan && tens
          ? { of: of.ofDay, left: questionsOf(tens), interviewOn: plan.interviewOn }
          : null,
      items: families.map((family) => {
        const card = known.get(family)
        const { question, topic, usualMs } = chooseVariant(askable.get(family) ?? [], card, seed)
        return { question, topic, family, card: card ? askedCard(card) : null, usualMs }
      }),
    }
  })

  async function readDay(user: { id: string; contentVersion: number }, day: string) {
    const items = await bank.items(user.contentVersion)
    const cards = await readCards(db, user.id, items)
    const plan = await readPlan(db, user.id)
    const going = plan && phaseOf(plan, day) !== 'past' ? plan : null
    const askable = await bank.families(user.contentVersion)
    const alive = cards.filter(({ family }) => askable.has(family))
    const answered = alive.filter(({ lastDay }) => lastDay === day).length
    const questions = going
      ? dayOfPlan(going, day).parts.find(({ kind }) => isOfQuestions(kind))
      : undefined
    const isLastEvening = questions?.kind === 'weakest'
    const weights = weightsOf(going, cards, askable)
    const share = isLastEvening ? 1 : going ? dueShare(going, day) : 0.7
    const open = weakestFirst(
      alive.filter((card) => (isLastEvening ? card.lastDay < day : card.due <= day)),
      day,
    )
    const fresh = isLastEvening
      ? []
      : freshOf(askable, cards).filter(({ category }) => weights[category])
    const holds = (going?.minutesADay ?? MINUTES_A_DAY) * QUESTIONS_A_MINUTE
    const left = questions && Math.max(0, questions.count - answered)
    const due = open.slice(0, left ?? holds)
    const tens = left === undefined ? null : tensOf(left, due.length, fresh.length, share)
    const ofDay = tens && questions ? Math.min(answered, questions.count) + questionsOf(tens) : 0
    return {
      ...{ day, plan, cards, askable, alive, weights, share },
      topics: going && topicWeights(going.role),
      ...{ open, due, fresh, holds, tens, ofDay },
    }
  }
}

/** Returns today, or tomorrow for a client that prepares it (product 3.17.5). */
function dayAsked({ timeZone, day }: { timeZone: string; day?: string }, at: Date): string {
  const today = localDay(at.getTime(), timeZone)
  return day === dayAfter(today, 1) ? day : today
}

const askedCard = (card: FamilyCard): Card => {
  const { due, stability, difficulty, lapses, rightInRow, lastDay } = card
  return { due, stability, difficulty, lapses, rightInRow, lastDay }
}

function weakestFirst(cards: readonly FamilyCard[], day: string) {
  return cards
    .map((card) => ({ family: card.family, retrievability: retrievability(card, day) }))
    .sort((a, b) => a.retrievability - b.retrievability || (a.family < b.family ? -1 : 1))
}

/** Adjacent questions should differ in this key. A topic counts within its category. */
const topicOf = ({ question, topic }: BankItem) => topicKey(question.category, topic ?? '')

function freshOf(askable: Families, cards: readonly FamilyCard[]): NewFamily[] {
  const known = new Set(cards.map(({ family }) => family))
  return [...askable].flatMap(([family, [first]]) =>
    known.has(family) || !first
      ? []
      : { family, category: first.question.category, topic: topicOf(first), level: levelOf(first) },
  )
}

const levelOf = ({ question }: BankItem) => DIFFICULTIES.indexOf(question.difficulty)

function levelsOf(
  cards: readonly FamilyCard[],
  askable: Families,
): Partial<Record<Category, number>> {
  const levels: Partial<Record<Category, number>> = {}
  const counts = new Map<string, number>()
  for (const { family } of cards) {
    const item = askable.get(family)?.[0]
    if (!item) continue
    const { category, difficulty } = item.question
    const count = (counts.get(`${category} ${difficulty}`) ?? 0) + 1
    counts.set(`${category} ${difficulty}`, count)
    if (count === BEGINS_A_LEVEL) levels[category] = Math.max(levels[category] ?? 0, levelOf(item))
  }
  return levels
}

/** Weights come from the plan's role, or from past practice without a plan. At first they are equal. */
function weightsOf(
  plan: Plan | null,
  cards: readonly FamilyCard[],
  askable: Families,
): Partial<Record<Category, number>> {
  if (plan) return categoryWeights(plan.role)
  const weights: Partial<Record<Category, number>> = {}
  for (const { family } of cards) {
    const category = askable.get(family)?.[0]?.question.category
    if (category) weights[category] = (weights[category] ?? 0) + 1
  }
  return Object.keys(weights).length > 0
    ? weights
    : Object.fromEntries(CATEGORIES.map((category) => [category, 1]))
}

function countCategories(
  due: readonly { family: string }[],
  askable: Families,
): { category: Category; count: number }[] {
  const categories = due.map(({ family }) => askable.get(family)?.[0]?.question.category)
  return CATEGORIES.map((category) => ({
    category,
    count: categories.filter((one) => one === category).length,
  }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
}

async function countDone(
  db: Database,
  userId: string,
  day: string,
  at: Date,
  timeZone: string,
): Promise<Record<'due' | 'aloud' | 'drill' | 'superday', number>> {
  const { rows } = await db.$client.query<{
    kind: 'due' | 'aloud' | 'drill' | 'superday'
    doneAt: Date
  }>({
    name: 'done-on-a-day',
    text: `select kind, done_at as "doneAt" from (
        select kind, completed_at as done_at from practice_sessions where user_id = $1 and kind = 'due'
        union all select 'aloud', answered_at from spoken_answers where user_id = $1
        union all select 'drill', started_at from drills where user_id = $1
        union all select 'superday', ended_at from superdays where user_id = $1
      ) as done where done_at > $2::timestamptz - interval '25 hours'`,
    values: [userId, at],
  })
  const done = { due: 0, aloud: 0, drill: 0, superday: 0 }
  for (const { kind, doneAt } of rows) {
    if (localDay(doneAt.getTime(), timeZone) === day) done[kind] += 1
  }
  return done
}

/** Finds the next test in the last practiced cell, the next level, then other cells (product 3.10.10), or null. */
async function findNextTest(db: Database, userId: string, counts: readonly CellCount[]) {
  const { rows } = await db.$client.query<{
    category: string
    difficulty: string
    numbers: number[]
    latest: Date
  }>({
    name: 'test-numbers-taken',
    text: `select category, difficulty, array_agg(distinct test_number) as numbers,
        max(completed_at) as latest
      from test_results where user_id = $1 group by category, difficulty order by latest desc`,
    values: [userId],
  })
  const [latest] = rows
  if (!latest || !isCategory(latest.category)) return null
  const cellsOf = (category: Category) =>
    difficultiesOf(category).map((difficulty) => ({ category, difficulty }))
  const own = cellsOf(latest.category)
  const from = own.findIndex(({ difficulty }) => difficulty === latest.difficulty)
  const cells = [
    ...own.slice(Math.max(0, from)),
    ...own.slice(0, Math.max(0, from)),
    ...CATEGORIES.filter((category) => category !== latest.category).flatMap(cellsOf),
  ]
  for (const { category, difficulty } of cells) {
    const isCell = (one: { category: string; difficulty: string }) =>
      one.category === category && one.difficulty === difficulty
    const taken = new Set(rows.find(isCell)?.numbers)
    const tests = countTests(counts.find(isCell)?.count ?? 0)
    for (let testNumber = 1; testNumber <= tests; testNumber += 1) {
      if (!taken.has(testNumber)) return { category, difficulty, testNumber }
    }
  }
  return null
}
