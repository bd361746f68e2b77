import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

const PAUSE_MS = 100

/**
 * People who arrive during a deploy. No proxy can repeat a sign-up, because it is a POST, so each broken connection
 * reaches one of them. Each keeps signing up as a new guest.
 */
export class Latecomers {
  /** how often each outcome was seen: a status, or the code of a broken connection */
  readonly calls: Record<string, number> = {}
  readonly acknowledged = new Set<string>()
  longestMs = 0
  #isOver = false
  readonly #people: Promise<void>[] = []

  begin(url: string, count: number): void {
    for (let number = 0; number < count; number += 1) this.#people.push(this.#comeIn(url))
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#people)
  }

  async #comeIn(url: string): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!this.#isOver) {
      const sentAt = performance.now()
      const outcome = await signUp(agent, url).then(
        ({ status, userId }) => {
          if (userId) this.acknowledged.add(userId)
          return String(status)
        },
        (error: NodeJS.ErrnoException) => error.code ?? 'cut',
      )
      this.calls[outcome] = (this.calls[outcome] ?? 0) + 1
      this.longestMs = Math.max(this.longestMs, performance.now() - sentAt)
      await sleep(PAUSE_MS * (0.5 + Math.random()))
    }
    agent.destroy()
  }

  /** @param others earlier guests */
  async compare(db: pg.Client, others: number): Promise<{ lost: number; double: number }> {
    const { rows } = await db.query<{ id: string }>('select id from users')
    const stored = new Set(rows.map(({ id }) => id))
    const lost = [...this.acknowledged].filter((id) => !stored.has(id)).length
    return { lost, double: stored.size - others - (this.acknowledged.size - lost) }
  }
}

function signUp(agent: Agent, url: string): Promise<{ status: number; userId?: string }> {
  return new Promise((resolve, reject) => {
    const body = '{"data":{}}'
    const sent = request(
      `${url}/auth/v1/signup`,
      {
        method: 'POST',
        agent,
        headers: { 'Content-Type': 'application/json', 'Content-Length': body.length },
      },
      (response) => {
        const { statusCode: status = 0 } = response
        json(response).then(
          (answer) => resolve({ status, userId: (answer as { user?: { id: string } }).user?.id }),
          // The proxy's own error page.
          () => resolve({ status }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
