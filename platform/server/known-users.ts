import type { CurrentUser } from './current-user.ts'

/** Sessions that a node remembers: some 3 MB. */
const LIMIT = 5_000
/** After so long a session is read again, whatever was announced, milliseconds. */
const KEEP_MS = 60_000

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
  /** rises whenever something is forgotten */
  #changes = 0

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

  /** What a read of sessions has to show afterwards to be remembered; asked before it begins. */
  beginRead(): number {
    return this.#changes
  }

  /**
   * Remembers what was read, unless something was announced meanwhile: the read may have come before.
   * @param begun what beginRead told
   */
  remember(user: CurrentUser, begun: number): void {
    if (begun !== this.#changes || !this.#isFollowed()) return
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
    this.#changes += 1
    for (const sessionId of this.#sessionsOf.get(userId) ?? []) this.#known.delete(sessionId)
    this.#sessionsOf.delete(userId)
  }

  forgetAll(): void {
    this.#changes += 1
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
