import type { Database } from '../../../platform/database/database.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { describeError } from '../../../platform/server/log.ts'
import { untilNextLook } from '../../day/look-times.ts'
import { inSnapshot } from '../action.ts'
import { Picture } from './picture.ts'
import type { Whose } from './read-people.ts'

/** A picture is brought up to date no more often, however many watch. */
const FRESH_MS = 1_500
/**
 * So long before the pages look again it is brought up to date: they find it ready, and a save does not meet both
 * at once.
 */
const AHEAD_MS = 120
/** Without a reader for so long it is dropped. */
const UNREAD_MS = 60_000
/**
 * How often all of it is compared with what is stored: following has not been found wrong, and reading everything
 * costs a quarter second of the server and of the database for 2,000 candidates.
 */
export const REBUILD_MS = 10 * 60_000
/** How often it is looked whether one is to be dropped or rebuilt. */
const TICK_MS = 5_000
/** Pictures of one node; of 2,000 candidates one takes some 3 MB. */
const MOST = 40
/** One that nobody has read for so long makes room for another. */
const IDLE_MS = 15_000
/**
 * Connections that watching has in hand at most, of the node's twenty: a page that is looked at never makes
 * a save wait for one.
 */
const CONNECTIONS = 2

/** What a node tells of its watching (product 9.10.1). */
export interface LiveFigures {
  pictures: number
  /** since the start */
  updates: number
  rebuilds: number
  /** facts that following had not made as they are stored */
  differences: number
}

export const noFigures = (): LiveFigures => ({
  pictures: 0,
  updates: 0,
  rebuilds: 0,
  differences: 0,
})

interface Watched {
  whose: Whose
  picture: Picture
  isBuilt: boolean
  readMs: number
  freshMs: number
  rebuiltMs: number
  /** what is under way, which others share */
  work: Promise<void> | null
  isRebuilding: boolean
  /** when it is brought up to date for the next look */
  ahead: NodeJS.Timeout | undefined
}

/**
 * The pictures of the assessments that somebody watches on this node: each is read by one query at a time,
 * every second and a half at most (product 7.14.2).
 */
export class Watch {
  readonly #db: Database
  readonly #now: () => Date
  readonly #log: AppDependencies['log']
  readonly #figures: LiveFigures
  readonly #watched = new Map<string, Watched>()
  readonly #waiting: (() => void)[] = []
  #inHand = 0
  #timer: NodeJS.Timeout | undefined

  constructor(
    { db, now, log }: Pick<AppDependencies, 'db' | 'now' | 'log'>,
    figures: LiveFigures = noFigures(),
  ) {
    this.#db = db
    this.#now = now
    this.#log = log
    this.#figures = figures
  }

  /**
   * The picture of an assessment, 1.5 s old at most; while it is rebuilt, as it was before.
   * Errors: 503 busy where very many are watched on this node; those of the database.
   */
  async see(whose: Whose): Promise<Picture> {
    const nowMs = this.#now().getTime()
    const known = this.#watched.get(keyOf(whose)) ?? this.#begin(whose, nowMs)
    known.readMs = nowMs
    if (known.isBuilt && known.isRebuilding) return known.picture
    // A clock that was set back says nothing of the age.
    const isFresh = known.isBuilt && Math.abs(nowMs - known.freshMs) < FRESH_MS
    if (!isFresh) await this.#share(known, () => this.#refresh(known))
    return known.picture
  }

  /** Has a picture that is watched up to date when its pages look again (product 7.14.7). */
  prepareNextLook(whose: Whose): void {
    const known = this.#watched.get(keyOf(whose))
    if (!known || known.ahead) return
    const inMs = untilNextLook(whose.code, this.#now().getTime() + AHEAD_MS)
    known.ahead = setTimeout(() => {
      known.ahead = undefined
      if (this.#watched.get(keyOf(whose)) !== known || known.isRebuilding) return
      // Whoever looks meanwhile waits for it, and is told what went wrong.
      this.#share(known, () => this.#refresh(known)).catch(() => {})
    }, inMs).unref()
  }

  /** What is read next is not older than now: somebody pressed something here. */
  isOutdated(whose: Whose): void {
    const known = this.#watched.get(keyOf(whose))
    if (known) known.freshMs = Number.NEGATIVE_INFINITY
  }

  /** Drops what nobody reads, and rebuilds what is due. */
  async tick(): Promise<void> {
    const nowMs = this.#now().getTime()
    for (const [key, one] of this.#watched) {
      if (nowMs - one.readMs >= UNREAD_MS && !one.work) this.#watched.delete(key)
    }
    this.#figures.pictures = this.#watched.size
    if (this.#watched.size === 0) this.#stop()
    for (const one of [...this.#watched.values()]) {
      if (!one.isBuilt || nowMs - one.rebuiltMs < REBUILD_MS) continue
      await this.#share(one, () => this.#compare(one)).catch(() => {})
    }
  }

  #begin(whose: Whose, nowMs: number): Watched {
    if (this.#watched.size >= MOST) this.#makeRoom(nowMs)
    const made: Watched = {
      ...{ whose, picture: new Picture(whose), isBuilt: false, readMs: nowMs },
      ...{ freshMs: 0, rebuiltMs: nowMs, work: null, isRebuilding: false, ahead: undefined },
    }
    this.#watched.set(keyOf(whose), made)
    this.#figures.pictures = this.#watched.size
    this.#timer ??= setInterval(() => void this.tick(), TICK_MS).unref()
    return made
  }

  #makeRoom(nowMs: number): void {
    const [key, oldest] = [...this.#watched].sort(([, a], [, b]) => a.readMs - b.readMs)[0] ?? []
    if (key === undefined || !oldest || nowMs - oldest.readMs < IDLE_MS) {
      throw new ApiError(
        503,
        'unavailable',
        'Very many tests are watched at this moment. Please try again in a moment.',
        { retryAfterSeconds: 5 },
      )
    }
    this.#watched.delete(key)
  }

  /** One query at a time for each picture: whoever comes meanwhile shares it. */
  #share(one: Watched, work: () => Promise<void>): Promise<void> {
    one.work ??= this.#withConnection(work)
      .catch((error) => {
        // What was told by half is not to be followed further: the next reader begins anew.
        this.#watched.delete(keyOf(one.whose))
        this.#log.info({ error: describeError(error) }, 'a picture of a test could not be read')
        throw error
      })
      .finally(() => {
        one.work = null
        one.isRebuilding = false
      })
    return one.work
  }

  async #refresh(one: Watched): Promise<void> {
    const now = this.#now()
    if (!one.isBuilt) {
      await inSnapshot(this.#db, (client) => one.picture.build(client, now))
      one.rebuiltMs = now.getTime()
    } else if (await one.picture.update(this.#db.$client, now)) {
      await inSnapshot(this.#db, (client) => one.picture.rebuild(client, now))
      one.rebuiltMs = now.getTime()
    }
    one.isBuilt = true
    one.freshMs = now.getTime()
    this.#figures.updates += 1
  }

  async #compare(one: Watched): Promise<void> {
    one.isRebuilding = true
    const now = this.#now()
    const differences = await inSnapshot(this.#db, (client) => one.picture.rebuild(client, now))
    one.rebuiltMs = now.getTime()
    one.freshMs = now.getTime()
    this.#figures.rebuilds += 1
    this.#figures.differences += differences
    if (differences > 0) this.#log.info({ differences }, 'a picture of a test was not as stored')
  }

  async #withConnection(work: () => Promise<void>): Promise<void> {
    if (this.#inHand >= CONNECTIONS) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#inHand += 1
    try {
      await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#inHand -= 1
    }
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

const keyOf = ({ code, demo }: Whose) => `${code} ${demo}`
