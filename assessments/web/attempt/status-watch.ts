import type { Environment } from './environment.ts'

export class Pause {
  readonly #environment: Pick<Environment, 'setTimer'>
  #cut: (() => void) | undefined

  constructor(environment: Pick<Environment, 'setTimer'>) {
    this.#environment = environment
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#environment.setTimer(resolve, ms)
      this.#cut = () => {
        cancel()
        resolve()
      }
    })
  }

  end(): void {
    this.#cut?.()
  }
}

/** How often the page asks the server for the remaining time (product 6.7.3). */
const SYNC_MS = 60_000

/** Asks the server for the attempt's status repeatedly, one request at a time. */
export class StatusWatch {
  readonly #environment: Pick<Environment, 'setTimer'>
  readonly #ask: () => Promise<void>
  #isStopped = false
  #isAsking = false
  #isWanted = false
  #cancelTimer: (() => void) | undefined

  /** @param ask makes one request and handles its own failures */
  constructor(environment: Pick<Environment, 'setTimer'>, ask: () => Promise<void>) {
    this.#environment = environment
    this.#ask = ask
  }

  /** Schedules the first request after the interval. */
  start(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = this.#environment.setTimer(() => {
      this.start()
      void this.askNow()
    }, SYNC_MS)
  }

  async askNow(): Promise<void> {
    this.#isWanted = true
    if (this.#isAsking) return
    this.#isAsking = true
    // A response already under way may be too old, so this asks again.
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false
      await this.#ask()
    }
    this.#isAsking = false
  }

  stop(): void {
    this.#isStopped = true
    this.#cancelTimer?.()
  }
}
