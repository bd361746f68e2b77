import { DWELL_LIMIT_MS } from '../../../contract.ts'
import type { EventKind } from '../../../violations.ts'

/** Who stares at one question for longer without going on is not there: a stretch counts so much at most. */
const STRETCH_MS = 600_000

/** How long a question was looked at in this window, in all so far. */
export interface Looked {
  item: number
  ms: number
}

/**
 * How long each question is in view, without absences (product 6.6.9), on the page's monotonic clock.
 *     look(7) ──── hidden ···· visible ──── look(8)        7 was looked at for both pieces of ────
 */
export class Dwell {
  readonly #now: () => number
  readonly #total = new Map<number, number>()
  /** what the server has taken */
  readonly #told = new Map<number, number>()
  #item: number | null = null
  /** since when the candidate has looked at the question in view; null while they are away */
  #sinceMs: number | null = null
  /** of the stretch that goes on, what is counted already */
  #stretchMs = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Another question is in view; null: none. */
  look(item: number | null): void {
    if (item === this.#item) return
    const isAway = this.#item !== null && this.#sinceMs === null
    this.#pause(this.#now())
    this.#item = item
    this.#sinceMs = isAway ? null : this.#now()
  }

  /** Takes an event, which may mean that the candidate left or came back. @param atMs when it happened */
  note(kind: EventKind, atMs: number, awayMs = 0): void {
    if (kind === 'page_hidden' || kind === 'window_blur') this.#pause(atMs)
    else if (kind === 'page_visible') this.#sinceMs ??= this.#item === null ? null : this.#now()
    // Excused, and away all the same.
    else if (kind === 'focus_lost' && this.#sinceMs !== null) this.#sinceMs += awayMs
  }

  /** Sends what has grown since the server last took something, and remembers what it took. */
  async tell<T>(send: (grown: Looked[]) => Promise<T>): Promise<T> {
    if (this.#sinceMs !== null) {
      const now = this.#now()
      this.#count(now)
      // The stretch goes on.
      this.#sinceMs = now
    }
    const grown = [...this.#total].flatMap(([item, total]) => {
      const ms = Math.min(Math.round(total), DWELL_LIMIT_MS)
      return ms > (this.#told.get(item) ?? 0) ? [{ item, ms }] : []
    })
    const answer = await send(grown)
    for (const { item, ms } of grown) {
      this.#told.set(item, Math.max(ms, this.#told.get(item) ?? 0))
    }
    return answer
  }

  #pause(atMs: number): void {
    if (this.#sinceMs === null) return
    this.#count(atMs)
    this.#sinceMs = null
    this.#stretchMs = 0
  }

  #count(untilMs: number): void {
    if (this.#item === null || this.#sinceMs === null) return
    const ms = Math.min(Math.max(0, untilMs - this.#sinceMs), STRETCH_MS - this.#stretchMs)
    this.#stretchMs += ms
    this.#total.set(this.#item, (this.#total.get(this.#item) ?? 0) + ms)
  }
}
