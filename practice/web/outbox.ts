import * as z from 'zod/mini'
import { ApiFailure } from '../../platform/web/api-failure.ts'
import { Courier, type CourierClock, LeftForLater } from '../../platform/web/courier.ts'
import { type KeyValueStore, parseStored } from '../../platform/web/storage.ts'
import { saveSpokenAnswer } from '../contract/aloud.ts'
import { saveDrill } from '../contract/drills.ts'
import { saveSession } from '../contract/sessions.ts'
import { completePractice, saveResult } from '../contract.ts'

const itemSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('result'),
    body: saveResult.body,
    // Screens show these until the result is saved. The server calculates its own values.
    score: z.int(),
    totalQuestions: z.int(),
  }),
  // Earlier pages queued the end of mistake practice this way, and a device may still hold one.
  z.object({
    kind: z.literal('practice'),
    body: completePractice.body,
    completedAt: z.iso.datetime(),
  }),
  z.object({ kind: z.literal('aloud'), prompt: z.string(), body: saveSpokenAnswer.body }),
  // A session in progress is put again with each answer and replaces the earlier version (product 3.9.4).
  z.object({
    kind: z.literal('session'),
    body: z.object({ ...saveSession.body.shape, id: z.uuid() }),
  }),
  z.object({
    kind: z.literal('drill'),
    body: saveDrill.body,
    completedAt: z.iso.datetime(),
  }),
])

export type OutboxItem = z.infer<typeof itemSchema>

/** 'later' is a server error, 'unreachable' affects all items, and 'refused' means that a retry is pointless. */
export type Outcome = 'sent' | 'refused' | 'later' | 'unreachable'

export interface Sending {
  outcome: Outcome
  askedMs: number
}

/** The save state of an attempt. It's 'sending' until the first try fails. */
type ItemState = 'sending' | 'waiting' | 'saved' | 'refused'

interface OutboxOptions {
  clock: CourierClock
  store: KeyValueStore
  /** Sends with this user's token only. A rejection counts as 'later'. */
  send: (userId: string, item: OutboxItem) => Promise<Sending>
  onSent: (item: OutboxItem) => void
  onRefused: (item: OutboxItem) => void
}

const WAITING = 'superday-outbox'
const REFUSED = 'superday-outbox-refused'
const keyOf = (list: string, userId: string, id: string) => `${list}:${userId}:${id}`

/** Stores finished items until the server has them. Each item has its own key for many tabs and an id for retries. */
export function createOutbox(options: OutboxOptions) {
  const { store, send } = options
  const listeners = new Set<() => void>()
  const failed = new Set<string>()
  let version = 0
  let activeUserId: string | null = null
  const courier = new Courier(options.clock, {
    hasWork: () => activeUserId !== null && listWaiting(store, activeUserId).length > 0,
    deliver: () => deliverAll(activeUserId),
    triesAgainWhenWoken: true,
  })

  function changed(): void {
    version += 1
    for (const listener of listeners) listener()
  }

  async function deliver(userId: string, item: OutboxItem): Promise<Sending> {
    const sending = await send(userId, item).catch(
      (): Sending => ({ outcome: 'later', askedMs: 0 }),
    )
    const key = keyOf(WAITING, userId, item.body.id)
    // The item may have changed during the request. Then the newer version must still be sent.
    const isWhole = JSON.stringify(read(store, key)) === JSON.stringify(item)
    if (sending.outcome === 'sent') {
      if (isWhole) store.remove(key)
      failed.delete(item.body.id)
      options.onSent(item)
    } else if (sending.outcome === 'refused') {
      store.set(keyOf(REFUSED, userId, item.body.id), JSON.stringify(item))
      if (isWhole) store.remove(key)
      options.onRefused(item)
    } else {
      failed.add(item.body.id)
    }
    changed()
    return sending
  }

  /** Tries all waiting items once. Throws LeftForLater if some still wait. */
  async function deliverAll(userId: string | null): Promise<void> {
    if (userId === null) return
    const items = listWaiting(store, userId)
    let askedMs = 0
    for (const item of items) {
      if (activeUserId !== userId) return
      // Another tab may have sent it in the meantime.
      if (store.get(keyOf(WAITING, userId, item.body.id)) === null) continue
      // A failing item doesn't hold up the others. The wait applies to the next pass.
      const sending = await deliver(userId, item)
      askedMs = Math.max(askedMs, sending.askedMs)
      if (sending.outcome === 'sent') courier.startOver()
      if (sending.outcome === 'unreachable') {
        // The items behind it would fail too.
        for (const { body } of items) failed.add(body.id)
        changed()
        break
      }
    }
    if (activeUserId !== userId) return
    const left = new Set(listWaiting(store, userId).map(({ body }) => body.id))
    if (items.some(({ body }) => left.has(body.id))) throw new LeftForLater(askedMs)
  }

  /** Retries immediately after an error or when the page is visible again, unless the server requested a wait. */
  function wake(): void {
    courier.startOver()
    if (activeUserId !== null) courier.wake()
  }

  return {
    /** Stores an item by id and sends it. A session in progress is sent at its end or by wake(). */
    put(userId: string, item: OutboxItem): void {
      store.set(keyOf(WAITING, userId, item.body.id), JSON.stringify(item))
      changed()
      if (item.kind !== 'session' || item.body.isFinished) wake()
    },

    run(userId: string): () => void {
      activeUserId = userId
      wake()
      return () => {
        if (activeUserId !== userId) return
        activeUserId = null
      }
    },

    wake,
    listWaiting: (userId: string) => listWaiting(store, userId),

    forget(userId: string): void {
      for (const list of [WAITING, REFUSED]) {
        for (const key of store.keys(keyOf(list, userId, ''))) store.remove(key)
      }
      changed()
    },

    stateOf(userId: string, id: string): ItemState {
      if (store.get(keyOf(WAITING, userId, id)) !== null) {
        return failed.has(id) ? 'waiting' : 'sending'
      }
      return store.get(keyOf(REFUSED, userId, id)) !== null ? 'refused' : 'saved'
    },

    changed,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getVersion: () => version,
  }
}

const read = (store: KeyValueStore, key: string): OutboxItem | null =>
  parseStored(store.get(key), itemSchema)

function listWaiting(store: KeyValueStore, userId: string): OutboxItem[] {
  return store
    .keys(`${WAITING}:${userId}:`)
    .flatMap((key) => read(store, key) ?? [])
    .sort((a, b) => completedAtOf(a).localeCompare(completedAtOf(b)))
}

/** Classifies an error. A rate limit (429) is temporary (product 3.7.7). */
export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof ApiFailure)) return 'unreachable'
  if (!error.isTemporary) return 'refused'
  return error.status >= 500 ? 'later' : 'unreachable'
}

function completedAtOf(item: OutboxItem): string {
  if (item.kind === 'aloud') return item.body.answeredAt
  return 'completedAt' in item ? item.completedAt : item.body.completedAt
}
