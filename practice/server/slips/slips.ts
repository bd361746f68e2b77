import { localDay } from '../../../platform/local-day.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { getSlips, type SlipMade } from '../../contract/sessions.ts'
import type { Bank } from '../bank.ts'
import { newestAnswers } from '../facts-store.ts'
import { slipNames } from '../slips-store.ts'

export function serveSlips(api: Api, { db, now }: AppDependencies, bank: Bank): void {
  api.serve(getSlips, async ({ user, query }) => {
    const names = await slipNames()
    const items = await bank.items(user.contentVersion)
    const caseItems = await bank.caseItems(user.contentVersion)
    const { rows } = await db.$client.query<Answered>({
      name: 'answers-for-slips',
      text: ANSWERS_FOR_SLIPS,
      values: [user.id, now(), query.before ?? null],
    })
    const [answered] = rows
    const facts = (answered?.facts ?? []).map(
      ([item, choice, isRight, slip, answeredAtMs, day]) => ({
        ...{ item, choice, isRight, slip, answeredAtMs, day },
      }),
    )
    return fingerprintOf(
      facts,
      (item) => (items.get(item) ?? caseItems.get(item))?.slips,
      new Map(answered?.cleared),
      localDay((answered?.at ?? now()).getTime(), query.timeZone).slice(0, 'yyyy-mm'.length),
    ).flatMap((count) => {
      // A pattern that was removed from slips.yaml has no name to show.
      const slip = names.get(count.code)
      return slip ? [{ ...count, name: slip.name, line: slip.line }] : []
    })
  })
}

interface Answered {
  /** now, or the start of the session in `before` */
  at: Date
  facts: [
    item: string,
    choice: OptionLetter,
    isRight: boolean,
    slip: string | null,
    answeredAtMs: number,
    day: string,
  ][]
  cleared: [code: string, atMs: number][]
}

/** Reads first answers in the 90 days before $2 or before session $3, and the patterns cleared in that time. */
export const ANSWERS_FOR_SLIPS = `
  with as_of as (
    select coalesce(min(answered_at), $2::timestamptz) as at from answered_questions
    where user_id = $1 and session_id = $3::uuid
  ), first_answers as (
    select distinct on (session_id, item) session_id, item, place, choice, is_right, slip, answered_at, day
    from as_of, lateral ${newestAnswers(`session_id is distinct from $3::uuid
      and answered_at between at - interval '90 days' and at`)} newest
    order by session_id, item, place
  )
  select at,
    (select coalesce(json_agg(json_build_array(item, choice, is_right, slip,
        floor(extract(epoch from answered_at) * 1000), day) order by answered_at, session_id, place), '[]')
      from first_answers) as facts,
    (select coalesce(json_agg(json_build_array(about ->> 'slip',
        floor(extract(epoch from completed_at) * 1000)) order by completed_at), '[]')
      from practice_sessions
      where user_id = $1 and id is distinct from $3::uuid and about ->> 'slip' is not null
        and completed_at between at - interval '90 days' and at
        and total >= 5 and score * 10 >= total * 8) as cleared
  from as_of`

/** Only the latest answers count, because a habit is about the present. */
const LAST = 6
/** A mistake made only once may be a guess. */
const HABIT_FROM = 2

export interface SlipFact {
  item: string
  choice: OptionLetter
  isRight: boolean
  slip: string | null
  answeredAtMs: number
  day: string
}

type SlipCount = Omit<SlipMade, 'name' | 'line'>

/** Counts mistake patterns: habits first, then most in the last six, then latest. `month` is yyyy-mm. */
export function fingerprintOf(
  facts: readonly SlipFact[],
  slipsOf: (item: string) => Partial<Record<OptionLetter, string>> | undefined,
  clearedAtMs: ReadonlyMap<string, number>,
  month: string,
): SlipCount[] {
  const chances = new Map<string, { isMade: boolean; fact: SlipFact }[]>()
  for (const fact of facts) {
    const slips = slipsOf(fact.item) ?? {}
    // Old answers have no stored pattern, so they use the question's current one.
    const made = fact.isRight ? null : (fact.slip ?? slips[fact.choice] ?? null)
    // Two options with the same pattern count as one chance.
    const offered = new Set(Object.values(slips))
    if (made !== null) offered.add(made)
    for (const code of offered) {
      const known = chances.get(code) ?? []
      if (known.length === 0) chances.set(code, known)
      known.push({ isMade: code === made, fact })
    }
  }
  const counts = [...chances].flatMap(([code, all]) => {
    const made = all.filter(({ isMade }) => isMade)
    const latest = made.at(-1)
    if (!latest) return []
    const lastSix = all.slice(-LAST).map(({ isMade }) => isMade)
    const isCleared =
      latest.fact.answeredAtMs <= (clearedAtMs.get(code) ?? Number.NEGATIVE_INFINITY)
    const count: SlipCount = {
      code,
      possible: all.length,
      made: made.length,
      lastSix,
      thisMonth: made.filter(({ fact }) => fact.day.startsWith(month)).length,
      isHabit: lastSix.filter(Boolean).length >= HABIT_FROM && !isCleared,
    }
    return [{ count, latestMs: latest.fact.answeredAtMs }]
  })
  const weight = ({ isHabit, lastSix }: SlipCount) =>
    (isHabit ? LAST + 1 : 0) + lastSix.filter(Boolean).length
  return counts
    .sort((a, b) => weight(b.count) - weight(a.count) || b.latestMs - a.latestMs)
    .map(({ count }) => count)
}
