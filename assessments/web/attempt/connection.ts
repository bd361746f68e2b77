import { ApiFailure, retryPauseMs } from '../../../platform/web/api-failure.ts'
import { Changing } from '../../../platform/web/changing.ts'
import type { AttemptApi } from './api.ts'
import type { Environment } from './environment.ts'

/** Tracks whether calls reach the server, and retries while they don't, with the pauses of product 6.6.4. */
export class Connection extends Changing {
  readonly #environment: Pick<Environment, 'setTimer' | 'random'>
  readonly #onTry: () => void
  #isLost = false
  #isStopped = false
  #cancelTimer: (() => void) | undefined

  /** @param onTry makes any call that is due */
  constructor(environment: Pick<Environment, 'setTimer' | 'random'>, onTry: () => void) {
    super()
    this.#environment = environment
    this.#onTry = onTry
  }

  /** Wraps the calls and records whether each reached the server. */
  watch(api: AttemptApi): AttemptApi {
    const noted =
      <Given extends unknown[], Answer>(send: (...given: Given) => Promise<Answer>) =>
      async (...given: Given): Promise<Answer> => {
        try {
          const answer = await send(...given)
          this.#note(false)
          return answer
        } catch (error) {
          // An error response still means that the server is reachable.
          if (error instanceof ApiFailure) this.#note(error.code === 'offline')
          throw error
        }
      }
    return {
      start: noted(api.start),
      status: noted(api.status),
      save: noted(api.save),
      report: noted(api.report),
      submit: noted(api.submit),
    }
  }

  /** Whether the last finished call failed to reach the server. */
  readonly isLost = (): boolean => this.#isLost

  stop(): void {
    this.#isStopped = true
    this.#cancelTimer?.()
  }

  #note(isLost: boolean): void {
    if (isLost === this.#isLost) return
    this.#isLost = isLost
    this.#cancelTimer?.()
    if (isLost && !this.#isStopped) this.#tryAgain(0)
    this.changed()
  }

  #tryAgain(tries: number): void {
    const pauseMs = retryPauseMs(tries, 0, this.#environment.random)
    this.#cancelTimer = this.#environment.setTimer(() => {
      this.#tryAgain(tries + 1)
      this.#onTry()
    }, pauseMs)
  }
}
