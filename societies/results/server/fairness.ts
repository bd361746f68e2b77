import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { isOver, isReleased } from '../../../assessments/server/candidate-store.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { OPTION_LETTERS } from '../../../platform/options.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { inRounds } from '../../../platform/server/rounds.ts'
import { mapInSlices } from '../../../platform/server/shares/slices.ts'
import { KEPT_UNTIL } from '../../access/server/assessments.ts'
import type { OrganizerInTest } from '../../access/server/serve-members.ts'
import { readAnswerTable } from '../../incidents/server/answer-table.ts'
import { eachForm, pointsOf } from '../../incidents/server/sat.ts'
import { readOpen } from '../../incidents/server/undecided.ts'
import { act, type Client, read } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { mean, standardDeviation } from '../../kit/statistics/moments.ts'
import { marginOf, reliabilityOf } from '../../kit/statistics/reliability.ts'
import type {
  FairnessContent,
  previewFairnessReport,
  readFairnessReport,
} from '../contract-fairness.ts'
import { LOOKS } from './line.ts'

type Preview = Sendable<ResponseOf<typeof previewFairnessReport>>
type PublicReport = Sendable<NonNullable<ResponseOf<typeof readFairnessReport>['report']>>

/** Reads the ids of published reports by test code. */
export async function readReports(
  client: Client,
  codes: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ code: string; id: string }>(
    'select assessment as code, id from fairness_reports where assessment = any ($1)',
    [codes],
  )
  return new Map(rows.map(({ code, id }) => [code, id]))
}

/** Shows what an owner can publish and what is already published (product 7.21.7). */
export function previewReport(organizer: OrganizerInTest): Promise<Preview> {
  const { code, now } = organizer
  return read(organizer, async (client) => {
    const made = await makeContent(client, code, now)
    const { rows } = await client.query<NonNullable<Preview['published']>>(
      sql`select id, published_at as "publishedAt", changed_at as "changedAt",
        content = ${JSON.stringify(made)} as "isCurrent"
       from fairness_reports where assessment = ${code}`,
    )
    const { rowCount } = await client.query(
      `select from assessments a where a.code = $1 and ${isReleased('a')}`,
      [code],
    )
    return {
      content: typeof made === 'string' ? null : made,
      obstacle: typeof made === 'string' ? made : null,
      isReleased: rowCount === 1,
      published: rows[0] ?? null,
    }
  })
}

/** Publishes a test's report, or updates it under its address (product 7.21.7). Errors: 409 report_impossible. */
export function publishReport(organizer: OrganizerInTest): Promise<{ id: string }> {
  const { code, now, actor } = organizer
  return act(organizer, 'publish-report', code, async (client) => {
    const made = await makeContent(client, code, now)
    if (typeof made === 'string') {
      throw refuse(409, 'report_impossible', 'The report can’t be published yet. Reload the page.')
    }
    const same = await client.query<{ id: string }>(
      'select id from fairness_reports where assessment = $1 and content = $2',
      [code, JSON.stringify(made)],
    )
    if (same.rows[0]) return { result: same.rows[0], detail: null }
    const { rows } = await client.query<{ id: string; isNew: boolean }>(
      sql`insert into fairness_reports (id, assessment, content, published_at, published_by)
       values (${randomUUID()}, ${code}, ${JSON.stringify(made)}, ${now}, ${actor})
       on conflict (assessment) do update set content = excluded.content,
         changed_at = case when fairness_reports.content = excluded.content
           then fairness_reports.changed_at else excluded.published_at end
       returning id, changed_at is null as "isNew"`,
    )
    const { id, isNew } = rows[0] as { id: string; isNew: boolean }
    return { result: { id }, detail: { isNew } }
  })
}

/**
 * Reads published reports for the public; null while the results are not released. Public requests share one queue so
 * that they don't delay members' requests. Errors: 404 no_report.
 */
export function createPublicReports({ db, log }: Pick<AppDependencies, 'db' | 'log'>) {
  const readAll = async (ids: readonly string[]) => {
    const { rows } = await db.$client.query<PublicReport & { id: string; isReleased: boolean }>(
      `select f.id, f.content, f.published_at as "publishedAt", f.changed_at as "changedAt",
         a.time_zone as "timeZone", ${isReleased('a')} as "isReleased"
       from fairness_reports f join assessments a on a.code = f.assessment
       where f.id = any ($1::uuid[])`,
      [ids],
    )
    const found = new Map(
      rows.map(({ id, isReleased, ...report }) => [id, { report: isReleased ? report : null }]),
    )
    return ids.map((id) => found.get(id.toLowerCase()) ?? 'none')
  }
  const readInRound = inRounds(log, readAll)
  return async (id: string) => {
    const found = (await readInRound(id)) ?? (await readAll([id]))[0] ?? 'none'
    if (found !== 'none') return found
    throw refuse(404, 'no_report', 'There is no such report. Check the link you were given.')
  }
}

/** Statistics of smaller groups are neither stored nor published, because they could identify a person. */
const LEAST_GROUP = 15

/** Makes the public report of a test (product 7.21.4), or says why it can't be made now. */
async function makeContent(
  client: Client,
  code: string,
  now: Date,
): Promise<FairnessContent | 'nobody_took' | 'still_open'> {
  const { isOpen, ...test } = await readTest(client, code, now)
  if (isOpen) return 'still_open'
  const table = await readAnswerTable(client, code)
  const took = table.rows.length
  if (took === 0) return 'nobody_took'
  const forms = (await eachForm(table)).filter(({ rows }) => rows.length > 0)
  const isSmall = took < LEAST_GROUP
  const excluded = await readExcluded(client, code)
  const totals = forms.flatMap(({ rows, scores }) =>
    scores.totals.filter((_, at) => !excluded.has(rows[at]?.candidateId ?? '')),
  )
  const errors = forms.flatMap(({ scores }) => reliabilityOf(scores)?.error ?? [])
  const margin = isSmall || errors.length === 0 ? null : marginOf(Math.max(...errors))
  const cutScore = await readCutScore(client, code)
  const countTotals = (is: (total: number, points: number) => boolean) =>
    cutScore && !isSmall ? totals.filter((total) => is(total, cutScore.points)).length : null
  return {
    ...test,
    took,
    excluded: excluded.size,
    questions: Math.max(...forms.map(({ scores }) => scores.items.length)),
    cutScore: cutScore && {
      ...cutScore,
      atOrAbove: countTotals((total, points) => total >= points),
    },
    accuracy:
      margin === null
        ? null
        : { margin, near: countTotals((total, points) => Math.abs(total - points) <= margin) },
    rulings: await readRulings(client, code, isSmall),
    incidents: await countIncidents(client, code),
    time: await countTime(client, code),
  }
}

async function readTest(client: Client, code: string, now: Date) {
  type Test = Pick<
    FairnessContent,
    'society' | 'name' | 'firstDay' | 'lastDay' | 'minutes' | 'invited' | 'deletedOn'
  > & { isOpen: boolean }
  const { rows } = await client.query<Test>(
    `select a.society, coalesce(nullif(concat_ws(', ', a.season, a.session), ''), a.society) as name,
       round(a.duration_seconds / 60.0)::int as minutes,
       (select count(*)::int from candidates c where c.assessment = a.code and not c.is_demo
          and c.revoked_at is null) as invited,
       a.is_draft or not ${isOver('a', '$2')} as "isOpen",
       case when not a.is_sample then to_char(${KEPT_UNTIL} at time zone a.time_zone, 'YYYY-MM-DD') end
         as "deletedOn",
       to_char(began.first at time zone a.time_zone, 'YYYY-MM-DD') as "firstDay",
       to_char(began.last at time zone a.time_zone, 'YYYY-MM-DD') as "lastDay"
     from assessments a join societies s on s.id = a.society_id
     cross join lateral (
       select min(t.started_at) as first, max(t.started_at) as last
       from attempts t where t.assessment = a.code and not t.is_demo
     ) began
     where a.code = $1`,
    [code, now],
  )
  return rows[0] as Test
}

async function readExcluded(client: Client, code: string): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ id: string }>(
    sql`select candidate_id as id from ranking_exclusions join candidates c on c.id = candidate_id
      where c.assessment = ${code}`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** SQL for when a member first saw a name, alone or with all others; 'infinity' if never. */
const namesSeenAt = (code: string) =>
  sql`coalesce(least((select names_shown_at from result_lines where assessment = ${code}),
    (select min(at) from admin_actions where assessment = ${code} and action = any (${LOOKS}))), 'infinity')`

async function readCutScore(client: Client, code: string) {
  const { rows } = await client.query<{
    points: number
    lockedAt: Date | null
    isBeforeNames: boolean
  }>(
    // The cut score was blind if its last change came before anyone viewed a name.
    sql`select points, case when fixed_at is not null then greatest(fixed_at, changed_at) end as "lockedAt",
       fixed_at is not null and greatest(fixed_at, changed_at) <= ${namesSeenAt(code)} as "isBeforeNames"
     from result_lines where assessment = ${code}`,
  )
  const [row] = rows
  // The content is stored as JSON, so it has ISO times.
  return row ? { ...row, lockedAt: row.lockedAt?.toISOString() ?? null } : null
}

/** Reads rulings in effect, in the order of the test (product 7.21.6). */
async function readRulings(
  client: Client,
  code: string,
  isSmall: boolean,
): Promise<FairnessContent['rulings']> {
  const { rows } = await client.query<FairnessContent['rulings'][number] & { reason: string }>(
    sql`select i.position as question, r.kind, r.reason,
       case when exists (select from ruling_results x where x.ruling_id = r.id) then
         (select count(*)::int from ruling_results x join attempts a on a.id = x.attempt_id
          where x.ruling_id = r.id and not a.is_demo
            and (x.correct_after, x.incorrect_after) is distinct from (x.correct_before, x.incorrect_before))
       end as changed,
       r.created_at <= ${namesSeenAt(code)} as "isBeforeNames"
     from standing_rulings r join assessment_items i on i.id = r.item_id
     where i.assessment = ${code} order by i.position, r.id`,
  )
  const names = treeOf(await readNames(client, code))
  return rows.map((ruling) => ({
    ...ruling,
    reason: withoutNames(ruling.reason, names),
    // Below fifteen candidates, the number would reveal individual results.
    changed: isSmall ? null : ruling.changed,
  }))
}

/** Reads candidates' names, addresses and rooms, and members' names, in lower case. */
async function readNames(client: Client, code: string): Promise<string[]> {
  const { rows } = await client.query<{ word: string }>(
    sql`select distinct lower(word) as word from (
       select unnest(array[username, name, email, room]) as word from candidates where assessment = ${code}
       union select actor from admin_actions where assessment = ${code}
     ) known where length(btrim(word)) > 2`,
  )
  return rows.map(({ word }) => word.trim())
}

/** A tree of names by word: each key is a possible next word. */
type NameTree = Map<string, NameTree> & { isName?: boolean }

/** Splits a text into words without punctuation at their ends. */
const wordsOf = (text: string): string[] =>
  text
    .split(/[^\p{L}\p{N}@.+_-]+/u)
    .map((word) => word.replace(/\.+$/, ''))
    .filter(Boolean)

/** A tree checks each word of a reason once, even with twenty thousand names. */
export function treeOf(names: readonly string[]): NameTree {
  const tree: NameTree = new Map()
  for (const name of names) {
    let node = tree
    for (const word of wordsOf(name)) {
      const next: NameTree = node.get(word) ?? new Map()
      node.set(word, next)
      node = next
    }
    node.isName = true
  }
  return tree
}

/** Reasons are public, so a reason that contains a name or an address is hidden. */
export function withoutNames(reason: string, names: NameTree): string | null {
  if (/\S@\S/.test(reason)) return null
  const words = wordsOf(reason.toLowerCase())
  const isNamedAt = (start: number): boolean => {
    let node: NameTree | undefined = names
    for (let at = start; node && at < words.length; at += 1) {
      node = node.get(words[at] ?? '')
      if (node?.isName) return true
    }
    return false
  }
  return words.some((_, start) => isNamedAt(start)) ? null : reason
}

async function countIncidents(client: Client, code: string): Promise<FairnessContent['incidents']> {
  const { rows } = await client.query<Omit<FairnessContent['incidents'], 'undecided'>>(
    sql`select count(*) filter (where verdict = 'upheld')::int as counts,
       count(*) filter (where verdict = 'cleared')::int as "doesNotCount",
       count(*) filter (where verdict = 'needs_talk')::int as asked
     from (
       select distinct on (v.candidate_id, v.incident) v.verdict
       from incident_verdicts v join candidates c on c.id = v.candidate_id
       where c.assessment = ${code} and not c.is_demo and v.withdrawn_at is null
       order by v.candidate_id, v.incident, v.decided_at desc
     ) decided`,
  )
  const open = [...(await readOpen(client, code)).values()]
  return {
    ...(rows[0] as (typeof rows)[number]),
    undecided: open.reduce((sum, { undecided }) => sum + undecided, 0),
  }
}

async function countTime(client: Client, code: string): Promise<FairnessContent['time']> {
  const { rows } = await client.query<FairnessContent['time']>(
    sql`with sat as (
       select a.id, a.incident_seconds, c.extra_seconds
       from attempts a join candidates c on c.id = a.candidate_id
       where a.assessment = ${code} and not a.is_demo and a.submitted_at is not null
     ), moved as (
       select distinct on (e.attempt_id) e.kind from attempt_events e join sat on sat.id = e.attempt_id
       where e.kind in ('ended', 'reopened') order by e.attempt_id, e.id desc
     )
     select (select count(*)::int from sat where extra_seconds > 0) as planned,
       (select count(*)::int from sat where incident_seconds > 0) as given,
       (select count(*)::int from sat where exists (
          select from attempt_events e where e.attempt_id = sat.id and e.kind = 'reopened')) as reopened,
       (select count(*)::int from attempt_events e join sat on sat.id = e.attempt_id
        where e.is_violation and e.voided_at is not null) as "strikesTakenBack",
       (select count(*)::int from moved where kind = 'ended') as "endedEarly"`,
  )
  return rows[0] as FairnessContent['time']
}

/** Stores statistics that outlive names and answers (product 7.21.3), if there are at least fifteen candidates. */
export async function keepStatistics(client: Client, code: string, now: Date): Promise<void> {
  const table = await readAnswerTable(client, code)
  const { items, rows } = table
  if (rows.length < LEAST_GROUP) return
  const counted = await mapInSlices(
    items.entries(),
    ([index, { questionId, topic, keys, isFullMarks }]) => {
      const choices = rows.map((row) => row.choices[index]).filter((one) => one !== undefined)
      const right = choices.filter((one) => isFullMarks || (one && keys.includes(one))).length
      // by option A to D, then blank
      const chosen = [...OPTION_LETTERS, null].map(
        (option) => choices.filter((one) => one === option).length,
      )
      return { questionId, topic, asked: choices.length, right, chosen }
    },
  )
  const questions = counted.filter(({ asked }) => asked >= LEAST_GROUP)
  const totals = [...pointsOf(await eachForm(table)).values()]
  const kept = {
    candidates: rows.length,
    questions,
    mean: mean(totals),
    sd: standardDeviation(totals),
  }
  await client.query(
    sql`insert into kept_statistics (assessment, content, kept_at) values (${code}, ${JSON.stringify(kept)}, ${now})
     on conflict (assessment) do update set content = excluded.content, kept_at = excluded.kept_at`,
  )
}
