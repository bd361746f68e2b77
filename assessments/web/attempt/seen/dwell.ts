import { DWELL_LIMIT_MS } from '../../../contract.ts'
import type { EventKind } from '../../../violations.ts'

/** Longest counted stretch. A candidate who looks at one question for longer without any action is not there. */
const STRETCH_MS = 600_000

/** Total viewing time of a question in this window. */
export interface Looked {
  item: number
  ms: number
}

/**
 * Viewing time per question without absences (product 6.6.9), by the page's monotonic clock.
 *     look(7) ──── hidden ···· visible ──── look(8)        question 7 was viewed during both ────
 */
export class Dwell {
  readonly #now: () => number
  readonly #total = new Map<number, number>()
  /** The times that the server has stored. */
  readonly #told = new Map<number, number>()
  #item: number | null = null
  /** Since when the candidate has viewed the current question. Null while away. */
  #sinceMs: number | null = null
  /** The part of the current stretch that is already counted. */
  #stretchMs = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Switches to another question, or to none with null. */
  look(item: number | null): void {
    if (item === this.#item) return
    const isAway = this.#item !== null && this.#sinceMs === null
    this.#pause(this.#now())
    this.#item = item
    this.#sinceMs = isAway ? null : this.#now()
  }

  /** Handles an event, which may mean that the candidate left or returned. @param atMs when it happened */
  note(kind: EventKind, atMs: number, awayMs = 0): void {
    if (kind === 'page_hidden' || kind === 'window_blur') this.#pause(atMs)
    else if (kind === 'page_visible') this.#sinceMs ??= this.#item === null ? null : this.#now()
    // The absence was excused, but the candidate was still away.
    else if (kind === 'focus_lost' && this.#sinceMs !== null) this.#sinceMs += awayMs
  }

  /** Sends the times that grew since the server last stored them, and remembers them once it has. */
  async tell<T>(send: (grown: Looked[]) => Promise<T>): Promise<T> {
    if (this.#sinceMs !== null) {
      const now = this.#now()
      this.#count(now)
      // The current stretch continues.
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
