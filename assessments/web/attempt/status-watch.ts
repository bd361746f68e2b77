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

/** The server is asked this often how much time is left (product 6.7.3). */
const SYNC_MS = 60_000

/** Asks the server again and again how the attempt stands, one question at a time. */
export class StatusWatch {
  readonly #environment: Pick<Environment, 'setTimer'>
  readonly #ask: () => Promise<void>
  #isStopped = false
  #isAsking = false
  #isWanted = false
  #cancelTimer: (() => void) | undefined

  /** @param ask asks once, and takes care of its own failures */
  constructor(environment: Pick<Environment, 'setTimer'>, ask: () => Promise<void>) {
    this.#environment = environment
    this.#ask = ask
  }

  /** The first question comes after a while. */
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
    // An answer that was under way when this was called may be older than what it asks for.
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
