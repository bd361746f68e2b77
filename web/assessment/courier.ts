import { ApiFailure } from '../api-failure.ts'
import type { Environment } from './environment.ts'

/** The pauses between tries (design, section 6, Autosave); the last one repeats. */
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000]
/** So that a lecture hall that comes back online doesn't call in step. */
const JITTER = 0.2
/** No Retry-After keeps an answer from the server for longer. */
const LONGEST_WAIT_MS = 60_000

/** A pause with jitter, milliseconds: never shorter, and up to a fifth longer. */
export function spread(pauseMs: number, { random }: Pick<Environment, 'random'>): number {
  return pauseMs * (1 + JITTER * random())
}

export interface CourierOptions {
  hasWork: () => boolean
  /** sends once; throws what may pass, and takes care of a refusal itself */
  deliver: () => Promise<void>
  onChange: () => void
}

/**
 * Delivers one thing at a time until nothing is left, and tries again after a failure. Both queues of an
 * attempt have one.
 */
export class Courier {
  readonly #environment: Environment
  readonly #options: CourierOptions
  #failures = 0
  #notBefore = 0
  #isStopped = false
  #running: Promise<void> | undefined
  #cancelTimer: (() => void) | undefined

  constructor(environment: Environment, options: CourierOptions) {
    this.#environment = environment
    this.#options = options
  }

  /** How many tries in a row have failed. */
  get failures(): number {
    return this.#failures
  }

  /** Counts what is left from before as failed, until the first delivery. */
  startAsFailed(): void {
    this.#failures = 1
  }

  /** Tries at once, whatever pause is under way; only a wait that the server asked for is kept. */
  wake(): void {
    const waitMs = this.#notBefore - this.#environment.now()
    if (waitMs > 0) this.#schedule(waitMs)
    else void this.flush()
  }

  /**
   * Tries at once, or waits for the try under way.
   * @returns whether nothing is left
   */
  async flush(): Promise<boolean> {
    if (this.#isStopped) return false
    if (!this.#options.hasWork()) return true
    this.#running ??= this.#run()
    await this.#running
    return !this.#options.hasWork()
  }

  /** Delivers nothing more. */
  stop(): void {
    this.#isStopped = true
    this.#cancelTimer?.()
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  async #run(): Promise<void> {
    this.#cancelTimer?.()
    try {
      while (!this.#isStopped && this.#options.hasWork()) {
        await this.#options.deliver()
        this.#failures = 0
        this.#notBefore = 0
      }
    } catch (error) {
      if (!this.#isStopped) this.#retryAfter(error)
    } finally {
      this.#running = undefined
      this.#options.onChange()
    }
  }

  #retryAfter(error: unknown): void {
    const delay = RETRY_DELAYS_MS[Math.min(this.#failures, RETRY_DELAYS_MS.length - 1)] as number
    this.#failures += 1
    const asked = error instanceof ApiFailure ? Math.min(error.retryAfterMs, LONGEST_WAIT_MS) : 0
    if (asked > 0) this.#notBefore = this.#environment.now() + asked
    // Also of a pause that the server asked for: it asked everybody for the same.
    this.#schedule(spread(Math.max(asked, delay), this.#environment))
  }

  #schedule(delayMs: number): void {
    this.#cancelTimer?.()
    this.#cancelTimer = this.#environment.setTimer(() => void this.flush(), delayMs)
  }
}
