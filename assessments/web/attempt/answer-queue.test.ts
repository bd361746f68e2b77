import { describe, expect, it, vi } from 'vitest'
import { ApiFailure } from '../../../platform/web/api-failure.ts'
import {
  createTestEnvironment,
  settle,
  type TestEnvironment,
} from '../../../tests/rig/test-environment.ts'
import { AnswerQueue, readWaitingAnswers, type SentAnswer } from './answer-queue.ts'
import { attemptPrefix } from './keys.ts'

const PREFIX = attemptPrefix('PCF', 'ana')

/** A server that keeps the highest revision of each question, and can be made to fail. */
function createServer() {
  const stored = new Map<number, { choice: string; revision: number }>()
  const server = {
    stored,
    calls: [] as SentAnswer[][],
    failure: null as Error | null,
    /** Sends the held responses. */
    release: null as (() => void) | null,
    isHeld: false,
    async save(answers: SentAnswer[]) {
      server.calls.push(answers)
      if (server.isHeld) {
        await new Promise<void>((resolve) => {
          server.release = resolve
        })
      }
      if (server.failure) throw server.failure
      for (const { questionId, choice, revision } of answers) {
        if ((stored.get(questionId)?.revision ?? 0) < revision) {
          stored.set(questionId, { choice, revision })
        }
      }
      return answers.map(({ questionId }) => ({
        questionId,
        revision: stored.get(questionId)?.revision ?? 0,
      }))
    },
  }
  return server
}

const offline = () => new ApiFailure(0, { code: 'offline', message: '' })

function createQueue(
  environment: TestEnvironment,
  server: ReturnType<typeof createServer>,
  windowId = 'w1',
) {
  return new AnswerQueue({
    environment,
    prefix: PREFIX,
    reference: 'abcd1234',
    windowId,
    send: (answers) => server.save(answers),
    onFailure: (error) => error instanceof ApiFailure && error.status === 409,
    onChange: vi.fn(),
  })
}

function setUp() {
  const environment = createTestEnvironment()
  const server = createServer()
  return { environment, server, queue: createQueue(environment, server) }
}

describe('choosing an answer', () => {
  it('shows and sends it immediately, and removes it from the device when saved', async () => {
    const { environment, server, queue } = setUp()
    queue.choose(7, 'B', 1_234)
    expect(queue.choices.get(7)).toBe('B')
    expect(queue.saveState).toBe('saving')
    expect(readWaitingAnswers(environment.store, PREFIX)).toHaveLength(1)
    await settle()
    expect(server.calls).toEqual([[{ questionId: 7, choice: 'B', revision: 1, at: 1_234 }]])
    expect(queue.saveState).toBe('saved')
    expect(environment.store.keys(PREFIX)).toEqual([])
  })

  it('twice in a row sends it once', async () => {
    const { server, queue } = setUp()
    queue.choose(7, 'B', 1)
    await settle()
    queue.choose(7, 'B', 2)
    await settle()
    expect(server.calls).toHaveLength(1)
  })

  it('again during a save sends one request at a time, the newest choice last', async () => {
    const { server, queue } = setUp()
    server.isHeld = true
    queue.choose(7, 'A', 1)
    queue.choose(7, 'B', 2)
    queue.choose(8, 'C', 3)
    queue.choose(7, 'D', 4)
    await settle()
    expect(server.calls).toHaveLength(1)
    server.isHeld = false
    server.release?.()
    await settle()
    expect(server.calls[1]).toEqual([
      { questionId: 7, choice: 'D', revision: 3, at: 4 },
      { questionId: 8, choice: 'C', revision: 1, at: 3 },
    ])
    expect(server.stored.get(7)).toEqual({ choice: 'D', revision: 3 })
    expect(queue.saveState).toBe('saved')
  })

  it("continues from the server's revision", async () => {
    const { server, queue } = setUp()
    queue.load([{ questionId: 7, choice: 'A', revision: 4 }], [])
    queue.choose(7, 'C', 1)
    await settle()
    expect(server.calls[0]?.[0]).toMatchObject({ revision: 5 })
  })

  it('keeps the shown choice by sending a higher revision when another device saved a newer one', async () => {
    const { server, queue } = setUp()
    server.stored.set(7, { choice: 'A', revision: 9 })
    queue.choose(7, 'C', 1)
    await settle()
    expect(server.stored.get(7)).toEqual({ choice: 'C', revision: 10 })
    expect(queue.saveState).toBe('saved')
  })
})

describe('a failed save', () => {
  it('is retried after 1, 2, 5 and then every 10 seconds', async () => {
    const { environment, server, queue } = setUp()
    server.failure = offline()
    queue.choose(7, 'B', 1)
    await settle()
    expect(queue.saveState).toBe('retrying')
    for (const [seconds, calls] of [
      [1, 2],
      [2, 3],
      [5, 4],
      [10, 5],
      [10, 6],
    ] as const) {
      await environment.advance(seconds * 1_000 - 1)
      expect(server.calls).toHaveLength(calls - 1)
      await environment.advance(1)
      expect(server.calls).toHaveLength(calls)
    }
    server.failure = null
    await environment.advance(10_000)
    expect(queue.saveState).toBe('saved')
    expect(server.stored.get(7)?.choice).toBe('B')
  })

  it('is retried immediately when the network is back', async () => {
    const { server, queue } = setUp()
    server.failure = offline()
    queue.choose(7, 'B', 1)
    await settle()
    server.failure = null
    queue.wake()
    await settle()
    expect(queue.saveState).toBe('saved')
  })

  it('with Retry-After waits as long as the server asks', async () => {
    const { environment, server, queue } = setUp()
    server.failure = new ApiFailure(
      503,
      { code: 'unavailable', message: '' },
      new Headers({ 'Retry-After': '7' }),
    )
    queue.choose(7, 'B', 1)
    await settle()
    queue.wake()
    await environment.advance(6_900)
    expect(server.calls).toHaveLength(1)
    await environment.advance(200)
    expect(server.calls).toHaveLength(2)
  })

  it('with a permanent error stops sending, and the device keeps the choice', async () => {
    const { environment, server, queue } = setUp()
    server.failure = new ApiFailure(409, { code: 'taken_over', message: '' })
    queue.choose(7, 'B', 1)
    await environment.advance(60_000)
    queue.choose(8, 'B', 1)
    queue.wake()
    await environment.advance(60_000)
    expect(server.calls).toHaveLength(1)
    expect(readWaitingAnswers(environment.store, PREFIX)).toHaveLength(1)
  })

  it('before a reload is shown as unsaved and sent by the next page', async () => {
    const { environment, server, queue } = setUp()
    server.failure = offline()
    queue.load([{ questionId: 7, choice: 'A', revision: 2 }], [])
    queue.choose(7, 'D', 100)
    await settle()
    queue.stop()

    const next = createTestEnvironment(environment.raw)
    const later = createQueue(next, server, 'w2')
    later.load(
      [{ questionId: 7, choice: 'A', revision: 2 }],
      readWaitingAnswers(next.store, PREFIX),
    )
    expect(later.choices.get(7)).toBe('D')
    expect(later.saveState).toBe('retrying')
    await settle()
    expect(later.saveState).toBe('retrying')
    server.failure = null
    await next.advance(10_000)
    expect(later.saveState).toBe('saved')
    expect(server.stored.get(7)).toEqual({ choice: 'D', revision: 3 })
    expect(next.store.keys(PREFIX)).toEqual([])
  })
})

describe('a closing page', () => {
  it('sends waiting answers alongside the running request', async () => {
    const { server, queue } = setUp()
    server.isHeld = true
    queue.choose(7, 'A', 1)
    await settle()
    queue.choose(7, 'B', 2)
    queue.flushBeside()
    await settle()
    expect(server.calls[1]).toEqual([{ questionId: 7, choice: 'B', revision: 2, at: 2 }])
  })

  it('sends nothing when nothing waits', async () => {
    const { server, queue } = setUp()
    queue.flushBeside()
    await settle()
    expect(server.calls).toEqual([])
  })
})
