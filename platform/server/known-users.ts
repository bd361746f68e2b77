import type { CurrentUser } from './current-user.ts'

/** Sessions in a node's cache, about 12 MB. If 10,000 candidates take turns, a smaller cache would never hit. */
const LIMIT = 20_000
/** Milliseconds after which a session is read again in any case. */
const KEEP_MS = 60_000

/** A read in progress, and the people forgotten since it began: its rows may be older than the change. */
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
  /** maximum number of entries; the oldest read is evicted first */
  limit: number
  /** milliseconds */
  keepMs: number
  /** a monotonic clock, in milliseconds */
  elapsedMs: () => number
}

/** A cache of what was read about people. It is only as good as the change notifications. */
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

  /** Returns the cached value, or undefined if it has to be read. */
  recall(key: string): T | undefined {
    const known = this.#known.get(key)
    if (!known || !this.#isFollowed()) return undefined
    if (this.#options.elapsedMs() - known.readAt < this.#options.keepMs) return known.value
    this.#remove(key)
    return undefined
  }

  /** Call before a read, and call endRead afterwards. */
  beginRead(): Reading {
    const reading = { forgotten: new Set<string>(), isVoid: !this.#isFollowed() }
    this.#underWay.add(reading)
    return reading
  }

  endRead(reading: Reading): void {
    this.#underWay.delete(reading)
  }

  /** Caches a read's result about a person, unless the person was forgotten in the meantime. */
  remember(key: string, userId: string, value: T, reading: Reading): void {
    if (reading.isVoid || reading.forgotten.has(userId) || !this.#isFollowed()) return
    this.#remove(key)
    if (this.#known.size >= this.#options.limit) {
      // The oldest read would be repeated first anyway.
      const [oldest] = this.#known.keys()
      if (oldest !== undefined) this.#remove(oldest)
    }
    this.#known.set(key, { value, userId, readAt: this.#options.elapsedMs() })
    const own = this.#keysOf.get(userId)
    if (own) own.add(key)
    else this.#keysOf.set(userId, new Set([key]))
  }

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

/** Caches sessions (product 2.1.11) while change notifications arrive. */
export class KnownUsers {
  readonly sessions: Known<CurrentUser>
  readonly #isFollowed: () => boolean
  readonly #elapsedMs: () => number
  readonly #all: Pick<Known<unknown>, 'forget' | 'forgetAll'>[]

  /** @param isFollowed whether all recent change notifications have arrived */
  constructor(
    isFollowed: () => boolean,
    { limit = LIMIT, elapsedMs = () => performance.now() } = {},
  ) {
    this.#isFollowed = isFollowed
    this.#elapsedMs = elapsedMs
    this.sessions = new Known(isFollowed, { limit, keepMs: KEEP_MS, elapsedMs })
    this.#all = [this.sessions]
  }

  /** Creates a cache for other data about people, which is dropped together with their sessions. */
  beside<T>(options: Pick<Options, 'limit' | 'keepMs'>): Known<T> {
    const known = new Known<T>(this.#isFollowed, { ...options, elapsedMs: this.#elapsedMs })
    this.#all.push(known)
    return known
  }

  /** Drops everything cached about a person who changed or whose session ended. */
  forget(userId: string): void {
    for (const known of this.#all) known.forget(userId)
  }

  forgetAll(): void {
    for (const known of this.#all) known.forgetAll()
  }
}
