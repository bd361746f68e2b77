import { isReleased } from '../../../assessments/server/candidate-store.ts'
import { numberWord } from '../../../platform/words.ts'
import { readOpen } from '../../incidents/server/undecided.ts'
import { type Act, mayWith, type Role } from '../../kit/roles.ts'
import type { Client } from '../../kit/server/action.ts'
import type { Listed } from '../../setup/contract-overview.ts'

export interface Waiting {
  undecided: number
  /** incidents whose verdict asks for follow-up (product 7.16.11) */
  forTalk: number
  /** proposed rulings without an owner's decision */
  proposals: number
}

/** Lists open tasks with their counts, in this order, for members who can do them (product 7.8.11). */
export function waitingLines(waiting: Waiting, roles: readonly Role[]): Listed['waiting'] {
  const line = (
    count: number,
    act: Act,
    [one, many]: readonly [string, string],
    page: 'incidents' | 'analysis',
    label: string,
  ) =>
    count > 0 && isAble(roles, act)
      ? [{ text: `${numberWord(count)} ${count === 1 ? one : many}.`, page, label }]
      : []
  const toDecide = ['incident needs a decision', 'incidents need a decision'] as const
  const toTalk = ['incident needs follow-up', 'incidents need follow-up'] as const
  const ruled = [
    'proposed ruling is waiting for an owner',
    'proposed rulings are waiting for an owner',
  ] as const
  return [
    ...line(waiting.undecided, 'decide_incident', toDecide, 'incidents', 'Decide'),
    ...line(waiting.forTalk, 'decide_incident', toTalk, 'incidents', 'See which'),
    ...line(waiting.proposals, 'rule_on_question', ruled, 'analysis', 'Look at it'),
  ]
}

const isAble = (roles: readonly Role[], act: Act): boolean => mayWith(roles, act).length > 0

export const maySettle = (roles: readonly Role[]): boolean =>
  isAble(roles, 'decide_incident') || isAble(roles, 'rule_on_question')

/** Counts are cached for at most this long, because late candidates' accounts aren't in the log. */
const KEPT_MS = 60_000

/** SQL for an assessment a. The value changes with each organizer action on the test. */
export const LAST_ACTION = `coalesce((select max(l.id) from admin_actions l where l.assessment = a.code), 0)::text`

/**
 * Caches results computed from all events or answers of a test, because pages poll every ten seconds. An entry expires
 * after a minute, or with an organizer action on the test.
 */
export function cachedByAction<T>(compute: (client: Client, code: string) => Promise<T>) {
  const kept = new Map<string, { stamp: string; atMs: number; value: T }>()
  return async (client: Client, code: string, stamp: string, now: Date): Promise<T> => {
    const known = kept.get(code)
    if (known?.stamp === stamp && now.getTime() - known.atMs < KEPT_MS) return known.value
    const value = await compute(client, code)
    kept.set(code, { stamp, atMs: now.getTime(), value })
    return value
  }
}

/** Counts the open tasks of finished tests. Incidents stay open until the results are released. */
export function waitingCounts() {
  const countOpen = cachedByAction(async (client, code) => {
    const open = [...(await readOpen(client, code)).values()]
    return {
      undecided: open.reduce((sum, one) => sum + one.undecided, 0),
      forTalk: open.reduce((sum, one) => sum + one.waitForTalk, 0),
    }
  })
  return async (
    client: Client,
    codes: readonly string[],
    now: Date,
  ): Promise<Map<string, Waiting>> => {
    const { rows } = await client.query<{
      code: string
      stamp: string
      proposals: number
      isReleased: boolean
    }>(
      `select a.code,
         ${LAST_ACTION} as stamp,
         (select count(*)::int from item_rulings r join assessment_items i on i.id = r.item_id
           where i.assessment = a.code and r.is_proposal and r.withdrawn_at is null) as proposals,
         ${isReleased('a')} as "isReleased"
       from assessments a where a.code = any($1::text[])`,
      [codes],
    )
    const found = new Map<string, Waiting>()
    for (const { code, stamp, proposals, isReleased } of rows) {
      const none = { undecided: 0, forTalk: 0 }
      const open = isReleased ? none : await countOpen(client, code, stamp, now)
      found.set(code, { ...open, proposals })
    }
    return found
  }
}
