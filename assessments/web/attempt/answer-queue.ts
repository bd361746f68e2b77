import * as z from 'zod/mini'
import type { OptionLetter } from '../../../platform/options.ts'
import { optionLetterSchema } from '../../../platform/options.ts'
import { Courier } from '../../../platform/web/courier.ts'
import { type KeyValueStore, parseStored } from '../../../platform/web/storage.ts'
import type { Environment } from './environment.ts'
import { answerKey, answersPrefix } from './keys.ts'

const waitingSchema = z.object({
  /** The attempt and window that the choice belongs to. */
  reference: z.string(),
  windowId: z.string(),
  questionId: z.int(),
  choice: optionLetterSchema,
  revision: z.int(),
  /** The server's revision when the first of these unsaved choices was made. */
  baseRevision: z.int(),
  /** Milliseconds since the response that started its window. */
  at: z.number(),
})
export type WaitingAnswer = z.infer<typeof waitingSchema>

export type SentAnswer = Pick<WaitingAnswer, 'questionId' | 'choice' | 'revision' | 'at'>
export interface SavedRevision {
  questionId: number
  revision: number
}

/** 'retrying' lasts from the first failure until everything is confirmed. */
export type SaveState = 'saved' | 'saving' | 'retrying'

/** The choices of an attempt that are still stored on this device. Skips unreadable ones. */
export function readWaitingAnswers(store: KeyValueStore, prefix: string): WaitingAnswer[] {
  return store.keys(answersPrefix(prefix)).flatMap((key) => {
    return parseStored(store.get(key), waitingSchema) ?? []
  })
}

/** Deletes a choice from the device, unless a newer one has replaced it. */
export function forgetWaitingAnswer(
  store: KeyValueStore,
  prefix: string,
  { questionId, revision, windowId }: WaitingAnswer,
): void {
  const key = answerKey(prefix, questionId)
  const stored = parseStored(store.get(key), waitingSchema)
  if (stored?.windowId === windowId && stored.revision <= revision) store.remove(key)
}

interface AnswerQueueOptions {
  environment: Environment
  prefix: string
  reference: string
  windowId: string
  send: (answers: SentAnswer[]) => Promise<SavedRevision[]>
  /** Returns true if the failure is permanent and stops sending. */
  onFailure: (error: unknown) => boolean
  onChange: () => void
}

/** An attempt's choices: shown immediately, kept on the device, sent one request at a time (product 6.6.3). */
export class AnswerQueue {
  readonly #options: AnswerQueueOptions
  readonly #courier: Courier
  readonly #choices = new Map<number, OptionLetter>()
  /** The newest known revision of each question. */
  readonly #revisions = new Map<number, number>()
  readonly #waiting = new Map<number, WaitingAnswer>()
  /** The error of the last try, or null if it succeeded. */
  #failure: unknown = null

  constructor(options: AnswerQueueOptions) {
    this.#options = options
    this.#courier = new Courier(options.environment, {
      hasWork: () => this.#waiting.size > 0,
      deliver: () => this.#deliver(),
      onChange: options.onChange,
    })
  }

  /** Takes the server's answers, then applies the choices left on this device and sends them immediately. */
  load(
    saved: readonly { questionId: number; choice: OptionLetter; revision: number }[],
    leftovers: readonly WaitingAnswer[],
  ): void {
    for (const { questionId, choice, revision } of saved) {
      this.#choices.set(questionId, choice)
      this.#revisions.set(questionId, revision)
    }
    for (const left of leftovers) {
      const { reference, windowId } = this.#options
      // It was chosen before this window opened.
      this.#keep({ ...left, reference, windowId, at: 0 })
    }
    if (leftovers.length === 0) return
    this.#courier.startAsFailed()
    this.#courier.wake()
  }

  choose(questionId: number, choice: OptionLetter, at: number): void {
    if (this.#choices.get(questionId) === choice || this.#courier.isStopped) return
    const { reference, windowId } = this.#options
    const known = this.#revisions.get(questionId) ?? 0
    this.#keep({
      reference,
      windowId,
      questionId,
      choice,
      revision: known + 1,
      baseRevision: this.#waiting.get(questionId)?.baseRevision ?? known,
      at: Math.max(0, at),
    })
    this.#options.onChange()
    this.#courier.wake()
  }

  get choices(): ReadonlyMap<number, OptionLetter> {
    return this.#choices
  }

  get saveState(): SaveState {
    if (this.#waiting.size === 0) return 'saved'
    return this.#courier.failures > 0 ? 'retrying' : 'saving'
  }

  get failure(): unknown {
    return this.#failure
  }

  get waiting(): SentAnswer[] {
    return [...this.#waiting.values()].map(({ questionId, choice, revision, at }) => ({
      questionId,
      choice,
      revision,
      at,
    }))
  }

  wake(): void {
    this.#courier.wake()
  }

  /** Tries to send immediately. @returns whether the server has everything */
  flush(): Promise<boolean> {
    return this.#courier.flush()
  }

  /** Sends waiting choices even during another request, because the page is about to close. */
  flushBeside(): void {
    if (this.#waiting.size === 0 || this.#courier.isStopped) return
    const sent = this.waiting
    this.#options.send(sent).then(
      (saved) => this.#settle(sent, saved),
      // The queue's regular tries report failures.
      () => {},
    )
  }

  /** Stops sending. Waiting choices stay on the device. */
  stop(): void {
    this.#courier.stop()
  }

  /** Deletes waiting choices from the device, because the server has them or will never accept them. */
  clear(): void {
    const { environment, prefix } = this.#options
    for (const waiting of this.#waiting.values()) {
      forgetWaitingAnswer(environment.store, prefix, waiting)
    }
    this.#waiting.clear()
    this.#options.onChange()
  }

  #keep(waiting: WaitingAnswer): void {
    const { environment, prefix } = this.#options
    this.#choices.set(waiting.questionId, waiting.choice)
    this.#revisions.set(waiting.questionId, waiting.revision)
    this.#waiting.set(waiting.questionId, waiting)
    environment.store.set(answerKey(prefix, waiting.questionId), JSON.stringify(waiting))
  }

  async #deliver(): Promise<void> {
    const sent = this.waiting
    try {
      this.#settle(sent, await this.#options.send(sent))
      this.#failure = null
    } catch (error) {
      this.#failure = error
      if (this.#options.onFailure(error)) this.stop()
      throw error
    }
  }

  #settle(sent: readonly SentAnswer[], saved: readonly SavedRevision[]): void {
    const { environment, prefix } = this.#options
    const stored = new Map(saved.map(({ questionId, revision }) => [questionId, revision]))
    for (const answer of sent) {
      const revision = stored.get(answer.questionId)
      const waiting = this.#waiting.get(answer.questionId)
      if (revision === undefined || !waiting) continue
      if (revision > waiting.revision) {
        // The server has a newer choice than the screen. The shown choice must count, so it gets a higher revision.
        this.#keep({ ...waiting, revision: revision + 1, baseRevision: revision })
      } else if (revision === waiting.revision) {
        this.#waiting.delete(answer.questionId)
        forgetWaitingAnswer(environment.store, prefix, waiting)
      } else {
        // The candidate chose again while the older choice was being sent.
        this.#keep({ ...waiting, baseRevision: revision })
      }
    }
    this.#options.onChange()
  }
}
