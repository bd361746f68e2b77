import { askedWaitMs, retryPauseMs } from './api-failure.ts'

/** What a courier takes from the device; tests pass their own. */
export interface CourierClock {
  /** milliseconds on a clock that nobody can set */
  now(): number
  /** @returns a function that cancels */
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
  /** sends once; throws what may pass, and takes care of a refusal itself */
  deliver: () => Promise<void>
  onChange?: () => void
  /** woken during a try that fails, it tries again at once; else such a try has its pause like any other */
  triesAgainWhenWoken?: boolean
}

/** Something could not be delivered yet, and the server asked to wait so many milliseconds (0: it didn't). */
export class LeftForLater extends Error {
  readonly askedMs: number
  constructor(askedMs: number) {
    super('left for later')
    this.askedMs = askedMs
  }
}

/** Delivers one thing at a time until nothing is left, with the pauses of product 6.6.4 after failures. */
export class Courier {
  readonly #clock: CourierClock
  readonly #options: CourierOptions
  #failures = 0
  /** when the wait that the server asked for is over */
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

  /** Counts what is left from before as failed, until the first delivery. */
  startAsFailed(): void {
    this.#failures = 1
  }

  /** The next pause is the shortest again: something got through, or the network came back. */
  startOver(): void {
    this.#failures = 0
  }

  /** Tries at once, whatever pause is under way; only a wait that the server asked for is kept. */
  wake(): void {
    this.#isWoken = true
    const waitMs = this.#notBefore - this.#clock.now()
    if (waitMs > 0) this.#schedule(waitMs)
    else void this.flush()
  }

  /** Tries at once, or waits for the try under way. @returns whether nothing is left */
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

  /** @returns whether there is a pause before the next try */
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
