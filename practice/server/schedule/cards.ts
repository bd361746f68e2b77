import type { Database } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import { localDay } from '../../../platform/local-day.ts'
import { type OptionLetter, optionLetterSchema } from '../../../platform/options.ts'
import {
  type AnswerFact,
  type Card,
  cardOf,
  hash,
  personSpread,
  SETTINGS,
} from '../../schedule/schedule.ts'
import type { BankItem } from '../bank.ts'
import { type Fact, storeFacts } from '../facts-store.ts'
import { readPracticeDays } from '../practice-day-store.ts'

/** Each transaction rebuilds at most this many families, so other work can run in between. */
const FAMILIES_AT_ONCE = 100
/** One statement and one call import at most this many old results. The next call continues. */
const RESULTS_AT_ONCE = 50
const RESULTS_A_CALL = 500

export interface FamilyCard extends Card {
  family: string
  item: string
  lastRight: boolean
  /** It has to be rebuilt from its facts. */
  isOld: boolean
}

/** Reads a person's cards, after importing old results and rebuilding stale cards (decision 032). */
export async function readCards(
  db: Database,
  userId: string,
  items: ReadonlyMap<string, BankItem>,
): Promise<FamilyCard[]> {
  await takeOverResults(db, userId, items)
  let cards = await select(db, userId)
  if (cards.some(({ isOld }) => isOld)) {
    while ((await renewSome(db, userId, items)) === FAMILIES_AT_ONCE);
    cards = await select(db, userId)
  }
  // Copying a person's thousand cards would take as long as reading them.
  return cards.filter((card): card is FamilyCard => card.due !== null && card.lastDay !== null)
}

export async function readLastWrong(
  db: Database,
  userId: string,
  families: readonly string[],
): Promise<Map<string, { item: string; choice: OptionLetter }>> {
  const { rows } = await db.$client.query<{ family: string; item: string; choice: OptionLetter }>({
    name: 'last-wrong-answers',
    text: `select family, last.item, last.choice from unnest($2::text[]) as family, lateral (
        select item, choice from answered_questions
        where user_id = $1 and answered_questions.family = family.family and not is_right
        order by answered_at desc limit 1
      ) last`,
    values: [userId, families],
  })
  return new Map(rows.map(({ family, ...last }) => [family, last]))
}

type StoredCard = Omit<FamilyCard, 'due' | 'lastDay'> & {
  due: string | null
  lastDay: string | null
}

async function select(db: Database, userId: string): Promise<StoredCard[]> {
  const { rows } = await db.$client.query<StoredCard>({
    name: 'read-cards',
    text: `select family, item, due::text, stability::float8, difficulty::float8, lapses,
        right_in_row as "rightInRow", last_day::text as "lastDay", last_right as "lastRight",
        stale or settings <> $2 as "isOld"
      from review_cards where user_id = $1`,
    values: [userId, SETTINGS],
  })
  return rows
}

/** Rebuilds some stale cards and returns how many. It locks rows before reading facts, so new facts mark them again. */
async function renewSome(
  db: Database,
  userId: string,
  items: ReadonlyMap<string, BankItem>,
): Promise<number> {
  return inTransaction(db, async (client) => {
    const { rows: stale } = await client.query<{ family: string }>({
      name: 'lock-stale-cards',
      text: `select family from review_cards where user_id = $1 and (stale or settings <> $2)
        order by family limit ${FAMILIES_AT_ONCE} for update`,
      values: [userId, SETTINGS],
    })
    const { rows } = await client.query<FactRow>({
      name: 'read-facts',
      text: `select family, item, day::text, is_right as "isRight", is_guess as "isGuess",
          took_ms as "tookMs"
        from answered_questions where user_id = $1 and family = any ($2::text[])
        order by family, day, answered_at, session_id, place`,
      values: [userId, stale.map(({ family }) => family)],
    })
    const factsOf = new Map<string, FactRow[]>(stale.map(({ family }) => [family, []]))
    for (const row of rows) factsOf.get(row.family)?.push(row)
    const renewed = [...factsOf].map(([family, facts]) => {
      const spread = personSpread(userId, family)
      const card = cardOf(
        facts.map(
          (fact): AnswerFact => ({ ...fact, usualMs: items.get(fact.item)?.usualMs ?? null }),
        ),
        spread,
      )
      const last = facts.at(-1)
      return { family, item: last?.item, last_right: last?.isRight, ...card }
    })
    await client.query({
      name: 'renew-cards',
      text: `update review_cards set stale = false, settings = $2, item = made.item, due = made.due,
          stability = made.stability, difficulty = made.difficulty,
          lapses = least(made.lapses, 32767), right_in_row = least(made."rightInRow", 32767),
          last_day = made."lastDay", last_right = made.last_right
        from json_to_recordset($3::json) as made(family text, item text, last_right boolean, due date,
          stability real, difficulty real, lapses int, "rightInRow" int, "lastDay" date)
        where user_id = $1 and review_cards.family = made.family`,
      values: [userId, SETTINGS, JSON.stringify(renewed)],
    })
    return stale.length
  })
}

interface FactRow extends Omit<AnswerFact, 'usualMs'> {
  family: string
  item: string
}

/** Stores answers of old results as facts, oldest first, once and in batches (product 3.9.6). */
async function takeOverResults(
  db: Database,
  userId: string,
  items: ReadonlyMap<string, BankItem>,
): Promise<void> {
  for (let taken = 0; taken < RESULTS_A_CALL; taken += RESULTS_AT_ONCE) {
    const { rows: results } = await db.$client.query<OldResult>({
      name: 'results-without-facts',
      text: `select id, completed_at as "completedAt", (
          select json_agg(json_build_array(place - 1, entry -> 'question' ->> 'id',
            entry ->> 'userAnswer', entry -> 'isCorrect'))
          from jsonb_array_elements(case jsonb_typeof(questions_data) when 'array' then questions_data
            else '[]' end) with ordinality as answered(entry, place)
          where entry #> '{question,id}' is not null and entry ? 'userAnswer'
            and jsonb_typeof(entry -> 'isCorrect') = 'boolean'
        ) as answers
        from test_results where user_id = $1 and not has_facts
        order by completed_at, id limit ${RESULTS_AT_ONCE}`,
      values: [userId],
    })
    if (results.length === 0) return
    const zoneAt = await zonesOf(db, userId)
    const facts = results.flatMap(({ id, completedAt, answers }) =>
      (answers ?? []).flatMap(([place, item, choice, isRight]): Fact[] => {
        const letter = optionLetterSchema.safeParse(choice)
        if (!letter.success) return []
        const known = items.get(item)
        return [
          {
            session_id: id,
            place,
            kind: 'test',
            item,
            family: known?.family ?? item,
            choice: letter.data,
            is_right: isRight,
            is_guess: false,
            slip: isRight ? null : (known?.slips[letter.data] ?? null),
            took_ms: null,
            answered_at: completedAt.toISOString(),
            day: localDay(completedAt.getTime(), zoneAt(completedAt)),
          },
        ]
      }),
    )
    await inTransaction(db, async (client) => {
      await storeFacts(client, userId, facts)
      await client.query(
        'update test_results set has_facts = true where user_id = $1 and id = any ($2::uuid[])',
        [userId, results.map(({ id }) => id)],
      )
    })
    if (results.length < RESULTS_AT_ONCE) return
  }
}

interface OldResult {
  id: string
  completedAt: Date
  answers: [place: number, item: string, choice: string, isRight: boolean][] | null
}

/** Finds a person's zone at a time: the zone of the next day practiced. */
async function zonesOf(db: Database, userId: string): Promise<(at: Date) => string> {
  const days = await readPracticeDays(db, userId)
  return (at) =>
    (days.find(({ completedAtMs }) => completedAtMs >= at.getTime()) ?? days.at(-1))?.timeZone ??
    'UTC'
}

/** Picks a variant other than the last one asked, if there are several. */
export function chooseVariant(
  variants: readonly BankItem[],
  card: { item: string } | undefined,
  seed: string,
): BankItem {
  const others = variants.filter(({ question }) => String(question.id) !== card?.item)
  const open = others.length > 0 ? others : variants
  return open[hash(`${seed} ${open[0]?.family}`) % open.length] as BankItem
}
