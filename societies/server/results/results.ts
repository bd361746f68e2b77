import { writeCsv } from '../../../platform/server/csv.ts'
import { act, type Client, type Organiser, requireAssessment, requireCandidate } from '../action.ts'

/** product 6.11.1, 7.5.1. */
export const RESULT_COLUMNS = ['user', 'correct', 'incorrect', 'time', 'cheated'] as const

/** What exports have in common: demo attempts are left out unless they are asked for. */
export interface ExportOptions {
  demo?: boolean
}

export interface Export {
  csv: string
  count: number
  /** attempts that are still open, and so not final */
  openCount: number
}

/**
 * The results of everybody who is done, by username.
 * Errors: AdminError.
 */
export function exportResults(
  organiser: Organiser,
  code: string,
  { demo = false }: ExportOptions = {},
): Promise<Export> {
  return act(organiser, 'results', code, async (client) => {
    await requireAssessment(client, code)
    const { rows } = await client.query<unknown[]>({
      text: `select "user", correct, incorrect, time, cheated from assessment_results
        where assessment = $1 and ($2 or not is_demo) order by lower("user")`,
      values: [code, demo],
      rowMode: 'array',
    })
    const openCount = await countOpen(client, code, demo)
    return {
      result: { csv: writeCsv(RESULT_COLUMNS, rows), count: rows.length, openCount },
      detail: { demo, count: rows.length },
    }
  })
}

export const ANSWER_COLUMNS = [
  'user',
  'item',
  'choice',
  'key',
  'right',
  'revision',
  'saved_at',
] as const

/**
 * A line for each candidate and item of the paper, in table order: what was chosen (empty: nothing), the
 * options that are right, and whether it counts as right (void: the item counts for nobody).
 * Errors: AdminError.
 */
export function exportAnswers(
  organiser: Organiser,
  code: string,
  { demo = false }: ExportOptions = {},
): Promise<Export> {
  return act(organiser, 'answers', code, async (client) => {
    await requireAssessment(client, code)
    const { rows } = await client.query<unknown[]>({
      text: `
        with item as (
          select i.id, i.position,
            array[i.correct_option] || coalesce(array_agg(distinct r.accepted_option)
              filter (where r.accepted_option is not null), '{}') as keys,
            coalesce(bool_or(r.id is not null and r.accepted_option is null), false) as is_void
          from assessment_items i left join item_rulings r on r.item_id = i.id
          where i.assessment = $1 group by i.id
        )
        select c.username, item.position, answer.choice, array_to_string(item.keys, '/'),
          case when item.is_void then 'void'
            else coalesce(answer.choice = any (item.keys), false)::text end,
          answer.revision, answer.saved_at
        from attempts a
        join candidates c on c.id = a.candidate_id
        join item on item.id = any (a.paper)
        left join attempt_answers answer on answer.attempt_id = a.id and answer.item_id = item.id
        where a.assessment = $1 and ($2 or not a.is_demo)
        order by lower(c.username), item.position`,
      values: [code, demo],
      rowMode: 'array',
    })
    const openCount = await countOpen(client, code, demo)
    return {
      result: { csv: writeCsv(ANSWER_COLUMNS, rows), count: rows.length, openCount },
      detail: { demo, count: rows.length },
    }
  })
}

export const EVENT_COLUMNS = [
  'event',
  'user',
  'reference',
  'kind',
  'counted',
  'void_reason',
  'at_ms',
  'received_at',
  'window',
  'number',
  'user_id',
  'address',
  'agent',
  'detail',
] as const

/** Lines that are read at once: a season has a million. */
const EVENTS_PAGE = 2_000

/**
 * Every event, in the order in which it came in. `counted`: true for a strike that stands.
 * Errors: AdminError.
 * @param write takes the CSV piece by piece
 */
export function exportEvents(
  organiser: Organiser,
  code: string,
  { demo = false, username }: ExportOptions & { username?: string },
  write: (piece: string) => Promise<void> | void,
): Promise<{ count: number }> {
  return act(organiser, 'events', code, async (client) => {
    await requireAssessment(client, code)
    const candidate = username ? await requireCandidate(client, code, username) : null
    await write(writeCsv(EVENT_COLUMNS, []))
    let count = 0
    let last: unknown = 0
    for (;;) {
      const { rows } = await client.query<unknown[]>({
        text: `
          select e.id, c.username, left(e.attempt_id::text, 8), e.kind,
            e.is_violation and e.voided_at is null and not (e.kind = any (c.exempt_kinds)),
            e.void_reason, e.at_ms, e.received_at, e.window_id, e.number, e.user_id, e.address, e.agent,
            e.detail::text
          from attempt_events e join candidates c on c.id = e.candidate_id
          where c.assessment = $1 and ($2 or not c.is_demo) and ($3::uuid is null or c.id = $3)
            and e.id > $4
          order by e.id limit ${EVENTS_PAGE}`,
        // Asked for by name, a demo candidate is meant.
        values: [code, demo || candidate?.isDemo, candidate?.id ?? null, last],
        rowMode: 'array',
      })
      if (rows.length === 0) break
      await write(writeCsv(null, rows))
      count += rows.length
      last = rows.at(-1)?.[0]
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
