import type { CurrentUser } from './current-user.ts'

/** Sessions that a node remembers, some 12 MB: of 10,000 candidates who call in turn, fewer would serve none. */
const LIMIT = 20_000
/** After so long a session is read again, whatever was announced, milliseconds. */
const KEEP_MS = 60_000

/** A read under way, and what was forgotten since it began: it may have come before. */
export interface Reading {
  readonly forgotten: Set<string>
  isVoid: boolean
}

interface Remembered<T> {
  value: T
  userId: string
  /** on the clock of elapsedMs */
  readAt: number
}

interface Options {
  /** how many are remembered; the one that was read first goes first */
  limit: number
  /** milliseconds */
  keepMs: number
  /** a clock that no one sets, milliseconds */
  elapsedMs: () => number
}

/** What was read of people a moment ago, by a key: worth what the announcements of its changes are. */
export class Known<T> {
  /** in the order in which they were read */
  readonly #known = new Map<string, Remembered<T>>()
  readonly #keysOf = new Map<string, Set<string>>()
  readonly #isFollowed: () => boolean
  readonly #options: Options
  readonly #underWay = new Set<Reading>()

  constructor(isFollowed: () => boolean, options: Options) {
    this.#isFollowed = isFollowed
    this.#options = options
  }

  get size(): number {
    return this.#known.size
  }

  /** What was read; undefined where it has to be read. */
  recall(key: string): T | undefined {
    const known = this.#known.get(key)
    if (!known || !this.#isFollowed()) return undefined
    if (this.#options.elapsedMs() - known.readAt < this.#options.keepMs) return known.value
    this.#remove(key)
    return undefined
  }

  /** Asked for before something is read; endRead has to follow. */
  beginRead(): Reading {
    const reading = { forgotten: new Set<string>(), isVoid: !this.#isFollowed() }
    this.#underWay.add(reading)
    return reading
  }

  endRead(reading: Reading): void {
    this.#underWay.delete(reading)
  }

  /** Remembers what a read under way has found about a person, unless that was forgotten meanwhile. */
  remember(key: string, userId: string, value: T, reading: Reading): void {
    if (reading.isVoid || reading.forgotten.has(userId) || !this.#isFollowed()) return
    this.#remove(key)
    if (this.#known.size >= this.#options.limit) {
      // The one that was read first would be the first to be read again anyway.
      const [oldest] = this.#known.keys()
      if (oldest !== undefined) this.#remove(oldest)
    }
    this.#known.set(key, { value, userId, readAt: this.#options.elapsedMs() })
    const own = this.#keysOf.get(userId)
    if (own) own.add(key)
    else this.#keysOf.set(userId, new Set([key]))
  }

  /** Something has changed about a person. */
  forget(userId: string): void {
    for (const { forgotten } of this.#underWay) forgotten.add(userId)
    for (const key of this.#keysOf.get(userId) ?? []) this.#known.delete(key)
    this.#keysOf.delete(userId)
  }

  forgetAll(): void {
    for (const reading of this.#underWay) reading.isVoid = true
    this.#known.clear()
    this.#keysOf.clear()
  }

  #remove(key: string): void {
    const known = this.#known.get(key)
    if (!known) return
    this.#known.delete(key)
    const own = this.#keysOf.get(known.userId)
    own?.delete(key)
    if (own?.size === 0) this.#keysOf.delete(known.userId)
  }
}

/** Who has the sessions that were read a moment ago (product 2.1.11), as long as announcements are followed. */
export class KnownUsers {
  readonly sessions: Known<CurrentUser>
  readonly #isFollowed: () => boolean
  readonly #elapsedMs: () => number
  readonly #all: Pick<Known<unknown>, 'forget' | 'forgetAll'>[]

  /** @param isFollowed whether everything that was announced until a moment ago has arrived here */
  constructor(
    isFollowed: () => boolean,
    { limit = LIMIT, elapsedMs = () => performance.now() } = {},
  ) {
    this.#isFollowed = isFollowed
    this.#elapsedMs = elapsedMs
    this.sessions = new Known(isFollowed, { limit, keepMs: KEEP_MS, elapsedMs })
    this.#all = [this.sessions]
  }

  /** Room for what else is read of people, and forgotten with their sessions. */
  beside<T>(options: Pick<Options, 'limit' | 'keepMs'>): Known<T> {
    const known = new Known<T>(this.#isFollowed, { ...options, elapsedMs: this.#elapsedMs })
    this.#all.push(known)
    return known
  }

  /** Something has changed about a person, or a session of theirs is over. */
  forget(userId: string): void {
    for (const known of this.#all) known.forget(userId)
  }

  forgetAll(): void {
    for (const known of this.#all) known.forgetAll()
  }
}
