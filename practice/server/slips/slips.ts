import { localDay } from '../../../platform/local-day.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { getSlips } from '../../contract/slips.ts'
import type { Bank } from '../bank.ts'
import { newestAnswers } from '../facts-store.ts'
import { slipNames } from '../slips-store.ts'
import { fingerprintOf } from './fingerprint.ts'

/** GET /api/practice/slips (product 3.14.20 to 3.14.22): counted from the facts at each reading. */
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
      // A code that slips.yaml no longer has is no name to anybody.
      const slip = names.get(count.code)
      return slip ? [{ ...count, name: slip.name, line: slip.line }] : []
    })
  })
}

interface Answered {
  /** as of when: now, or when the session began that was asked about */
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

/**
 * The first answers to each question of a sitting in the 90 days until $2, or until session $3 began, and the tens of
 * a slip that went well. 90 days hold six questions with a slip at three tests a week.
 */
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
