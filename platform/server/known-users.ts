import type { CurrentUser } from './current-user.ts'

/** Sessions that a node remembers: some 3 MB. */
const LIMIT = 5_000
/** After so long a session is read again, whatever was announced, milliseconds. */
const KEEP_MS = 60_000

/** A read of sessions under way, and what was forgotten since it began: it may have come before. */
export interface Reading {
  readonly forgotten: Set<string>
  isVoid: boolean
}

interface Known {
  user: CurrentUser
  /** on the clock of elapsedMs */
  readAt: number
}

/**
 * Who has the sessions that were read a moment ago (product 2.1.11). Each node has its own, and it is worth
 * what the announcements of their ends are: as long as those are not followed nothing is remembered.
 */
export class KnownUsers {
  /** by session, in the order in which they were read */
  readonly #known = new Map<string, Known>()
  readonly #sessionsOf = new Map<string, Set<string>>()
  readonly #isFollowed: () => boolean
  readonly #limit: number
  readonly #elapsedMs: () => number
  readonly #underWay = new Set<Reading>()

  /** @param isFollowed whether everything that was announced until a moment ago has arrived here */
  constructor(
    isFollowed: () => boolean,
    { limit = LIMIT, elapsedMs = () => performance.now() } = {},
  ) {
    this.#isFollowed = isFollowed
    this.#limit = limit
    this.#elapsedMs = elapsedMs
  }

  get size(): number {
    return this.#known.size
  }

  /** Who has a session; undefined where it has to be read. */
  recall(sessionId: string): CurrentUser | undefined {
    const known = this.#known.get(sessionId)
    if (!known || !this.#isFollowed()) return undefined
    if (this.#elapsedMs() - known.readAt < KEEP_MS) return known.user
    this.#remove(sessionId)
    return undefined
  }

  /** Asked for before sessions are read; endRead has to follow. */
  beginRead(): Reading {
    const reading = { forgotten: new Set<string>(), isVoid: !this.#isFollowed() }
    this.#underWay.add(reading)
    return reading
  }

  endRead(reading: Reading): void {
    this.#underWay.delete(reading)
  }

  /** Remembers what a read under way has found, unless it was forgotten meanwhile. */
  remember(user: CurrentUser, reading: Reading): void {
    if (reading.isVoid || reading.forgotten.has(user.id) || !this.#isFollowed()) return
    this.#remove(user.sessionId)
    if (this.#known.size >= this.#limit) {
      // The one that was read first would be the first to be read again anyway.
      const [oldest] = this.#known.keys()
      if (oldest !== undefined) this.#remove(oldest)
    }
    this.#known.set(user.sessionId, { user, readAt: this.#elapsedMs() })
    const own = this.#sessionsOf.get(user.id)
    if (own) own.add(user.sessionId)
    else this.#sessionsOf.set(user.id, new Set([user.sessionId]))
  }

  /** Something has changed about a person, or a session of theirs is over. */
  forget(userId: string): void {
    for (const { forgotten } of this.#underWay) forgotten.add(userId)
    for (const sessionId of this.#sessionsOf.get(userId) ?? []) this.#known.delete(sessionId)
    this.#sessionsOf.delete(userId)
  }

  forgetAll(): void {
    for (const reading of this.#underWay) reading.isVoid = true
    this.#known.clear()
    this.#sessionsOf.clear()
  }

  #remove(sessionId: string): void {
    const known = this.#known.get(sessionId)
    if (!known) return
    this.#known.delete(sessionId)
    const own = this.#sessionsOf.get(known.user.id)
    own?.delete(sessionId)
    if (own?.size === 0) this.#sessionsOf.delete(known.user.id)
  }
}
