import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { CANDIDATE_TOKEN_HEADER, WINDOW_HEADER } from '../../../../assessments/contract.ts'
import { OPTION_LETTERS, type OptionLetter } from '../../../../platform/options.ts'
import { createLine } from '../../../../platform/server/shares/line.ts'

/** Sends a request to the application in this process, without a network. */
export type RequestInProcess = (path: string, init: RequestInit) => Promise<Response>

export interface Crowd {
  request: RequestInProcess
  /** The copy's code. */
  code: string
  people: readonly { username: string; password: string }[]
  itemCount: number
  lastsMs: number
  /** How many simulated seconds pass per real second. */
  speed: number
  random: () => number
  /** Aborting it ends the simulation. */
  signal: AbortSignal
}

/** A simulated candidate's action and its time, in milliseconds since the simulation began. */
export type Step = { atMs: number } & (
  | { act: 'come' | 'start' | 'lose_network' | 'find_network' | 'submit' }
  /** Answers the paper's question `index`. */
  | { act: 'answer'; index: number; choice: OptionLetter }
  | { act: 'strike'; kind: (typeof STRIKES)[number] }
  /** Continues as the same candidate in a new window. */
  | { act: 'reload' }
)

const STRIKES = ['window_blur', 'copy', 'paste', 'context_menu'] as const

/** The shares of candidates who do these things, increased for events that invigilators should see once. */
const SHARE = {
  absent: 0.05,
  late: 0.2,
  lost: 0.15,
  reload: 0.1,
  strike: 0.2,
  out: 0.04,
  slow: 0.1,
}
/** The first candidates do these things, one each, so that a small crowd shows them too. */
const SURE = ['put out', 'two strikes', 'loses the network'] as const

/** The maximum of concurrent requests, so that real ones never wait behind a simulation. */
const CALLS_AT_ONCE = 3
/** How often a request is tried in total if it gets a temporary error. */
const TRIES = 5

/** The user agent of a simulation's guests, by which they can be found even after a crash. */
export const agentOf = (code: string) => `Superday simulation ${code}`

/**
 * Plans one simulated candidate's test. Most candidates arrive on time and some late. They answer at their own pace and
 * sometimes change an answer. Some leave the page, lose the network, reload, or run out of time.
 * @param random returns a number from 0 up to but not including 1
 * @param sure an event that must happen
 */
export function planOf(
  random: () => number,
  itemCount: number,
  lastsMs: number,
  sure?: (typeof SURE)[number],
): Step[] {
  const chance = (share: number) => random() < share
  const between = (from: number, to: number) => from + random() * (to - from)
  const oneOf = <T>(some: readonly T[]) => some[Math.floor(random() * some.length)] as T
  if (chance(SHARE.absent) && !sure) return []
  const comesMs = lastsMs * (chance(SHARE.late) ? between(0.08, 0.2) : between(0, 0.06))
  const startsMs = comesMs + lastsMs * between(0.005, 0.03)
  const isSlow = chance(SHARE.slow) && !sure
  // Slow candidates run out of time.
  const takesMs = lastsMs * (isSlow ? between(0.75, 0.9) : between(0.3, 0.62))
  const momentOf = (share: number) => startsMs + takesMs * share
  const steps: Step[] = [
    { atMs: comesMs, act: 'come' },
    { atMs: startsMs, act: 'start' },
  ]
  for (let index = 0; index < itemCount; index += 1) {
    const share = ((index + between(0.4, 1)) / itemCount) * 0.95
    for (const later of chance(0.15) ? [0, 0.02] : [0]) {
      const choice = oneOf(OPTION_LETTERS)
      steps.push({ atMs: momentOf(share + later), act: 'answer', index, choice })
    }
  }
  const drawn = chance(SHARE.out) ? 3 : chance(SHARE.strike) ? (chance(0.2) ? 2 : 1) : 0
  const strikes = sure === 'put out' ? 3 : sure === 'two strikes' ? 2 : drawn
  for (let count = 0; count < strikes; count += 1) {
    const share = between(0.1 + count * 0.25, 0.3 + count * 0.25)
    steps.push({ atMs: momentOf(share), act: 'strike', kind: oneOf(STRIKES) })
  }
  if (chance(SHARE.lost) || sure === 'loses the network') {
    const lost = between(0.2, 0.6)
    steps.push({ atMs: momentOf(lost), act: 'lose_network' })
    steps.push({ atMs: momentOf(lost + between(0.08, 0.2)), act: 'find_network' })
  }
  if (chance(SHARE.reload)) steps.push({ atMs: momentOf(between(0.2, 0.8)), act: 'reload' })
  if (!isSlow) steps.push({ atMs: momentOf(1), act: 'submit' })
  return steps.sort((a, b) => a.atMs - b.atMs)
}

/** Sends a crowd's requests, the same as candidates' pages do, until all have finished or the signal aborts. */
export async function playCrowd(crowd: Crowd): Promise<void> {
  const { people, itemCount, lastsMs, speed, random, signal } = crowd
  // Each candidate adds a listener to the signal.
  setMaxListeners(0, signal)
  const call = makeCaller(crowd)
  const beganMs = performance.now()
  const elapsed = () => Math.round((performance.now() - beganMs) * speed)
  const lives = people.map(async (person, index) => {
    const plan = planOf(random, itemCount, lastsMs, SURE[index])
    const take = candidateOf(crowd.code, person, call, elapsed)
    for (const step of plan) {
      const leftMs = beganMs + step.atMs / speed - performance.now()
      await sleep(Math.max(0, leftMs), undefined, { signal, ref: false })
      if (!(await take(step))) break
    }
    return plan.length > 0
  })
  const ended = await Promise.allSettled(lives)
  if (signal.aborted) return
  const failed = ended.find((one) => one.status === 'rejected')
  // One rejected candidate is ignored. If all are rejected, the simulation has failed.
  const hasPlayed = ended.some((one) => one.status === 'fulfilled' && one.value)
  if (failed && !hasPlayed) throw failed.reason
}

/** Sends a request as one candidate. @returns the response, or null if it was rejected */
type Caller = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object,
) => Promise<Record<string, unknown> | null>

/** Returns a function that sends the crowd's requests, a few at a time, and retries temporary errors. */
function makeCaller({ request, code, signal, speed }: Crowd): Caller {
  const inLine = createLine(CALLS_AT_ONCE)
  const fixed = { 'Content-Type': 'application/json', 'User-Agent': agentOf(code) }
  return async (method, path, headers, body) => {
    for (let tries = 1; ; tries += 1) {
      const response = await inLine({ share: code }, async () => {
        signal.throwIfAborted()
        return request(path, {
          method,
          headers: { ...fixed, ...headers },
          body: JSON.stringify(body),
        })
      })
      if (response.ok) return (await response.json()) as Record<string, unknown>
      const isTemporary = response.status === 429 || response.status === 503
      if (!isTemporary || tries === TRIES) return null
      await sleep((tries * 2_000) / speed, undefined, { signal, ref: false })
    }
  }
}

/**
 * Simulates one candidate with the state that a page would hold.
 * @param elapsed milliseconds since the simulation began, in simulated time
 * @returns a function that takes one step and returns whether the test continues
 */
function candidateOf(
  code: string,
  person: Crowd['people'][number],
  call: Caller,
  elapsed: () => number,
): (step: Step) => Promise<boolean> {
  /** The headers of the session, the candidate, and the window, added in this order. */
  const headers: Record<string, string> = {}
  let openedMs = 0
  let events = 0
  let questions: number[] = []
  const revisions = new Map<number, number>()
  /** Answers that wait while the network is down, by question. */
  const waiting = new Map<number, object>()
  let isOffline = false

  const at = () => Math.max(0, elapsed() - openedMs)
  const send = (method: string, route: string, body: object) =>
    call(method, `/api/assessments/${code}${route}`, headers, body)

  /** Errors: Error if the candidate is rejected, which means that something is wrong. */
  async function come(): Promise<boolean> {
    const guest = await call('POST', '/auth/v1/signup', {}, { data: {} })
    headers.Authorization = `Bearer ${guest?.access_token}`
    const { username, password } = person
    const verified = guest && (await send('POST', '/verify', { username, password }))
    if (!verified?.candidateToken) throw new Error('a simulated candidate was rejected')
    headers[CANDIDATE_TOKEN_HEADER] = String(verified.candidateToken)
    return true
  }
  async function report(...kinds: { kind: string; detail?: object }[]): Promise<boolean> {
    const told = await send('POST', '/attempt/events', {
      events: kinds.map((one) => {
        events += 1
        return { id: events, at: at(), ...one }
      }),
    })
    return told?.status === 'in_progress'
  }
  async function start(opened: 'navigate' | 'reload'): Promise<boolean> {
    const windowId = randomUUID()
    headers[WINDOW_HEADER] = windowId
    const started = await send('POST', '/attempt', { windowId })
    if (started?.status !== 'in_progress') return false
    openedMs = elapsed()
    events = 0
    questions = (started.questions as { id: number }[]).map(({ id }) => id)
    const reload = opened === 'reload' ? [{ kind: 'reload' }] : []
    return report({ kind: 'ready', detail: { opened } }, ...reload)
  }
  async function save(): Promise<boolean> {
    const saving = [...waiting]
    if (saving.length === 0) return true
    const answers = saving.map(([, answer]) => answer)
    const saved = await send('PUT', '/attempt/answers', { answers, lastEvent: events })
    for (const [questionId] of saving) waiting.delete(questionId)
    return saved !== null
  }

  return async (step) => {
    switch (step.act) {
      case 'come':
        return come()
      case 'start':
        return start('navigate')
      case 'reload':
        return isOffline || start('reload')
      case 'answer': {
        const questionId = questions[step.index]
        if (questionId === undefined) return false
        const revision = (revisions.get(questionId) ?? 0) + 1
        revisions.set(questionId, revision)
        waiting.set(questionId, { questionId, choice: step.choice, revision, at: at() })
        return isOffline || save()
      }
      case 'strike': {
        const back = step.kind === 'window_blur' ? [{ kind: 'page_visible' }] : []
        return isOffline || report({ kind: step.kind }, ...back)
      }
      case 'lose_network':
        isOffline = true
        return true
      case 'find_network':
        isOffline = false
        return (await save()) && report({ kind: 'offline' }, { kind: 'online' })
      case 'submit':
        isOffline = false
        if (await save()) await send('POST', '/attempt/submit', { answers: [], lastEvent: events })
        return false
    }
  }
}
