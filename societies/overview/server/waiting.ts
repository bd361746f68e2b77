import sql from 'sql-template-tag'
import { numberWord } from '../../../platform/words.ts'
import { inForce, REACHES } from '../../access/server/guard.ts'
import { readOpen } from '../../incidents/server/undecided.ts'
import { type Act, mayWith, type Role } from '../../kit/roles.ts'
import type { Client } from '../../kit/server/action.ts'

/** A line that says what waits after the close, and the page for it (product 7.8.11). */
export interface WaitingLine {
  /** 'Five incidents wait to be decided.' */
  text: string
  page: 'incidents' | 'analysis'
  label: string
}

/** What waits once a test is over. */
export interface Waiting {
  /** incidents without a verdict */
  undecided: number
  /** incidents whose verdict asks for a talk (product 7.16.11) */
  forTalk: number
  /** rulings that were proposed and no owner has answered */
  proposals: number
}

/** In this order, each with its number; none where nothing waits. @param roles the reader's */
export function waitingLines(waiting: Waiting, roles: readonly Role[]): WaitingLine[] {
  const line = (
    count: number,
    [one, many]: readonly [string, string],
    page: WaitingLine['page'],
    label: string,
  ): WaitingLine[] =>
    count === 0 ? [] : [{ text: `${numberWord(count)} ${count === 1 ? one : many}.`, page, label }]
  const { undecided, forTalk, proposals } = waiting
  const toDecide = ['incident waits to be decided', 'incidents wait to be decided'] as const
  const toTalk = ['incident waits for a talk', 'incidents wait for a talk'] as const
  const ruled = [
    'proposed ruling waits for an owner',
    'proposed rulings wait for an owner',
  ] as const
  return [
    ...(isAble(roles, 'decide_incident')
      ? [
          ...line(undecided, toDecide, 'incidents', 'Decide'),
          ...line(forTalk, toTalk, 'incidents', 'See which'),
        ]
      : []),
    ...(isAble(roles, 'rule_on_question') ? line(proposals, ruled, 'analysis', 'Look at it') : []),
  ]
}

const isAble = (roles: readonly Role[], act: Act): boolean => mayWith(roles, act).length > 0

/** Whether a member with these roles can do anything of it. */
export const mayBeTold = (roles: readonly Role[]): boolean =>
  isAble(roles, 'decide_incident') || isAble(roles, 'rule_on_question')

/** Counts are cached this long at most, because candidates' late accounts leave no line in the log. */
const KEPT_MS = 60_000

/**
 * What waits of tests that are over. Incidents are gathered from all events of a test, and the list asks every ten
 * seconds: their count is cached until an organizer does anything with the test, which the log tells, and a minute at
 * most. Incidents wait until the results are released.
 */
export function waitingCounts() {
  const kept = new Map<
    string,
    { stamp: string; atMs: number; undecided: number; forTalk: number }
  >()
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
         coalesce((select max(l.id) from admin_actions l where l.assessment = a.code), 0)::text as stamp,
         (select count(*)::int from item_rulings r join assessment_items i on i.id = r.item_id
           where i.assessment = a.code and r.is_proposal and r.withdrawn_at is null) as proposals,
         exists (select from result_releases r where r.assessment = a.code and r.withdrawn_at is null)
           as "isReleased"
       from assessments a where a.code = any($1::text[])`,
      [codes],
    )
    const found = new Map<string, Waiting>()
    for (const { code, stamp, proposals, isReleased } of rows) {
      if (isReleased) {
        found.set(code, { undecided: 0, forTalk: 0, proposals })
        continue
      }
      const known = kept.get(code)
      const isFresh = known?.stamp === stamp && now.getTime() - known.atMs < KEPT_MS
      const { undecided, forTalk } = isFresh ? known : await countIncidents(client, code)
      if (!isFresh) kept.set(code, { stamp, atMs: now.getTime(), undecided, forTalk })
      found.set(code, { undecided, forTalk, proposals })
    }
    return found
  }
}

async function countIncidents(client: Client, code: string): Promise<Omit<Waiting, 'proposals'>> {
  const open = [...(await readOpen(client, code)).values()]
  return {
    undecided: open.reduce((sum, { undecided }) => sum + undecided, 0),
    forTalk: open.reduce((sum, { waitForTalk }) => sum + waitForTalk, 0),
  }
}

/** The roles in force that a member has for each of some tests. */
export async function readOwnRoles(
  client: Client,
  codes: readonly string[],
  { userId, now }: { userId: string; now: Date },
): Promise<Map<string, Role[]>> {
  const { rows } = await client.query<{ code: string; roles: Role[] }>(
    sql`select a.code, array_agg(distinct m.role) as roles
      from assessments a join memberships m on m.user_id = ${userId} and ${inForce(now)} and ${REACHES}
      where a.code = any(${codes}::text[]) group by a.code`,
  )
  return new Map(rows.map(({ code, roles }) => [code, roles]))
}
