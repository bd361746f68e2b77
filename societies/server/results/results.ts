import type { OptionLetter } from '../../../platform/options.ts'
import { act, type Client, type Organiser } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { requireOnRoster } from '../roster.ts'

/** What exports have in common: demo attempts are left out unless they are asked for. */
export interface ExportOptions {
  demo?: boolean
}

/** A candidate's result (product 6.11.1). */
export interface CandidateResult {
  username: string
  correct: number
  incorrect: number
  /** mm:ss */
  time: string
  cheated: boolean
}

/**
 * The results of everybody who is done, by username (product 7.5.1). `openCount`: attempts that are still
 * open, and so not among them.
 * Errors: OrganiserRefusal.
 */
export function exportResults(
  organiser: Organiser,
  code: string,
  { demo = false }: ExportOptions = {},
): Promise<{ results: CandidateResult[]; openCount: number }> {
  return act(organiser, 'results', code, async (client) => {
    await requireAssessment(client, code)
    const { rows: results } = await client.query<CandidateResult>(
      `select "user" as username, correct, incorrect, time, cheated from assessment_results
       where assessment = $1 and ($2 or not is_demo) order by lower("user")`,
      [code, demo],
    )
    const openCount = await countOpen(client, code, demo)
    return { result: { results, openCount }, detail: { demo, count: results.length } }
  })
}

/** What a candidate chose for an item. */
export interface CandidateAnswer {
  username: string
  /** number of the item in the table */
  item: number
  /** null: nothing */
  choice: OptionLetter | null
  /** the options that are right, the item's own key first */
  keys: OptionLetter[]
  /** whether it counts as right; null where the item counts for nobody */
  isRight: boolean | null
  revision: number | null
  savedAt: Date | null
}

/**
 * An answer for each candidate and item of the paper, in table order (product 7.5.2).
 * Errors: OrganiserRefusal.
 */
export function exportAnswers(
  organiser: Organiser,
  code: string,
  { demo = false }: ExportOptions = {},
): Promise<{ answers: CandidateAnswer[]; openCount: number }> {
  return act(organiser, 'answers', code, async (client) => {
    await requireAssessment(client, code)
    const { rows: answers } = await client.query<CandidateAnswer>(
      `with item as (
         select item_id as id, position, keys, is_void, is_full_marks from item_keys where assessment = $1
       )
       select c.username, item.position as item, answer.choice, item.keys::text[] as keys,
         case when not item.is_void
           then coalesce(item.is_full_marks or answer.choice = any (item.keys), false) end as "isRight",
         answer.revision, answer.saved_at as "savedAt"
       from attempts a
       join candidates c on c.id = a.candidate_id
       join item on item.id = any (a.paper)
       left join attempt_answers answer on answer.attempt_id = a.id and answer.item_id = item.id
       where a.assessment = $1 and ($2 or not a.is_demo)
       order by lower(c.username), item.position`,
      [code, demo],
    )
    const openCount = await countOpen(client, code, demo)
    return { result: { answers, openCount }, detail: { demo, count: answers.length } }
  })
}

/** Something that happened to a candidate, as it is kept. */
export interface CandidateEvent {
  event: number
  username: string
  /** of the attempt; null for what happened outside of one */
  reference: string | null
  kind: string
  /** a strike that stands */
  isCounted: boolean
  voidReason: string | null
  /** milliseconds since the start of the attempt */
  atMs: number | null
  receivedAt: Date
  windowId: string | null
  number: number | null
  userId: string | null
  address: string | null
  agent: string | null
  /** JSON, as PostgreSQL writes it */
  detail: string | null
}

/** Events that are read at once: a season has a million. */
const EVENTS_PAGE = 2_000

/**
 * Every event, in the order in which it came in (product 7.5.3).
 * Errors: OrganiserRefusal.
 * @param take gets them page by page, the first one even when there are none
 */
export function exportEvents(
  organiser: Organiser,
  code: string,
  { demo = false, username }: ExportOptions & { username?: string },
  take: (page: CandidateEvent[]) => Promise<void> | void,
): Promise<{ count: number }> {
  return act(organiser, 'events', code, async (client) => {
    await requireAssessment(client, code)
    const candidate = username ? await requireOnRoster(client, code, username) : null
    let count = 0
    let last = 0
    let isFull = true
    while (isFull) {
      const { rows: page } = await client.query<CandidateEvent>(
        `select e.id::float8 as event, c.username, left(e.attempt_id::text, 8) as reference, e.kind,
           e.is_violation and e.voided_at is null and not (e.kind = any (c.exempt_kinds)) as "isCounted",
           e.void_reason as "voidReason", e.at_ms::float8 as "atMs", e.received_at as "receivedAt",
           e.window_id as "windowId", e.number, e.user_id as "userId", e.address, e.agent,
           e.detail::text as detail
         from attempt_events e join candidates c on c.id = e.candidate_id
         where c.assessment = $1 and ($2 or not c.is_demo) and ($3::uuid is null or c.id = $3)
           and e.id > $4
         order by e.id limit ${EVENTS_PAGE}`,
        // Asked for by name, a demo candidate is meant.
        [code, demo || candidate?.isDemo, candidate?.id ?? null, last],
      )
      await take(page)
      count += page.length
      last = page.at(-1)?.event ?? last
      isFull = page.length === EVENTS_PAGE
    }
    return {
      result: { count },
      detail: { demo, count, ...(candidate ? { username: candidate.username } : {}) },
    }
  })
}

async function countOpen(client: Client, code: string, demo: boolean): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from attempts
     where assessment = $1 and submitted_at is null and ($2 or not is_demo)`,
    [code, demo],
  )
  return rows[0]?.count ?? 0
}
