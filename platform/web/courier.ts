import { askedWaitMs, retryPauseMs } from './api-failure.ts'

/** The clock of a retry queue; tests pass their own. */
export interface CourierClock {
  /** monotonic milliseconds */
  now(): number
  /** @returns a function that cancels the timer */
  setTimer(run: () => void, delayMs: number): () => void
  /** 0 ≤ n < 1 */
  random(): number
}

export const browserClock: CourierClock = {
  now: () => performance.now(),
  setTimer: (run, delayMs) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
  random: Math.random,
}

export interface CourierOptions {
  hasWork: () => boolean
  /** sends once; throws temporary failures and handles refusals itself */
  deliver: () => Promise<void>
  onChange?: () => void
  /** whether a failing try is repeated immediately if it was woken meanwhile, instead of after a pause */
  triesAgainWhenWoken?: boolean
}

/** An item couldn't be delivered yet. The server asked to wait `askedMs` milliseconds, or 0. */
export class LeftForLater extends Error {
  readonly askedMs: number
  constructor(askedMs: number) {
    super('left for later')
    this.askedMs = askedMs
  }
}

/** Delivers one item at a time until none is left. Pauses after failures (product 6.6.4). */
export class Courier {
  readonly #clock: CourierClock
  readonly #options: CourierOptions
  #failures = 0
  /** when the wait that the server asked for ends */
  #notBefore = 0
  #isStopped = false
  #isWoken = false
  #running: Promise<void> | undefined
  #cancelTimer: (() => void) | undefined

  constructor(clock: CourierClock, options: CourierOptions) {
    this.#clock = clock
    this.#options = options
  }

  get failures(): number {
    return this.#failures
  }

  /** Treats items of an earlier visit as failed once. */
  startAsFailed(): void {
    this.#failures = 1
  }

  /** Resets the pause to the shortest, because a delivery succeeded or the network returned. */
  startOver(): void {
    this.#failures = 0
  }

  /** Tries immediately and skips any pause except one that the server asked for. */
  wake(): void {
    this.#isWoken = true
    const waitMs = this.#notBefore - this.#clock.now()
    if (waitMs > 0) this.#schedule(waitMs)
    else void this.flush()
  }

  /** Tries immediately, or waits for the current try. @returns whether nothing is left */
  async flush(): Promise<boolean> {
    if (this.#isStopped) return false
    if (!this.#options.hasWork()) return true
    this.#running ??= this.#run()
    await this.#running
    return !this.#options.hasWork()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelTimer?.()
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  async #run(): Promise<void> {
    this.#cancelTimer?.()
    let isPaused = false
    while (!isPaused && !this.#isStopped && this.#options.hasWork()) {
      this.#isWoken = false
      try {
        await this.#options.deliver()
        this.#failures = 0
        this.#notBefore = 0
      } catch (error) {
        if (!this.#isStopped) isPaused = this.#pauseAfter(error)
      }
    }
    this.#running = undefined
    this.#options.onChange?.()
  }

  /** @returns whether the next try comes after a pause */
  #pauseAfter(error: unknown): boolean {
    const askedMs = error instanceof LeftForLater ? error.askedMs : askedWaitMs(error)
    if (askedMs > 0) this.#notBefore = this.#clock.now() + askedMs
    else if (this.#options.triesAgainWhenWoken && this.#isWoken) return false
    this.#schedule(retryPauseMs(this.#failures, askedMs, this.#clock.random))
    this.#failures += 1
    return true
  }

  #schedule(delayMs: number): void {
    this.#cancelTimer?.()
    this.#cancelTimer = this.#clock.setTimer(() => void this.flush(), delayMs)
  }
}
