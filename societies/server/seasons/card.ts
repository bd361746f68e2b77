import type { CardContent } from '../../contract/card.ts'
import type { Client } from '../action.ts'
import { readAnswerTable } from '../results/answer-table.ts'
import {
  countIncidents,
  countLogEntries,
  countPeople,
  countTime,
  readRulings,
} from './card-decisions.ts'
import { type CardGroup, describeGroup, groupsOf } from './card-groups.ts'
import { KEPT_UNTIL } from './retention.ts'

/** Why no card can be made now: nobody sat, somebody still may, or answers it would need are deleted. */
export type CardObstacle = 'nobody_sat' | 'still_open' | 'deleted'

interface Session {
  code: string
  society: string
  session: string | null
  durationSeconds: number
  timeZone: string
  isOpen: boolean
  isDeleted: boolean
  sat: number
  keptUntil: string | null
  hasOwnDay: boolean
  firstDay: string | null
  lastDay: string | null
  months: number
}

/** Assessments a that belong to a season's card: candidates could sit them. */
export const OF_SEASON = (society: number, season: number) =>
  `a.society_id = $${society} and a.season = $${season} and a.trial is null and not a.is_draft`

/** How many sat an assessment a, also of a deleted one. */
export const SAT = `coalesce(
  (select d.sat_count from assessment_deletions d where d.assessment = a.code and d.done_at is not null
   order by d.done_at desc limit 1),
  (select count(*)::int from attempts t where t.assessment = a.code and not t.is_demo))`

/**
 * What is public of how a season's test was run, computed anew from log and answers (product 7.21.4).
 * A session that closed without anybody is left out.
 */
export async function makeCard(
  client: Client,
  { societyId, season, now }: { societyId: string; season: string; now: Date },
): Promise<{ content: CardContent } | { obstacle: CardObstacle }> {
  const sessions = await readSessions(client, societyId, season, now)
  if (sessions.some(({ isOpen }) => isOpen)) return { obstacle: 'still_open' }
  if (sessions.some(({ isDeleted }) => isDeleted)) return { obstacle: 'deleted' }
  const [first] = sessions
  if (!first) return { obstacle: 'nobody_sat' }

  const codes = sessions.map(({ code }) => code)
  const named = (code: string) => {
    const one = sessions.find((session) => session.code === code)
    return sessions.length === 1 ? (one?.session ?? null) : (one?.session ?? code)
  }
  const questions = new Set<string>()
  const groups: CardGroup[] = []
  const satOf = new Map<string, number>()
  for (const { code, durationSeconds } of sessions) {
    const table = await readAnswerTable(client, code)
    satOf.set(code, table.rows.length)
    for (const { questionId } of table.items) questions.add(questionId)
    const of = { name: named(code), minutes: Math.round(durationSeconds / 60) }
    groups.push(...groupsOf(table, of))
  }
  const days = sessions.flatMap(({ firstDay, lastDay }) => [firstDay ?? [], lastDay ?? []].flat())
  return {
    content: {
      society: first.society,
      season,
      firstDay: days.toSorted()[0] ?? null,
      lastDay: days.toSorted().at(-1) ?? null,
      sat: [...satOf.values()].reduce((sum, sat) => sum + sat, 0),
      sessions: sessions.length,
      questions: questions.size,
      groups: groups.map(describeGroup),
      rulings: await readRulings(client, codes, named, (code) => satOf.get(code) ?? 0),
      incidents: await countIncidents(client, codes),
      time: await countTime(client, codes),
      people: await countPeople(client, societyId, codes),
      log: await countLogEntries(client, codes),
      kept: {
        months: first.months,
        until: sessions.map(({ code, keptUntil, hasOwnDay }) => ({
          ...{ name: named(code), day: keptUntil, isOwn: hasOwnDay },
        })),
      },
    },
  }
}

/** Those that somebody sat or may sit, in the order of the day. */
async function readSessions(
  client: Client,
  societyId: string,
  season: string,
  now: Date,
): Promise<Session[]> {
  const { rows } = await client.query<Session>(
    `select * from (
       select a.code, a.society, a.session, a.duration_seconds as "durationSeconds",
         a.time_zone as "timeZone", s.retention_months as months,
         a.deleted_at is null and (a.closes_at is null or a.closes_at >= $3 or exists (
           select from attempts t where t.assessment = a.code and not t.is_demo
             and t.submitted_at is null)) as "isOpen",
         a.deleted_at is not null as "isDeleted", ${SAT} as sat,
         case when not a.is_sample then to_char(${KEPT_UNTIL} at time zone a.time_zone, 'YYYY-MM-DD') end
           as "keptUntil",
         a.keep_until is not null as "hasOwnDay", began.first as "firstDay", began.last as "lastDay",
         a.opens_at
       from assessments a join societies s on s.id = a.society_id
       cross join lateral (
         select to_char(min(t.started_at) at time zone a.time_zone, 'YYYY-MM-DD') as first,
           to_char(max(t.started_at) at time zone a.time_zone, 'YYYY-MM-DD') as last,
           min(t.started_at) as at
         from attempts t where t.assessment = a.code and not t.is_demo
       ) began
       where ${OF_SEASON(1, 2)}
       order by coalesce(began.at, a.opens_at, a.created_at), a.code
     ) found where sat > 0 or "isOpen"`,
    [societyId, season, now],
  )
  return rows
}
