import type { Environment } from './environment.ts'

/** A pause that can be cut short. */
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

  /** Ends the pause under way, if there is one. */
  end(): void {
    this.#cut?.()
  }
}
