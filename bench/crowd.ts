import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'

// A crowd of candidates in its own process (product 10.7.5): reads a CrowdPlan from standard input, plays an assessment
// day and writes a CrowdReport to standard output.

/** What the crowd does. Times are milliseconds since its start. */
export interface CrowdPlan {
  /** one address per node; a candidate stays with one until it fails */
  urls: string[]
  code: string
  password: string
  people: { username: string; token: string }[]
  verifyMs: number
  startMs: number
  /** average pause between two answers of one candidate */
  thinkMs: number
  submitMs: number
  /** answers per save; default: one */
  together?: number
  /** whether each candidate has their own connections, as browsers do; otherwise all share two thousand */
  ownConnections?: boolean
}

/** What one candidate saw. */
export interface Testimony {
  username: string
  /** acknowledged choices, by item id */
  answers: Record<number, string>
  /** null if the test was closed before a response contained them */
  violations: number | null
  outcome: 'submitted' | 'closed' | 'left' | 'failed'
}

export interface CrowdReport {
  people: Testimony[]
  acknowledgedSaves: number
  /** how often each outcome was seen: a status, the code of a broken connection, or CUT_ON_PURPOSE */
  calls: Record<string, number>
  /** the slowest call that wasn't cut on purpose */
  longest: { ms: number; call: string }
  /** by reason: refused with 503, connection cut, other */
  retries: Record<string, number>
  /** milliseconds from the click on Submit to its response, including retries */
  submitMs: number[]
  /** for saves whose connection wasn't cut on purpose */
  saveMs: number[]
  /** for the other saves: the page waits a second before it retries */
  cutSaveMs: number[]
  startMs: number[]
  errors: string[]
}

/** A call that the candidate cut, so the server isn't to blame. */
const CUT_ON_PURPOSE = 'cut on purpose'
const LETTERS = ['A', 'B', 'C', 'D']
/** Shares of the crowd that do something unusual. */
const RELOADS = 0.05
const DROPS = 0.02
const VIOLATES = 0.03
const LEAVES = 0.05
/** Milliseconds between a page's requests for the remaining time (product 6.7.3). */
const RESYNC_MS = 60_000
/** Milliseconds for which a page collects events that don't count (product 6.8.11). */
const SHARED_CALL_MS = 1_000
/** The page's pauses between tries (product 6.6.4). */
const RETRY_MS = [1_000, 2_000, 5_000, 10_000]

const sharedAgent = new Agent({ connections: 2_000 })
const report: CrowdReport = {
  people: [],
  acknowledgedSaves: 0,
  calls: {},
  longest: { ms: 0, call: '' },
  retries: {},
  submitMs: [],
  saveMs: [],
  cutSaveMs: [],
  startMs: [],
  errors: [],
}

class Candidate {
  readonly testimony: Testimony
  readonly #plan: CrowdPlan
  readonly #token: string
  readonly #agent: Agent
  #node: number
  #candidateToken = ''
  #windowId = randomUUID()
  /** when this window's start was answered: zero of every `at` */
  #openedAt = 0
  #eventId = 0

  constructor(plan: CrowdPlan, person: CrowdPlan['people'][number], node: number) {
    this.#plan = plan
    this.#token = person.token
    // Browsers open as many connections to one server.
    this.#agent = plan.ownConnections ? new Agent({ connections: 6 }) : sharedAgent
    this.#node = node
    this.testimony = { username: person.username, answers: {}, violations: 0, outcome: 'failed' }
  }

  async live(begin: number): Promise<void> {
    const { verifyMs, startMs } = this.#plan
    await until(begin + Math.random() * verifyMs)
    const verified = await this.#call('POST', '/verify', {
      username: this.testimony.username,
      password: this.#plan.password,
    })
    this.#candidateToken = verified.body.candidateToken
    await until(begin + verifyMs + Math.random() * startMs)
    const started = performance.now()
    const { body } = await this.#call('POST', '/attempt', { windowId: this.#windowId })
    this.#openedAt = performance.now()
    report.startMs.push(this.#openedAt - started)
    await wait(SHARED_CALL_MS)
    await this.#report('ready', 'fullscreen_enter')
    const resync = setInterval(() => void this.#call('GET', '/attempt'), RESYNC_MS)
    try {
      await this.#sit(body, begin)
    } finally {
      clearInterval(resync)
    }
  }

  /** Answers question by question, and submits. */
  // biome-ignore lint/suspicious/noExplicitAny: the API defines the response
  async #sit(body: any, begin: number): Promise<void> {
    const { verifyMs, startMs, thinkMs, submitMs, together = 1 } = this.#plan
    const items: number[] = body.questions.map(({ id }: { id: number }) => id)
    const saves = Math.ceil(items.length / together)
    const isViolator = Math.random() < VIOLATES
    const reloadAt = Math.random() < RELOADS ? Math.floor(Math.random() * saves) : -1
    for (let index = 0; index < saves; index += 1) {
      // Random around the average, so that the total time stays the same.
      await until(begin + verifyMs + startMs + thinkMs * (index + Math.random()))
      if (index === reloadAt) await this.#reload()
      if (isViolator && Math.random() < 0.15 && (await this.#violate())) return
      await this.#save(items.slice(index * together, (index + 1) * together))
    }
    if (Math.random() < LEAVES) {
      this.testimony.outcome = 'left'
      return
    }
    await until(begin + verifyMs + startMs + thinkMs * saves + Math.random() * submitMs)
    const clicked = performance.now()
    const { status } = await this.#call('POST', '/attempt/submit', { answers: [] })
    report.submitMs.push(performance.now() - clicked)
    this.testimony.outcome = status === 200 ? 'submitted' : 'closed'
  }

  async #save(items: readonly number[]): Promise<void> {
    const answers = items.map((questionId) => {
      const choice = LETTERS[Math.floor(Math.random() * 4)] as string
      return { questionId, choice, revision: 1, at: this.#at() }
    })
    const body = { answers, lastEvent: this.#eventId }
    const sent = performance.now()
    const isDropped = Math.random() < DROPS
    const { status } = await this.#call('PUT', '/attempt/answers', body, isDropped)
    if (status !== 200) return
    report[isDropped ? 'cutSaveMs' : 'saveMs'].push(performance.now() - sent)
    report.acknowledgedSaves += 1
    for (const { questionId, choice } of answers) this.testimony.answers[questionId] = choice
  }

  /** Opens the page again in a new window, which must receive every acknowledged answer. */
  async #reload(): Promise<void> {
    this.#windowId = randomUUID()
    this.#eventId = 0
    const { body } = await this.#call('POST', '/attempt', { windowId: this.#windowId })
    this.#openedAt = performance.now()
    // The time ran out meanwhile, and a closed test shows no answers.
    if (body.status === 'submitted') return
    const given = new Map(
      body.answers.map((answer: { questionId: number; choice: string }) => [
        answer.questionId,
        answer.choice,
      ]),
    )
    for (const [item, choice] of Object.entries(this.testimony.answers)) {
      if (given.get(Number(item)) !== choice) {
        report.errors.push(`${this.testimony.username}: item ${item} is missing after a reload`)
      }
    }
    await this.#report('ready')
  }

  /** @returns whether the server closed the test */
  async #violate(): Promise<boolean> {
    const { status, body } = await this.#report('copy')
    if (status !== 200) {
      this.testimony.violations = null
      return false
    }
    this.testimony.violations = body.violations
    if (body.status !== 'submitted') return false
    this.testimony.outcome = 'closed'
    return true
  }

  #report(...kinds: string[]) {
    const events = kinds.map((kind) => {
      this.#eventId += 1
      return { id: this.#eventId, kind, at: this.#at() }
    })
    return this.#call('POST', '/attempt/events', { events })
  }

  #at(): number {
    return Math.round(performance.now() - this.#openedAt)
  }

  /** Repeats a call with the page's pauses until the response isn't a 5xx. */
  async #call(
    method: Dispatcher.HttpMethod,
    route: string,
    body?: unknown,
    cut = false,
    // biome-ignore lint/suspicious/noExplicitAny: the API defines the response
  ): Promise<{ status: number; body: any }> {
    for (let tries = 0; ; tries += 1) {
      const url = this.#plan.urls[this.#node % this.#plan.urls.length]
      const isCut = cut && tries === 0
      const sentAt = performance.now()
      try {
        const answer = await request(
          this.#agent,
          method,
          `${url}/api/assessments/${this.#plan.code}${route}`,
          {
            Authorization: `Bearer ${this.#token}`,
            'Content-Type': 'application/json',
            'X-Candidate-Token': this.#candidateToken,
            'X-Window-Id': this.#windowId,
          },
          body === undefined ? '' : JSON.stringify(body),
          isCut,
        )
        see(String(answer.status), performance.now() - sentAt, `${method} ${route}`)
        if (answer.status < 500) {
          if (
            answer.status >= 400 &&
            !['already_submitted', 'attempt_closed'].includes(answer.body.code)
          ) {
            report.errors.push(`${route} ${answer.status} ${JSON.stringify(answer.body)}`)
          }
          return answer
        }
        count(String(answer.status))
        await wait(Math.max(answer.retryAfterMs, pause(tries)))
      } catch (error) {
        const what = (error as { code?: string }).code ?? 'cut'
        if (isCut) see(CUT_ON_PURPOSE, 0, '')
        else see(what, performance.now() - sentAt, `${method} ${route}`)
        count(what)
        this.#node += 1
        await wait(pause(tries))
      }
    }
  }
}

function pause(tries: number): number {
  return (RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] as number) * (1 + 0.2 * Math.random())
}

function see(outcome: string, ms: number, call: string): void {
  report.calls[outcome] = (report.calls[outcome] ?? 0) + 1
  if (ms > report.longest.ms) report.longest = { ms, call: `${call}: ${outcome}` }
}

function count(what: string): void {
  report.retries[what] = (report.retries[what] ?? 0) + 1
}

async function until(at: number): Promise<void> {
  const ms = at - performance.now()
  if (ms > 0) await wait(ms)
}

/** @param cut sends the whole request and then closes the connection, so that no response can arrive */
async function request(
  agent: Agent,
  method: Dispatcher.HttpMethod,
  url: string,
  headers: Record<string, string>,
  body: string,
  cut: boolean,
  // biome-ignore lint/suspicious/noExplicitAny: the API defines the response
): Promise<{ status: number; body: any; retryAfterMs: number }> {
  if (cut) return sendAndTear(method, url, headers, body)
  const { origin, pathname } = new URL(url)
  const answer = await agent.request({
    origin,
    path: pathname,
    method,
    headers,
    body: body || null,
  })
  return {
    status: answer.statusCode,
    body: await answer.body.json(),
    retryAfterMs: Number(answer.headers['retry-after'] ?? 0) * 1000,
  }
}

function sendAndTear(
  method: string,
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<never> {
  return new Promise((_, reject) => {
    const sent = http.request(url, {
      method,
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    })
    sent.on('error', reject)
    sent.end(body, () => setImmediate(() => sent.destroy()))
  })
}

const plan = (await json(process.stdin)) as CrowdPlan
// An aborted bench must not leave ten thousand candidates running.
const parent = process.ppid
setInterval(() => process.ppid !== parent && process.exit(1), 5_000).unref()
const begin = performance.now()
const candidates = plan.people.map((person, index) => new Candidate(plan, person, index))
await Promise.all(
  candidates.map((candidate) =>
    candidate
      .live(begin)
      .catch((error) => report.errors.push(`${candidate.testimony.username}: ${error}`)),
  ),
)
report.people = candidates.map(({ testimony }) => testimony)
process.stdout.write(JSON.stringify(report), () => process.exit(0))
