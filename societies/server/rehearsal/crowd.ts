import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { CANDIDATE_TOKEN_HEADER, WINDOW_HEADER } from '../../../assessments/contract.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import { planOf, type Step, SURE } from './plan.ts'

/** A call of the whole application in this process: everything but the network is as for everybody. */
export type RequestInProcess = (path: string, init: RequestInit) => Promise<Response>

export interface Crowd {
  request: RequestInProcess
  /** of the copy */
  code: string
  people: readonly { username: string; password: string }[]
  itemCount: number
  lastsMs: number
  /** how many of its seconds pass in one */
  speed: number
  random: () => number
  /** ends it */
  signal: AbortSignal
}

/** Calls of a crowd that are under way at once: real ones never wait behind a simulation. */
const CALLS_AT_ONCE = 3
/** How often a call that is told to come later is made again. */
const TRIES = 5

/** By it the guests of a simulation are found again, also after a crash. */
export const agentOf = (code: string) => `Superday simulation ${code}`

/** Plays a crowd through the calls that candidates' pages make, until all are done or it is ended. */
export async function playCrowd(crowd: Crowd): Promise<void> {
  // Everybody listens for the end.
  setMaxListeners(0, crowd.signal)
  const enter = createGate(CALLS_AT_ONCE)
  const beganMs = performance.now()
  const until = async (atMs: number) => {
    const leftMs = beganMs + atMs / crowd.speed - performance.now()
    await sleep(Math.max(0, leftMs), undefined, { signal: crowd.signal, ref: false })
  }
  const lives = crowd.people.map(async (person, index) => {
    const plan = planOf(crowd.random, crowd.itemCount, crowd.lastsMs, SURE[index] ?? null)
    const candidate = new SimulatedCandidate(crowd, person, enter, () =>
      Math.round((performance.now() - beganMs) * crowd.speed),
    )
    for (const step of plan) {
      await until(step.atMs)
      if (!(await candidate.take(step))) break
    }
    return plan.length > 0
  })
  const ended = await Promise.allSettled(lives)
  if (crowd.signal.aborted) return
  const [failed] = ended.filter((one) => one.status === 'rejected')
  // One who is not let in goes unnoticed among many; when nobody is, it was no rehearsal.
  const hasPlayed = ended.some((one) => one.status === 'fulfilled' && one.value)
  if (failed && !hasPlayed) throw failed.reason
}

/** Lets so many in at once, the others in their order. */
function createGate(places: number): () => Promise<() => void> {
  let free = places
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    return leave
  }
}

interface Sent {
  questionId: number
  choice: OptionLetter
  revision: number
  at: number
}

/** One candidate of a crowd, with what a page would hold. */
class SimulatedCandidate {
  readonly #crowd: Crowd
  readonly #person: { username: string; password: string }
  readonly #enter: () => Promise<() => void>
  /** milliseconds since the simulation began, in its own time */
  readonly #elapsed: () => number
  #access = ''
  #candidate = ''
  #window = ''
  #openedMs = 0
  #events = 0
  #questions: number[] = []
  readonly #revisions = new Map<number, number>()
  /** what waits while the network is away */
  readonly #waiting = new Map<number, Sent>()
  #isOffline = false

  constructor(
    crowd: Crowd,
    person: { username: string; password: string },
    enter: () => Promise<() => void>,
    elapsed: () => number,
  ) {
    this.#crowd = crowd
    this.#person = person
    this.#enter = enter
    this.#elapsed = elapsed
  }

  /** Takes one step. @returns whether the test goes on */
  async take(step: Step): Promise<boolean> {
    switch (step.act) {
      case 'come':
        return this.#come()
      case 'start':
        return this.#start('navigate')
      case 'reload':
        return this.#isOffline || this.#start('reload')
      case 'answer': {
        const questionId = this.#questions[step.index]
        if (questionId === undefined) return false
        const revision = (this.#revisions.get(questionId) ?? 0) + 1
        this.#revisions.set(questionId, revision)
        this.#waiting.set(questionId, { questionId, choice: step.choice, revision, at: this.#at() })
        return this.#isOffline || this.#save()
      }
      case 'strike':
        if (this.#isOffline) return true
        return this.#report(
          step.kind,
          ...(step.kind === 'window_blur' ? (['page_visible'] as const) : []),
        )
      case 'lose_network':
        this.#isOffline = true
        return true
      case 'find_network':
        this.#isOffline = false
        return (await this.#save()) && this.#report('offline', 'online')
      case 'submit': {
        this.#isOffline = false
        if (!(await this.#save())) return false
        await this.#call('POST', '/attempt/submit', { answers: [], lastEvent: this.#events })
        return false
      }
    }
  }

  /** Errors: Error for one who is not let in: something is wrong then. */
  async #come(): Promise<boolean> {
    const { username, password } = this.#person
    const guest = await this.#send('POST', '/auth/v1/signup', { data: {} })
    this.#access = String(guest?.access_token ?? '')
    const verified = this.#access && (await this.#call('POST', '/verify', { username, password }))
    this.#candidate = String((verified || null)?.candidateToken ?? '')
    if (!this.#candidate) throw new Error('a simulated candidate was not let in')
    return true
  }

  async #start(opened: 'navigate' | 'reload'): Promise<boolean> {
    this.#window = randomUUID()
    const started = await this.#call('POST', '/attempt', { windowId: this.#window })
    if (started?.status !== 'in_progress') return false
    this.#openedMs = this.#elapsed()
    this.#events = 0
    this.#questions = (started.questions as { id: number }[]).map(({ id }) => id)
    return this.#report(
      { kind: 'ready', detail: { opened } },
      ...(opened === 'reload' ? (['reload'] as const) : []),
    )
  }

  async #save(): Promise<boolean> {
    const answers = [...this.#waiting.values()]
    if (answers.length === 0) return true
    const saved = await this.#call('PUT', '/attempt/answers', { answers, lastEvent: this.#events })
    for (const { questionId } of answers) this.#waiting.delete(questionId)
    return saved !== null
  }

  async #report(...kinds: (string | { kind: string; detail: object })[]): Promise<boolean> {
    const events = kinds.map((one) => {
      this.#events += 1
      const at = this.#at()
      return typeof one === 'string'
        ? { id: this.#events, kind: one, at }
        : { id: this.#events, at, ...one }
    })
    const told = await this.#call('POST', '/attempt/events', { events })
    return told?.status === 'in_progress'
  }

  #at(): number {
    return Math.max(0, this.#elapsed() - this.#openedMs)
  }

  #call(method: string, route: string, body: object) {
    return this.#send(method, `/api/assessments/${this.#crowd.code}${route}`, body)
  }

  /** @returns what was answered, or null for a refusal; what may pass is tried again */
  async #send(method: string, path: string, body: object): Promise<Record<string, unknown> | null> {
    const { request, code, signal, speed } = this.#crowd
    for (let tries = 1; ; tries += 1) {
      const leave = await this.#enter()
      try {
        signal.throwIfAborted()
        const response = await request(path, {
          method,
          headers: {
            'Content-Type': 'application/json',
            'User-Agent': agentOf(code),
            ...(this.#access ? { Authorization: `Bearer ${this.#access}` } : {}),
            ...(this.#candidate ? { [CANDIDATE_TOKEN_HEADER]: this.#candidate } : {}),
            ...(this.#window ? { [WINDOW_HEADER]: this.#window } : {}),
          },
          body: JSON.stringify(body),
        })
        if (response.ok) return (await response.json()) as Record<string, unknown>
        const mayPass = response.status === 429 || response.status === 503
        if (!mayPass || tries === TRIES) return null
      } finally {
        leave()
      }
      await sleep((tries * 2_000) / speed, undefined, { signal, ref: false })
    }
  }
}
