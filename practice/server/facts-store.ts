import type pg from 'pg'
import type { OptionLetter } from '../../platform/options.ts'
import type { Markable } from './bank.ts'
import type { SessionKind } from './tables.ts'

export interface Fact {
  session_id: string
  place: number
  kind: SessionKind
  item: string
  family: string
  choice: OptionLetter
  is_right: boolean
  is_guess: boolean
  slip: string | null
  took_ms: number | null
  answered_at: string
  day: string
}

interface GivenAnswer {
  place: number
  item: string
  choice: OptionLetter
  tookMs?: number | undefined
  isGuess?: boolean | undefined
  answeredAt: Date
  day: string
}

/** Makes the fact for an answer to a question or a case, and marks it right or wrong (product 3.9.2). */
export function factOf(
  answer: GivenAnswer,
  bankItem: Markable,
  session: { id: string; kind: SessionKind },
): Fact {
  const isRight = answer.choice === bankItem.question.correctOption
  return {
    session_id: session.id,
    place: answer.place,
    kind: session.kind,
    item: answer.item,
    family: bankItem.family,
    choice: answer.choice,
    is_right: isRight,
    is_guess: answer.isGuess ?? false,
    slip: isRight ? null : (bankItem.slips[answer.choice] ?? null),
    took_ms: answer.tookMs ?? null,
    answered_at: answer.answeredAt.toISOString(),
    day: answer.day,
  }
}

/** A card reads all answers to its family, so at most this many are kept within 12 hours, one per variant. */
const KEPT_OF_A_FAMILY = 12

/** SQL for the newest answers of $1, limited in number. The index should serve the SQL in `where`. */
export const newestAnswers = (where = 'true') => `(
  select * from answered_questions where user_id = $1 and ${where} order by answered_at desc limit 3000)`

/**
 * SQL that stores facts of $1 and marks cards stale, by family to avoid deadlocks. A finished session takes no new
 * facts. `from` is SQL that can block it.
 */
export function storingFacts(json: string, from = ''): string {
  return `
    sent as (
      select fact.*, (stored_fact.place is not null) as is_stored, (
          select count(*) from answered_questions near
          where near.user_id = $1::uuid and near.family = fact.family and near.answered_at
            between fact.answered_at - interval '12 hours' and fact.answered_at + interval '12 hours'
        ) + row_number() over (
          partition by fact.family, fact.day, stored_fact.place is not null order by fact.place
        ) as nth
      from ${from} json_to_recordset(${json}::json) as fact(session_id uuid, place smallint, kind text,
        item text, family text, choice text, is_right boolean, is_guess boolean, slip text, took_ms int,
        answered_at timestamptz, day date)
      left join answered_questions stored_fact on stored_fact.user_id = $1::uuid
        and stored_fact.session_id = fact.session_id and stored_fact.place = fact.place
    ),
    facts as (
      insert into answered_questions (user_id, session_id, place, kind, item, family, choice, is_right,
        is_guess, slip, took_ms, answered_at, day)
      select $1::uuid, session_id, place, kind, item, family, choice, is_right, is_guess, slip, took_ms,
        answered_at, day
      from sent where is_stored or nth <= ${KEPT_OF_A_FAMILY} and not exists (
        select from practice_sessions finished where finished.user_id = $1::uuid and finished.id = session_id)
      on conflict (user_id, session_id, place) do update set is_guess = true
        where excluded.is_guess and not answered_questions.is_guess
      returning family, item
    ),
    cards as (
      insert into review_cards (user_id, family, item)
      select distinct on (family) $1::uuid, family, item from facts order by family
      on conflict (user_id, family) do update set stale = true where not review_cards.stale
    )`
}

export async function storeFacts(
  client: Pick<pg.Pool, 'query'> | Pick<pg.PoolClient, 'query'>,
  userId: string,
  facts: readonly Fact[],
): Promise<void> {
  await (client as pg.Pool).query({
    name: 'store-facts',
    text: `with ${storingFacts('$2')} select`,
    values: [userId, JSON.stringify(facts)],
  })
}
