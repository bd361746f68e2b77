import type { Client } from '../action.ts'

/** An event that came in, as far as the picture follows it by itself. */
export interface NewEvent {
  id: number
  candidate: string
  kind: string
  atMs: number
  windowId: string | null
  isTold: boolean
  /** of a save: [item, choice, revision, at] each */
  detail: unknown
}

/** What an organiser did. */
export interface NewAction {
  id: number
  atMs: number
  actor: string
  userId: string | null
  action: string
  detail: Record<string, unknown>
}

/** That somebody has looked at a line of 'To look at'. */
export interface SeenMark {
  candidate: string
  mark: string
  by: string
}

/** How far a log was read: nothing at or below `low` is still to come, and of what lies above `seen` was. */
interface Follow {
  low: number
  seen: Set<number>
}

/** What the database looked like at an earlier look. */
interface Look {
  /** highest ids that were visible */
  event: number
  action: number
  /** the first transaction that had not begun */
  next: number
}

interface Found {
  eventHigh: number
  actionHigh: number
  oldest: number
  next: number
  events: NewEvent[]
  actions: NewAction[]
  seen: SeenMark[]
}

/** How far behind its newest id each log is read from at first: what was under way then is within it. */
const BEHIND = { events: 5_000, actions: 200 }
/** Looks and ids that are remembered while one transaction holds them all back, before it is given up. */
const MOST_LOOKS = 120

const CHANGES = `
  select
    (select coalesce(max(id), 0) from attempt_events)::float8 as "eventHigh",
    (select coalesce(max(id), 0) from admin_actions)::float8 as "actionHigh",
    pg_snapshot_xmin(pg_current_snapshot())::text::float8 as oldest,
    pg_snapshot_xmax(pg_current_snapshot())::text::float8 as next,
    (select coalesce(json_agg(json_build_object('id', e.id, 'candidate', e.candidate_id, 'kind', e.kind,
        'atMs', (extract(epoch from e.received_at) * 1000)::float8, 'windowId', e.window_id,
        'isTold', e.number is not null, 'detail', case when e.kind = 'saved' then e.detail end)
        order by e.id), '[]')
     from attempt_events e join candidates c on c.id = e.candidate_id
     where e.id > $2 and e.id <> all ($3::bigint[]) and c.assessment = $1 and c.is_demo = $6) as events,
    (select coalesce(json_agg(json_build_object('id', a.id,
        'atMs', (extract(epoch from a.at) * 1000)::float8, 'actor', a.actor, 'userId', a.user_id,
        'action', a.action, 'detail', a.detail) order by a.id), '[]')
     from admin_actions a where a.id > $4 and a.id <> all ($5::bigint[]) and a.assessment = $1) as actions,
    (select coalesce(json_agg(json_build_object('candidate', s.candidate_id, 'mark', s.mark,
        'by', s.seen_by)), '[]')
     from seen_marks s where s.candidate_id = any ($7::uuid[])) as seen`

/**
 * Follows the events and the organisers' acts of an assessment, each exactly once. Ids are dealt before
 * their transactions end, so a smaller id may come in later:
 *
 *     look 1 ── id 7 dealt, writes ──────────────────────── commits
 *                   id 8 dealt, commits ── look 2 sees 8 ──────────── look 3 has to see 7
 *
 * So a look goes back to the highest id of an earlier one of whose time no transaction is under way any
 * more, and leaves out what it has seen above that. An id is dealt an instant before its transaction is
 * counted as one; by the look after it is.
 */
export class Follower {
  readonly #events: Follow = { low: 0, seen: new Set() }
  readonly #actions: Follow = { low: 0, seen: new Set() }
  #looks: Look[] = []
  readonly #whose: { code: string; demo: boolean }

  constructor(whose: { code: string; demo: boolean }) {
    this.#whose = whose
  }

  /** What is surely complete: everything up to these ids was told. */
  get low(): { event: number; action: number } {
    return { event: this.#events.low, action: this.#actions.low }
  }

  /**
   * What is new since the look before; at the first one, what was lately.
   * @param asked candidates of whom all that was seen is told
   */
  async look(
    client: Client,
    asked: readonly string[],
  ): Promise<Pick<Found, 'events' | 'actions' | 'seen'>> {
    if (this.#looks.length === 0) await this.#begin(client)
    const { code, demo } = this.#whose
    // One statement, so one moment; planned each time, since how far back it reaches is another each time.
    const { rows } = await client.query<Found>(CHANGES, [
      code,
      ...[this.#events.low, [...this.#events.seen]],
      ...[this.#actions.low, [...this.#actions.seen]],
      ...[demo, asked],
    ])
    const found = rows[0] as Found
    for (const { id } of found.events) this.#events.seen.add(id)
    for (const { id } of found.actions) this.#actions.seen.add(id)
    this.#settle(found)
    return found
  }

  async #begin(client: Client): Promise<void> {
    const { rows } = await client.query<{ event: number; action: number }>(
      `select (select coalesce(max(id), 0) from attempt_events)::float8 as event,
         (select coalesce(max(id), 0) from admin_actions)::float8 as action`,
    )
    this.#events.low = Math.max(0, (rows[0]?.event ?? 0) - BEHIND.events)
    this.#actions.low = Math.max(0, (rows[0]?.action ?? 0) - BEHIND.actions)
  }

  #settle({ oldest, next, eventHigh, actionHigh }: Found): void {
    this.#looks.push({ event: eventHigh, action: actionHigh, next })
    // The look after the one that is settled tells by when its transactions had begun.
    let settled = -1
    for (let at = 0; at + 1 < this.#looks.length; at += 1) {
      if ((this.#looks[at + 1] as Look).next <= oldest) settled = at
    }
    if (this.#looks.length > MOST_LOOKS) settled = Math.max(settled, 0)
    const look = this.#looks[settled]
    if (!look) return
    this.#looks = this.#looks.slice(settled + 1)
    advance(this.#events, look.event)
    advance(this.#actions, look.action)
  }
}

function advance(follow: Follow, to: number): void {
  follow.low = Math.max(follow.low, to)
  for (const id of follow.seen) if (id <= follow.low) follow.seen.delete(id)
}
