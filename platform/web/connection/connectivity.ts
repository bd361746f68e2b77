import { useSyncExternalStore } from 'react'
import { retryPauseMs } from '../api-failure.ts'
import { Changing } from '../changing.ts'
import { browserClock, type CourierClock } from '../courier.ts'
import { FRESH } from './as-of.ts'

/** What every screen shows about the connection. */
export interface Connection {
  /** whether the last check got no response */
  isOffline: boolean
  /** the HTTP date of the oldest cached copy on screen, or null */
  asOf: string | null
}

const ONLINE: Connection = { isOffline: false, asOf: null }

/**
 * Whether the server is reachable, found by asking it (decision 050). The browser's own events only trigger a check.
 * While the server is unreachable, checks repeat with the pauses of product 6.6.4.
 */
export class Connectivity extends Changing {
  readonly #ask: () => Promise<boolean>
  readonly #clock: CourierClock
  #connection = ONLINE
  #isAsking = false
  #asksAgain = false
  /** responses so far: one that arrives during a check overrides it */
  #answers = 0
  #pauses = 0
  #cancelTimer: (() => void) | undefined

  /** @param ask whether the server responds now; never rejects */
  constructor(ask: () => Promise<boolean>, clock: CourierClock) {
    super()
    this.#ask = ask
    this.#clock = clock
  }

  readonly get = (): Connection => this.#connection
  readonly isOffline = (): boolean => this.#connection.isOffline

  /** Records a response. Status 500 and above may be a proxy's, and with an asOf date the server wasn't reached. */
  noteAnswer(status: number, asOf: string | null): void {
    if (status >= 500 || asOf === FRESH) return
    if (asOf !== null) {
      const before = this.#connection.asOf
      // What is shown may be as old as the oldest copy.
      const isOlder = before === null || Date.parse(asOf) < Date.parse(before)
      this.#lose(isOlder ? asOf : before)
      return
    }
    this.#answers += 1
    this.#pauses = 0
    this.#find()
  }

  /** Records a call without a response, and checks the server, because the problem may concern only that call. */
  noteFailure(): void {
    if (!this.#connection.isOffline) void this.check()
  }

  readonly check = async (): Promise<void> => {
    if (this.#isAsking) {
      this.#asksAgain = true
      return
    }
    this.#cancelTimer?.()
    this.#isAsking = true
    const answersBefore = this.#answers
    const isThere = await this.#ask()
    this.#isAsking = false
    if (isThere) this.#find()
    else if (this.#answers === answersBefore) this.#lose(this.#connection.asOf)
    if (!this.#asksAgain) return
    this.#asksAgain = false
    await this.check()
  }

  #lose(asOf: string | null): void {
    if (!this.#isAsking) this.#askLater()
    const { isOffline, asOf: before } = this.#connection
    if (isOffline && asOf === before) return
    this.#tell({ isOffline: true, asOf })
  }

  #find(): void {
    this.#cancelTimer?.()
    if (this.#connection.isOffline) this.#tell(ONLINE)
  }

  #askLater(): void {
    this.#cancelTimer?.()
    const pauseMs = retryPauseMs(this.#pauses, 0, this.#clock.random)
    this.#cancelTimer = this.#clock.setTimer(() => {
      this.#pauses += 1
      void this.check()
    }, pauseMs)
  }

  #tell(connection: Connection): void {
    this.#connection = connection
    this.changed()
  }
}

/** A small file that no cache and no service worker answers. */
const ASKED = '/favicon.svg'
/** Milliseconds after which the server counts as unreachable, as in the service worker. */
const ANSWER_LIMIT_MS = 5_000

const askServer = (): Promise<boolean> =>
  fetch(ASKED, {
    method: 'HEAD',
    cache: 'no-store',
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  }).then(
    ({ ok }) => ok,
    () => false,
  )

export const connectivity = new Connectivity(askServer, browserClock)

/** Checks the connection whenever the browser suggests a change. Call it once, before the first screen. */
export function followBrowser(): void {
  addEventListener('online', connectivity.check)
  addEventListener('offline', connectivity.check)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && connectivity.isOffline())
      void connectivity.check()
  })
  if (!navigator.onLine) void connectivity.check()
}

/** Whether the server is unreachable. */
export const useOffline = (): boolean =>
  useSyncExternalStore(connectivity.subscribe, connectivity.isOffline)

/** Runs something once: when the server becomes unreachable, or after `limitMs`. @returns a function that cancels it */
export function whenOfflineOrAfter(limitMs: number, run: () => void): () => void {
  const cancel = () => {
    clearTimeout(timer)
    stop()
  }
  const finish = () => {
    cancel()
    run()
  }
  const timer = setTimeout(finish, connectivity.isOffline() ? 0 : limitMs)
  const stop = connectivity.subscribe(() => {
    if (connectivity.isOffline()) finish()
  })
  return cancel
}
