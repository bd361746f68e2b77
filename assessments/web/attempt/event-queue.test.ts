import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../../../platform/web/api-failure.ts'
import { createTestEnvironment, settle } from '../../../tests/rig/test-environment.ts'
import { EventQueue, type PageEvent, readWaitingEvents } from './event-queue.ts'
import { attemptPrefix, eventsKey } from './keys.ts'

const PREFIX = attemptPrefix('PCF', 'ana')

function setUp() {
  const environment = createTestEnvironment()
  const state = {
    batches: [] as PageEvent[][],
    failure: null as Error | null,
    order: [] as string[],
    areAnswersSaved: true,
  }
  const queue = new EventQueue({
    environment,
    prefix: PREFIX,
    windowId: 'w1',
    send: async (events) => {
      if (state.failure) throw state.failure
      state.batches.push(events)
      state.order.push('events')
    },
    saveAnswers: async () => {
      state.order.push('answers')
      return state.areAnswersSaved
    },
    onFailure: (error) => error instanceof ApiFailure && error.status === 409,
  })
  return { environment, queue, state }
}

describe('the event queue', () => {
  it('numbers events from 1 and sends them in order', async () => {
    const { environment, queue, state } = setUp()
    queue.add('ready', 0)
    await environment.advance(1_000)
    queue.add('fullscreen_enter', 50)
    await environment.advance(1_000)
    expect(state.batches.flat()).toEqual([
      { id: 1, kind: 'ready', at: 0 },
      { id: 2, kind: 'fullscreen_enter', at: 50 },
    ])
    expect(queue.lastNumber).toBe(2)
  })

  it('batches uncounted events and sends counted events immediately', async () => {
    const { environment, queue, state } = setUp()
    queue.add('ready', 0)
    queue.add('fullscreen_enter', 50)
    await environment.advance(990)
    expect(state.batches).toEqual([])
    await environment.advance(10)
    expect(state.batches.map((batch) => batch.map(({ id }) => id))).toEqual([[1, 2]])
    queue.add('online', 2_000)
    queue.add('copy', 2_010)
    await settle()
    expect(state.batches[1]?.map(({ id }) => id)).toEqual([3, 4])
  })

  it('sends one counted event per call, so that each response has its count', async () => {
    const { environment, queue, state } = setUp()
    state.failure = new ApiFailure(0, { code: 'offline', message: '' })
    queue.add('ready', 0)
    queue.add('copy', 10)
    queue.add('offline', 20)
    queue.add('paste', 30)
    await settle()
    state.failure = null
    await environment.advance(2_000)
    expect(state.batches.map((batch) => batch.map(({ id }) => id))).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  it('sends counted events after the answers', async () => {
    const { queue, state } = setUp()
    queue.add('copy', 1)
    await settle()
    expect(state.order).toEqual(['answers', 'events'])
  })

  it('sends events after three tries even when answers cannot be saved', async () => {
    const { environment, queue, state } = setUp()
    state.areAnswersSaved = false
    queue.add('copy', 1)
    await environment.advance(7_900)
    expect(state.batches).toHaveLength(0)
    await environment.advance(200)
    expect(state.batches).toHaveLength(1)
  })

  it('keeps events on the device until they are sent', async () => {
    const { environment, queue, state } = setUp()
    const key = eventsKey(PREFIX, 'w1')
    state.failure = new ApiFailure(0, { code: 'offline', message: '' })
    queue.add('ready', 0)
    queue.add('shortcut', 5, { key: 'Ctrl+C' })
    await settle()
    expect(readWaitingEvents(environment.store, key)).toEqual([
      { id: 1, kind: 'ready', at: 0 },
      { id: 2, kind: 'shortcut', at: 5, detail: { key: 'Ctrl+C' } },
    ])
    state.failure = null
    queue.wake()
    await settle()
    expect(environment.store.keys(PREFIX)).toEqual([])
  })

  it('stops after a permanent error', async () => {
    const { environment, queue, state } = setUp()
    state.failure = new ApiFailure(409, { code: 'taken_over', message: '' })
    queue.add('copy', 0)
    await settle()
    state.failure = null
    await environment.advance(30_000)
    expect(state.batches).toEqual([])
  })
})
