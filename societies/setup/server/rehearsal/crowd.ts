import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { CANDIDATE_TOKEN_HEADER, WINDOW_HEADER } from '../../../../assessments/contract.ts'
import type { OptionLetter } from '../../../../platform/options.ts'
import { planOf, type Step, SURE } from './plan.ts'

/** Calls the whole application in this process, as a browser would without a network between. */
export type RequestInProcess = (path: string, init: RequestInit) => Promise<Response>

export interface Crowd {
  request: RequestInProcess
  /** of the copy */
  code: string
  people: readonly { username: string; password: string }[]
  itemCount: number
  lastsMs: number
  /** how many of its seconds pass in a second */
  speed: number
  random: () => number
  /** ends the crowd */
  signal: AbortSignal
}

/** A crowd's calls under way at once, so that real ones never wait behind a simulation. */
const CALLS_AT_ONCE = 3
/** How often a call is made that gets a temporary refusal. */
const TRIES = 5

/** The browser's name of a simulation's guests, by which they are found again, even after a crash. */
export const agentOf = (code: string) => `Superday simulation ${code}`

/** Plays a crowd through the calls that candidates' pages make, until all are done or the signal ends it. */
export async function playCrowd(crowd: Crowd): Promise<void> {
  const { code, people, itemCount, lastsMs, speed, random, signal } = crowd
  // Each candidate listens to the signal.
  setMaxListeners(0, signal)
  const call = makeCaller(crowd)
  const beganMs = performance.now()
  const elapsed = () => Math.round((performance.now() - beganMs) * speed)
  const until = async (atMs: number) => {
    const leftMs = beganMs + atMs / speed - performance.now()
    await sleep(Math.max(0, leftMs), undefined, { signal, ref: false })
  }
  const lives = people.map(async (person, index) => {
    const plan = planOf(random, itemCount, lastsMs, SURE[index] ?? null)
    const candidate = new SimulatedCandidate({ code, person, call, elapsed })
    for (const step of plan) {
      await until(step.atMs)
      if (!(await candidate.take(step))) break
    }
    return plan.length > 0
  })
  const ended = await Promise.allSettled(lives)
  if (signal.aborted) return
  const [failed] = ended.filter((one) => one.status === 'rejected')
  // A single candidate who isn't let in goes unnoticed. If none is, it was no rehearsal.
  const hasPlayed = ended.some((one) => one.status === 'fulfilled' && one.value)
  if (failed && !hasPlayed) throw failed.reason
}

/** Makes a call as one candidate. @returns the answer, null for a refusal */
type Caller = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object,
) => Promise<Record<string, unknown> | null>

/** Makes a crowd's calls, a few at once, and repeats those with a temporary refusal. */
function makeCaller({ request, code, signal, speed }: Crowd): Caller {
  const enter = createGate(CALLS_AT_ONCE)
  const fixed = { 'Content-Type': 'application/json', 'User-Agent': agentOf(code) }
  return async (method, path, headers, body) => {
    for (let tries = 1; ; tries += 1) {
      const leave = await enter()
      try {
        signal.throwIfAborted()
        const response = await request(path, {
          method,
          headers: { ...fixed, ...headers },
          body: JSON.stringify(body),
        })
        if (response.ok) return (await response.json()) as Record<string, unknown>
        const isTemporary = response.status === 429 || response.status === 503
        if (!isTemporary || tries === TRIES) return null
      } finally {
        leave()
      }
      await sleep((tries * 2_000) / speed, undefined, { signal, ref: false })
    }
  }
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

interface Life {
  /** of the copy */
  code: string
  person: { username: string; password: string }
  call: Caller
  /** milliseconds since the simulation began, in its own time */
  elapsed: () => number
}

interface Answer {
  questionId: number
  choice: OptionLetter
  revision: number
  at: number
}

/** One candidate of a crowd, with the state that a page would hold. */
class SimulatedCandidate {
  readonly #life: Life
  /** the session, then the candidate, then the window */
  readonly #headers: Record<string, string> = {}
  #openedMs = 0
  #events = 0
  #questions: number[] = []
  readonly #revisions = new Map<number, number>()
  /** answers that wait while the network is away */
  readonly #waiting = new Map<number, Answer>()
  #isOffline = false

  constructor(life: Life) {
    this.#life = life
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
      case 'strike': {
        if (this.#isOffline) return true
        const back = step.kind === 'window_blur' ? [{ kind: 'page_visible' }] : []
        return this.#report({ kind: step.kind }, ...back)
      }
      case 'lose_network':
        this.#isOffline = true
        return true
      case 'find_network':
        this.#isOffline = false
        return (await this.#save()) && this.#report({ kind: 'offline' }, { kind: 'online' })
      case 'submit': {
        this.#isOffline = false
        if (!(await this.#save())) return false
        await this.#call('POST', '/attempt/submit', { answers: [], lastEvent: this.#events })
        return false
      }
    }
  }

  /** Errors: Error for a candidate who isn't let in, because something is wrong then. */
  async #come(): Promise<boolean> {
    const { call, person } = this.#life
    const guest = await call('POST', '/auth/v1/signup', {}, { data: {} })
    this.#headers.Authorization = `Bearer ${guest?.access_token}`
    const { username, password } = person
    const verified = guest && (await this.#call('POST', '/verify', { username, password }))
    if (!verified?.candidateToken) throw new Error('a simulated candidate was not let in')
    this.#headers[CANDIDATE_TOKEN_HEADER] = String(verified.candidateToken)
    return true
  }

  async #start(opened: 'navigate' | 'reload'): Promise<boolean> {
    const windowId = randomUUID()
    this.#headers[WINDOW_HEADER] = windowId
    const started = await this.#call('POST', '/attempt', { windowId })
    if (started?.status !== 'in_progress') return false
    this.#openedMs = this.#life.elapsed()
    this.#events = 0
    this.#questions = (started.questions as { id: number }[]).map(({ id }) => id)
    const reload = opened === 'reload' ? [{ kind: 'reload' }] : []
    return this.#report({ kind: 'ready', detail: { opened } }, ...reload)
  }

  async #save(): Promise<boolean> {
    const answers = [...this.#waiting.values()]
    if (answers.length === 0) return true
    const saved = await this.#call('PUT', '/attempt/answers', { answers, lastEvent: this.#events })
    for (const { questionId } of answers) this.#waiting.delete(questionId)
    return saved !== null
  }

  async #report(...kinds: { kind: string; detail?: object }[]): Promise<boolean> {
    const events = kinds.map((one) => {
      this.#events += 1
      return { id: this.#events, at: this.#at(), ...one }
    })
    const told = await this.#call('POST', '/attempt/events', { events })
    return told?.status === 'in_progress'
  }

  #at(): number {
    return Math.max(0, this.#life.elapsed() - this.#openedMs)
  }

  #call(method: string, route: string, body: object) {
    const { call, code } = this.#life
    return call(method, `/api/assessments/${code}${route}`, this.#headers, body)
  }
}
