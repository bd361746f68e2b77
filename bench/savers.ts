import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { makeGuest } from './product.ts'
import { percentile } from './rounds.ts'

/** One save as a candidate saw it. */
interface Save {
  /** milliseconds from the request to its response */
  tookMs: number
  /** why it wasn't stored; the page would retry */
  failure: string | null
}

export interface SavesReport {
  saves: number
  failed: number
  /** the distinct reasons */
  failures: string[]
  medianMs: number
  p99Ms: number
  longestMs: number
}

interface Saver {
  headers: Record<string, string>
  questions: number[]
  revision: number
}

/** Candidates who take a test and keep saving answers, each after the previous response. */
export class Savers {
  /** nodes to save to, in turn; they may come and go */
  urls: string[]
  readonly #code: string
  readonly #people: Saver[]
  #saves: Save[] = []
  #isOver = false
  #saving: Promise<unknown> = Promise.resolve()

  private constructor(url: string, code: string, people: Saver[]) {
    this.urls = [url]
    this.#code = code
    this.#people = people
  }

  /** Starts the candidates candidate-1, candidate-2, … with a shared password. */
  static async start(
    url: string,
    { code, password, count }: { code: string; password: string; count: number },
  ): Promise<Savers> {
    const people: Saver[] = []
    for (let n = 1; n <= count; n += 1) {
      const { token } = await makeGuest(url)
      const headers = {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'X-Window-Id': randomUUID(),
      }
      const send = async (route: string, more: Record<string, string>, body: unknown) => {
        const response = await fetch(`${url}/api/assessments/${code}${route}`, {
          method: 'POST',
          headers: { ...headers, ...more },
          body: JSON.stringify(body),
        })
        if (!response.ok) throw new Error(`${route}: ${await response.text()}`)
        return response.json()
      }
      const { candidateToken } = await send('/verify', {}, { username: `candidate-${n}`, password })
      const own = { 'X-Candidate-Token': candidateToken }
      const { questions } = await send('/attempt', own, { windowId: headers['X-Window-Id'] })
      people.push({
        headers: { ...headers, ...own },
        questions: questions.map(({ id }: { id: number }) => id),
        revision: 0,
      })
    }
    return new Savers(url, code, people)
  }

  /** @param everyMs average pause between a candidate's saves */
  begin(everyMs: number): void {
    this.#saving = Promise.all(
      this.#people.map(async (person) => {
        while (!this.#isOver) {
          await wait(Math.random() * 2 * everyMs)
          if (!this.#isOver) await this.#save(person)
        }
      }),
    )
  }

  async #save(person: Saver): Promise<void> {
    const at = person.revision
    person.revision += 1
    const url = this.urls[at % this.urls.length]
    const questionId = person.questions[at % person.questions.length]
    const sent = performance.now()
    const failure = await fetch(`${url}/api/assessments/${this.#code}/attempt/answers`, {
      method: 'PUT',
      headers: person.headers,
      body: JSON.stringify({
        answers: [{ questionId, choice: 'ABCD'[at % 4], revision: person.revision, at: at * 100 }],
        lastEvent: 0,
      }),
    }).then(
      async (response) => {
        const body = await response.text()
        return response.ok ? null : `${response.status} ${body}`
      },
      (error: unknown) => String(error),
    )
    this.#saves.push({ tookMs: performance.now() - sent, failure })
  }

  /** The saves since the last report. */
  report(): SavesReport {
    const saves = this.#saves
    this.#saves = []
    const failures = saves.flatMap(({ failure }) => failure ?? [])
    const took = saves.map(({ tookMs }) => tookMs)
    return {
      saves: saves.length,
      failed: failures.length,
      failures: [...new Set(failures)],
      medianMs: Math.round(percentile(took, 0.5)),
      p99Ms: Math.round(percentile(took, 0.99)),
      longestMs: Math.round(Math.max(0, ...took)),
    }
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#saving
  }
}
