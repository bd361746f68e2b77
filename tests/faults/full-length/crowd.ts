import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from './ledger.ts'

export interface Reply {
  status: number
  /** Retry-After in milliseconds; null without it */
  retryAfterMs: number | null
  // biome-ignore lint/suspicious/noExplicitAny: the call defines the response
  body: any
}

/** One call over the network. Rejects with NoAnswer. */
export type Send = (
  method: string,
  route: string,
  options?: { token?: string; headers?: Record<string, string>; body?: unknown },
) => Promise<Reply>

/** No connection, or one that was cut before the response. */
class NoAnswer extends Error {}

/** Milliseconds after which a client considers the connection dead. */
const PATIENCE_MS = 30_000
/** The product's own pauses (product 6.6.4). */
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000]
const CELL = { category: 'Valuation & Corporate Finance', difficulty: 'Intern' }

/**
 * Calls the nodes in turn. If one refuses the connection, it tries the next immediately, like a load balancer. The
 * client repeats calls whose connection was cut.
 */
export function callInTurn(urls: readonly string[]): Send {
  let turn = 0
  return async (method, route, { token, headers, body } = {}) => {
    const first = turn++
    for (let refused = 0; ; refused += 1) {
      const url = urls[(first + refused) % urls.length]
      try {
        const response = await fetch(`${url}${route}`, {
          method,
          headers: {
            ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
            ...(token ? { Authorization: `Bearer ${token}` } : {}),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(PATIENCE_MS),
        })
        const retryAfter = response.headers.get('Retry-After')
        return {
          status: response.status,
          retryAfterMs: retryAfter === null ? null : Number(retryAfter) * 1000,
          body: await response.json(),
        }
      } catch (error) {
        const isRefused = codeOf(error) === 'ECONNREFUSED'
        if (!isRefused || refused + 1 >= urls.length) throw new NoAnswer(wordsFor(error))
      }
    }
  }
}

const codeOf = (error: unknown) =>
  ((error as Error).cause as { code?: string } | undefined)?.code ?? ''

function wordsFor(error: unknown): string {
  if ((error as Error).name === 'TimeoutError') return `no answer in ${PATIENCE_MS / 1000} s`
  return codeOf(error) === 'ECONNREFUSED' ? 'no connection' : 'connection cut'
}

export interface CrowdOptions {
  send: Send
  ledger: Ledger
  /** the assessment that candidates take */
  code: string
  /** with the password `password`; each takes it once */
  usernames: string[]
  password: string
  students: number
  /** concurrent candidates */
  seats: number
  /** average milliseconds between a person's actions */
  thinkMs: number
  /** multiplies the product's pauses between tries */
  pace?: number
  /** whether candidates submit at the end; otherwise they leave */
  isSubmitting?: boolean
  /** whether the limit may pass meanwhile: a late choice is refused and ends the attempt */
  mayBeLate?: boolean
}

/** Students who finish tests and candidates who take an assessment, until stopped. */
export class Crowd {
  readonly #options: CrowdOptions
  readonly #people: Promise<void>[] = []
  readonly #waiting: string[]
  #isOver = false
  #isAbandoned = false

  constructor(options: CrowdOptions) {
    this.#options = options
    this.#waiting = [...options.usernames]
  }

  /** Signs everyone in, then starts. */
  async begin(): Promise<void> {
    const { students, seats } = this.#options
    const guests = await Promise.all(Array.from({ length: students + seats }, () => this.#signUp()))
    for (const [index, guest] of guests.entries()) {
      const work = index < students ? this.#practise(guest) : this.#sit(guest)
      this.#people.push(work)
    }
  }

  /** Stops new actions. Running actions can still finish, within the limit. */
  async end(limitMs: number): Promise<void> {
    this.#isOver = true
    const limit = sleep(limitMs, undefined, { ref: false }).then(() => {
      this.#isAbandoned = true
    })
    await Promise.race([Promise.all(this.#people), limit])
    if (this.#isAbandoned) {
      this.#options.ledger.unexpected.push(`something was still undelivered after ${limitMs} ms`)
    }
    await Promise.all(this.#people)
  }

  /** Resolves when all candidates have finished or left. */
  async finishSeats(): Promise<void> {
    await Promise.all(this.#people.slice(this.#options.students))
  }

  async #signUp(): Promise<Guest> {
    const signedUp = await this.#deliver('POST', '/auth/v1/signup', { body: { data: {} } })
    if (!signedUp) throw new Error('a sign-up was refused')
    return { token: signedUp.body.access_token, userId: signedUp.body.user.id }
  }

  async #practise({ token, userId }: Guest): Promise<void> {
    const { ledger } = this.#options
    const route = `/api/questions?${new URLSearchParams({ ...CELL, testNumber: '1' })}`
    const test = await this.#deliver('GET', route, { token })
    while (test && !this.#isOver) {
      const id = randomUUID()
      ledger.sendResult(userId, id)
      const saved = await this.#deliver('POST', '/api/results', {
        token,
        body: {
          ...CELL,
          id,
          testNumber: 1,
          answers: (test.body as { id: number }[]).map((question) => ({
            questionId: question.id,
            selectedAnswer: 'A',
          })),
          completedAt: new Date().toISOString(),
          timeZone: 'Europe/Lisbon',
        },
      })
      if (!saved) return
      ledger.acknowledgeResult(userId, id)
      await this.#think()
    }
  }

  async #sit(guest: Guest): Promise<void> {
    while (!this.#isOver) {
      const username = this.#waiting.shift()
      if (username === undefined) return
      await this.#sitAs(username, guest.token)
    }
  }

  async #sitAs(username: string, token: string): Promise<void> {
    const { code, password, ledger, isSubmitting = true } = this.#options
    const base = `/api/assessments/${code}`
    const verified = await this.#deliver('POST', `${base}/verify`, {
      token,
      body: { username, password },
    })
    if (!verified) return
    const windowId = randomUUID()
    const headers = {
      'X-Candidate-Token': verified.body.candidateToken,
      'X-Window-Id': windowId,
    }
    const seat = { token, headers }
    const begunAt = performance.now()
    const started = await this.#deliver('POST', `${base}/attempt`, { ...seat, body: { windowId } })
    if (!started) return
    // Answers each question once, and the first again: a changed mind is a newer revision.
    const ids = (started.body.questions as { id: number }[]).map(({ id }) => id)
    for (const [index, questionId] of [...ids, ...ids.slice(0, 1)].entries()) {
      if (this.#isOver) return
      const choice = {
        questionId,
        choice: 'ABCD'[index % 4] as string,
        revision: index < ids.length ? 1 : 2,
      }
      ledger.sendChoice(username, choice)
      const at = Math.round(performance.now() - begunAt)
      const saved = await this.#deliver('PUT', `${base}/attempt/answers`, {
        ...seat,
        body: { answers: [{ ...choice, at }] },
      })
      if (!saved) return
      ledger.acknowledgeChoice(username, choice)
      await this.#think()
    }
    if (!isSubmitting) return
    const submitted = await this.#deliver('POST', `${base}/attempt/submit`, {
      ...seat,
      body: { answers: [] },
    })
    if (submitted) ledger.acknowledgeSubmit(username, submitted.body.submittedAt)
  }

  /**
   * Repeats a call until it is answered, with the product's pauses.
   * @returns the 2xx response; null if it was refused, or given up at the end
   */
  async #deliver(
    method: string,
    route: string,
    options: Parameters<Send>[2],
  ): Promise<Reply | null> {
    const { send, ledger, pace = 1, mayBeLate = false } = this.#options
    for (let tries = 0; !this.#isAbandoned; tries += 1) {
      const begunAt = performance.now()
      const reply = await send(method, route, options).catch((error) => {
        if (error instanceof NoAnswer) return error
        throw error
      })
      const tookMs = performance.now() - begunAt
      let askedMs = 0
      if (reply instanceof NoAnswer) {
        ledger.see(reply.message, tookMs)
      } else {
        ledger.see(outcomeOf(reply), tookMs)
        if (reply.status < 300) return reply
        if (reply.status !== 503 || reply.retryAfterMs === null) {
          if (mayBeLate && reply.body?.code === 'attempt_closed') return null
          ledger.unexpected.push(`${method} ${route}: ${reply.status} ${reply.body?.code}`)
          return null
        }
        askedMs = reply.retryAfterMs
      }
      const delayMs = RETRY_DELAYS_MS[Math.min(tries, RETRY_DELAYS_MS.length - 1)] as number
      await sleep(pace * Math.max(askedMs, delayMs) * (1 + 0.2 * Math.random()))
    }
    return null
  }

  #think(): Promise<void> {
    return sleep(this.#options.thinkMs * (0.5 + Math.random()))
  }
}

function outcomeOf({ status, body }: Reply): string {
  return status < 300 || status === 503 ? String(status) : `${status} ${body?.code}`
}

interface Guest {
  token: string
  userId: string
}
