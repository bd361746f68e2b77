import { askedWaitMs, retryPauseMs } from '../../../platform/web/retry.ts'
import type { Environment } from './environment.ts'

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
    const askedMs = askedWaitMs(error)
    if (askedMs > 0) this.#notBefore = this.#environment.now() + askedMs
    this.#schedule(retryPauseMs(this.#failures, askedMs, this.#environment.random))
    this.#failures += 1
  }

  #schedule(delayMs: number): void {
    this.#cancelTimer?.()
    this.#cancelTimer = this.#environment.setTimer(() => void this.flush(), delayMs)
  }
}
