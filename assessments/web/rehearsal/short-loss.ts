import { ApiFailure } from '../../../platform/web/api-failure.ts'
import type { AttemptApi } from '../attempt/api.ts'
import type { Environment } from '../attempt/environment.ts'

export const LOSS_MS = 6_000
/** How many saved answers come before the outage, which starts at the next save. */
const SAVES_BEFORE = 1

/** Cuts a rehearsal's connection once, to show that answers are kept and no reload is needed (product 7.11.3). */
export class ShortLoss {
  readonly #environment: Pick<Environment, 'now'>
  readonly #tell: (loss: 'cut' | 'survived') => void
  #saves = 0
  #cutAtMs: number | null = null
  #isOver = false

  /** @param tell reports the cut and the first answer that gets through afterwards */
  constructor(
    environment: Pick<Environment, 'now'>,
    tell: (loss: 'cut' | 'survived') => void,
    isOver = false,
  ) {
    this.#environment = environment
    this.#tell = tell
    this.#isOver = isOver
  }

  /** Wraps the calls, which fail during the outage. */
  watch(api: AttemptApi): AttemptApi {
    const through = <T>(send: () => Promise<T>): Promise<T> =>
      this.#isCut()
        ? Promise.reject(new ApiFailure(0, { code: 'offline', message: 'No connection.' }))
        : send()
    return {
      start: () => api.start(),
      status: () => through(() => api.status()),
      report: (events) => through(() => api.report(events)),
      // The submit includes waiting answers. It is never cut, so that a quick candidate never sees a failed submit.
      submit: async (...given) => {
        const submitted = await api.submit(...given)
        this.#noteThrough()
        return submitted
      },
      save: async (answers, ...told) => {
        if (answers.length > 0) this.#cutWhenDue()
        const saved = await through(() => api.save(answers, ...told))
        if (answers.length > 0) {
          this.#saves += 1
          this.#noteThrough()
        }
        return saved
      },
    }
  }

  #isCut(): boolean {
    return this.#cutAtMs !== null && this.#environment.now() - this.#cutAtMs < LOSS_MS
  }

  #cutWhenDue(): void {
    if (this.#isOver || this.#cutAtMs !== null || this.#saves < SAVES_BEFORE) return
    this.#cutAtMs = this.#environment.now()
    this.#tell('cut')
  }

  #noteThrough(): void {
    if (this.#cutAtMs === null || this.#isOver) return
    this.#isOver = true
    this.#tell('survived')
  }
}
