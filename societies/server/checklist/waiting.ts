import sql from 'sql-template-tag'
import { numberWord } from '../../number-words.ts'
import { type Act, mayWith, type Role } from '../../roles.ts'
import type { Client } from '../action.ts'
import { readIncidents } from '../incidents/read-incidents.ts'
import { inForce, REACHES } from '../team/guard.ts'

/** A line that says what waits after the close, and the page where it is settled (product 7.8.11). */
export interface WaitingLine {
  /** 'Five incidents wait to be decided.' */
  text: string
  page: 'incidents' | 'analysis'
  label: string
}

/** What waits for somebody once a test is over. */
export interface Waiting {
  /** without a verdict */
  undecided: number
  /** the verdict asks for a talk (product 7.16.11) */
  forTalk: number
  /** rulings that somebody proposed and no owner has answered */
  proposals: number
}

/** In this order, each with its number; nothing where nothing waits. @param roles those of whoever looks */
export function waitingLines(waiting: Waiting, roles: readonly Role[]): WaitingLine[] {
  const line = (count: number, one: string, many: string, more: Omit<WaitingLine, 'text'>) =>
    count === 0 ? [] : [{ text: `${numberWord(count)} ${count === 1 ? one : many}.`, ...more }]
  const incidents = (label: string) => ({ page: 'incidents' as const, label })
  return [
    ...(isAble(roles, 'decide_incident')
      ? [
          ...line(
            waiting.undecided,
            'incident waits to be decided',
            'incidents wait to be decided',
            incidents('Decide'),
          ),
          ...line(
            waiting.forTalk,
            'incident waits for a talk',
            'incidents wait for a talk',
            incidents('See which'),
          ),
        ]
      : []),
    ...(isAble(roles, 'rule_on_question')
      ? line(
          waiting.proposals,
          'proposed ruling waits for an owner',
          'proposed rulings wait for an owner',
          { page: 'analysis', label: 'Look at it' },
        )
      : []),
  ]
}

const isAble = (roles: readonly Role[], act: Act): boolean => {
  const extent = mayWith(roles, act)
  return extent === 'all' || extent.length > 0
}

/** Whether anything of it is somebody's business. */
export const mayBeTold = (roles: readonly Role[]): boolean =>
  isAble(roles, 'decide_incident') || isAble(roles, 'rule_on_question')

/** Counted for this long at most: an account that enters somebody's credentials after the close is no act. */
const KEPT_MS = 60_000

/**
 * What waits of tests that are over. The incidents of a test are gathered from all of its events, and the list asks
 * every ten seconds: what was counted is kept as long as no organiser has done anything with the test since, which
 * the log tells, and a minute at most. Incidents wait until the results are released, with or without them.
 */
export function waitingCounts() {
  const kept = new Map<string, { stamp: string; atMs: number; waiting: Waiting }>()
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
      const known = kept.get(code)
      const isFresh = known?.stamp === stamp && now.getTime() - known.atMs < KEPT_MS
      const incidents = isReleased
        ? NO_INCIDENTS
        : isFresh
          ? known.waiting
          : await countIncidents(client, code)
      if (!isReleased && !isFresh) {
        kept.set(code, { stamp, atMs: now.getTime(), waiting: { ...incidents, proposals: 0 } })
      }
      found.set(code, { ...incidents, proposals })
    }
    return found
  }
}

const NO_INCIDENTS = { undecided: 0, forTalk: 0 }

async function countIncidents(client: Client, code: string): Promise<Omit<Waiting, 'proposals'>> {
  const candidates = await readIncidents(client, code)
  const states = candidates.flatMap(({ incidents }) => incidents.map(({ state }) => state))
  const count = (of: string) => states.filter((state) => state === of).length
  return { undecided: count('waiting'), forTalk: count('needs_talk') }
}

/** The roles in force that a member has for each of some assessments. */
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
