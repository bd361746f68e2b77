import * as z from 'zod/mini'
import { Courier } from '../../../platform/web/courier.ts'
import { type KeyValueStore, parseStored } from '../../../platform/web/storage.ts'
import { COUNTED_KINDS, EVENT_KINDS, type EventKind, WAYS_OPENED } from '../../violations.ts'
import type { Environment } from './environment.ts'
import { eventsKey } from './keys.ts'

const eventSchema = z.object({
  /** Counts 1, 2, 3 … within a window. */
  id: z.int(),
  kind: z.enum(EVENT_KINDS),
  /** Milliseconds since the response that started the window. */
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

/** For how many tries failed saves delay a violation, so that no choice is lost. */
const HELD_TRIES = 3
const BATCH_LIMIT = 200
/** How long uncounted events wait to share a call, milliseconds. */
const SHARED_CALL_MS = 1_000

export function isCounted(kind: EventKind): boolean {
  return (COUNTED_KINDS as readonly string[]).includes(kind)
}

/** The events of one window that are still stored on this device, in order. */
export function readWaitingEvents(store: KeyValueStore, key: string): PageEvent[] {
  return parseStored(store.get(key), z.array(eventSchema)) ?? []
}

/** The next events to send, up to the first counted one, so that the server's count belongs to it. */
export function nextBatch(events: readonly PageEvent[]): PageEvent[] {
  const counted = events.findIndex(({ kind }) => isCounted(kind))
  return events.slice(0, Math.min(counted === -1 ? events.length : counted + 1, BATCH_LIMIT))
}

interface EventQueueOptions {
  environment: Environment
  prefix: string
  windowId: string
  send: (events: PageEvent[]) => Promise<void>
  /** Runs before a counted event is sent, because the third one closes the test. */
  saveAnswers: () => Promise<boolean>
  /** Returns true if the failure is permanent and stops sending. */
  onFailure: (error: unknown) => boolean
}

/** The page's events: numbered, kept on the device and sent in order (product 6.8.11). */
export class EventQueue {
  readonly #options: EventQueueOptions
  readonly #courier: Courier
  #waiting: PageEvent[] = []
  #lastNumber = 0
  /** Whether a call for uncounted events is scheduled. */
  #isCallPlanned = false

  constructor(options: EventQueueOptions) {
    this.#options = options
    this.#courier = new Courier(options.environment, {
      hasWork: () => this.#waiting.length > 0,
      deliver: () => this.#deliver(),
    })
  }

  /** Number of the last event, sent or not. Each save reports it, so that missing events show. */
  get lastNumber(): number {
    return this.#lastNumber
  }

  /** Whether an event of a kind is waiting. */
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

  /** Tries to send immediately. @returns whether the server has everything */
  flush(): Promise<boolean> {
    return this.#courier.flush()
  }

  /** Sends waiting events even during another request, because the page is about to close. */
  flushBeside(): void {
    if (this.#courier.isStopped) return
    const batch = nextBatch(this.#waiting)
    // Event numbers make a second delivery harmless.
    if (batch.length > 0) this.#options.send(batch).catch(() => {})
  }

  /** Stops sending. Waiting events stay on the device. */
  stop(): void {
    this.#courier.stop()
  }

  clear(): void {
    this.#waiting = []
    this.#store()
  }

  /** When thousands start, one call for `ready` and `fullscreen_enter` saves the server a third of the load. */
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
