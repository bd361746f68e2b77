import * as z from 'zod/mini'
import { Courier } from '../../../platform/web/courier.ts'
import { type KeyValueStore, parseStored } from '../../../platform/web/storage.ts'
import { COUNTED_KINDS, EVENT_KINDS, type EventKind, WAYS_OPENED } from '../../violations.ts'
import type { Environment } from './environment.ts'
import { eventsKey } from './keys.ts'

const eventSchema = z.object({
  /** counts 1, 2, 3 … within a window */
  id: z.int(),
  kind: z.enum(EVENT_KINDS),
  /** milliseconds since the window's start answer */
  at: z.number(),
  detail: z.optional(
    z.object({
      key: z.optional(z.string()),
      awayMs: z.optional(z.number()),
      opened: z.optional(z.enum(WAYS_OPENED)),
      focused: z.optional(z.boolean()),
      visible: z.optional(z.boolean()),
      text: z.optional(z.string()),
    }),
  ),
})
export type PageEvent = z.infer<typeof eventSchema>
export type EventDetail = NonNullable<PageEvent['detail']>

/** How many times answers that can't be saved hold back a violation, so that no choice is lost. */
const HELD_TRIES = 3
const BATCH_LIMIT = 200
/** How long what counts nothing waits for others to share its call, milliseconds. */
const SHARED_CALL_MS = 1_000

export function isCounted(kind: EventKind): boolean {
  return (COUNTED_KINDS as readonly string[]).includes(kind)
}

/** The events of one window that this device still keeps, in their order. */
export function readWaitingEvents(store: KeyValueStore, key: string): PageEvent[] {
  return parseStored(store.get(key), z.array(eventSchema)) ?? []
}

/** The next events to send, up to the first that counts: the server's count then belongs to it. */
export function nextBatch(events: readonly PageEvent[]): PageEvent[] {
  const counted = events.findIndex(({ kind }) => isCounted(kind))
  return events.slice(0, Math.min(counted === -1 ? events.length : counted + 1, BATCH_LIMIT))
}

interface EventQueueOptions {
  environment: Environment
  prefix: string
  windowId: string
  send: (events: PageEvent[]) => Promise<void>
  /** before something that counts is told, because the third one closes the test */
  saveAnswers: () => Promise<boolean>
  /** a failure that ends sending (true), or one that may pass (false) */
  onFailure: (error: unknown) => boolean
}

/** What the page saw, numbered, kept on the device and sent in order (product 6.8.11). */
export class EventQueue {
  readonly #options: EventQueueOptions
  readonly #courier: Courier
  #waiting: PageEvent[] = []
  #lastNumber = 0
  /** whether a call for what counts nothing is about to be made */
  #isCallPlanned = false

  constructor(options: EventQueueOptions) {
    this.#options = options
    this.#courier = new Courier(options.environment, {
      hasWork: () => this.#waiting.length > 0,
      deliver: () => this.#deliver(),
    })
  }

  /** The number of the last event, sent or not: with it in each save, a gap shows. */
  get lastNumber(): number {
    return this.#lastNumber
  }

  /** Whether one of a kind waits to be sent. */
  has(kind: EventKind): boolean {
    return this.#waiting.some((event) => event.kind === kind)
  }

  add(kind: EventKind, at: number, detail?: EventDetail): void {
    if (this.#courier.isStopped) return
    this.#lastNumber += 1
    this.#waiting.push({ id: this.#lastNumber, kind, at, ...(detail ? { detail } : {}) })
    this.#store()
    if (isCounted(kind)) this.#courier.wake()
    else this.#planCall()
  }

  wake(): void {
    this.#courier.wake()
  }

  /** Tries at once. @returns whether the server has everything */
  flush(): Promise<boolean> {
    return this.#courier.flush()
  }

  /** Sends what waits beside a request that may be under way: the page is about to go. */
  flushBeside(): void {
    if (this.#courier.isStopped) return
    const batch = nextBatch(this.#waiting)
    // The numbers make a second delivery harmless.
    if (batch.length > 0) this.#options.send(batch).catch(() => {})
  }

  /** Sends no more; what waits stays on the device. */
  stop(): void {
    this.#courier.stop()
  }

  clear(): void {
    this.#waiting = []
    this.#store()
  }

  /** When thousands start at once, `ready` and `fullscreen_enter` in one call spare the server a third. */
  #planCall(): void {
    if (this.#isCallPlanned) return
    this.#isCallPlanned = true
    this.#options.environment.setTimer(() => {
      this.#isCallPlanned = false
      this.#courier.wake()
    }, SHARED_CALL_MS)
  }

  async #deliver(): Promise<void> {
    const batch = nextBatch(this.#waiting)
    try {
      if (batch.some(({ kind }) => isCounted(kind))) {
        const isSaved = await this.#options.saveAnswers()
        if (!isSaved && this.#courier.failures < HELD_TRIES) throw new Error('answers come first')
      }
      await this.#options.send(batch)
    } catch (error) {
      if (this.#options.onFailure(error)) this.stop()
      throw error
    }
    const last = batch.at(-1)?.id ?? 0
    this.#waiting = this.#waiting.filter(({ id }) => id > last)
    this.#store()
  }

  #store(): void {
    const { environment, prefix, windowId } = this.#options
    const key = eventsKey(prefix, windowId)
    if (this.#waiting.length === 0) environment.store.remove(key)
    else environment.store.set(key, JSON.stringify(this.#waiting))
  }
}
