import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { json, text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { LiveLooks, LiveLooksPlan, LiveSide } from './live-watchers.ts'

// Candidates who take a test and organizers who watch it, in a separate process: reads a LiveCrowdPlan from standard
// input and writes a LiveCrowdReport to standard output. The watchers have another process, because in reality no
// candidate's browser waits for an organizer's.

export interface LiveCrowdPlan {
  url: string
  code: string
  society: string
  password: string
  people: { username: string; token: string }[]
  /** access tokens of organizers */
  watchers: string[]
  /** created when the first side begins; contains that time in milliseconds since 1970 */
  beginsFile: string
  /** for each side: whether the organizers watch, and whether the candidates save */
  sides: readonly { isWatched: boolean; isSaving: boolean }[]
  sideMs: number
  /** per side, before measurements count */
  settleMs: number
}

export interface LiveCrowdReport {
  /** for each side */
  saveMs: number[][]
  lookMs: number[]
  lookBytes: number
  changeMs: number[]
  errors: string[]
}

/** Each candidate saves once a minute and sends a heartbeat every half minute. */
const SAVE_MS = 60_000
const BEAT_MS = 30_000
/** Milliseconds of watching before the first side. */
const WARM_MS = 30_000
const ENTER_AT_ONCE = 40

const plan = (await json(process.stdin)) as LiveCrowdPlan
const agent = new http.Agent({ keepAlive: true, maxSockets: 500 })
const report: Pick<LiveCrowdReport, 'saveMs' | 'errors'> = {
  saveMs: plan.sides.map(() => []),
  errors: [],
}
let side = -1
/** index of the measured side, once it has settled */
let told = -1

interface Sitting {
  headers: Record<string, string>
  questions: number[]
  answered: number
  events: number
}

function request(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<{ status: number; text: string }> {
  const sent = body === undefined ? '' : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const call = http.request(
      `${plan.url}${path}`,
      {
        method,
        agent,
        headers: {
          ...headers,
          ...(body && {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(sent),
          }),
        },
      },
      (response) =>
        void text(response).then(
          (all) => resolve({ status: response.statusCode ?? 0, text: all }),
          reject,
        ),
    )
    call.on('error', reject)
    call.end(sent)
  })
}

const base = `/api/assessments/${plan.code}`

async function enter({ username, token }: LiveCrowdPlan['people'][number]): Promise<Sitting> {
  const windowId = randomUUID()
  const plain = { Authorization: `Bearer ${token}` }
  const { password } = plan
  const verified = await request('POST', `${base}/verify`, plain, { username, password })
  const headers = {
    ...plain,
    'X-Candidate-Token': JSON.parse(verified.text).candidateToken,
    'X-Window-Id': windowId,
  }
  const started = await request('POST', `${base}/attempt`, headers, { windowId })
  const questions = JSON.parse(started.text).questions.map(({ id }: { id: number }) => id)
  const sitting = { headers, questions, answered: 0, events: 0 }
  await tell(sitting, 'ready')
  return sitting
}

async function tell(one: Sitting, kind: string): Promise<void> {
  if (plan.sides[side]?.isSaving === false) return
  one.events += 1
  const events = [{ id: one.events, kind, at: one.events * 1000 }]
  const { status, text } = await request('POST', `${base}/attempt/events`, one.headers, { events })
  if (status !== 200) report.errors.push(`${kind}: ${status} ${text}`)
}

async function save(one: Sitting): Promise<void> {
  if (plan.sides[side]?.isSaving === false) return
  const questionId = one.questions[one.answered % one.questions.length]
  one.answered += 1
  const answers = [{ questionId, choice: 'B', revision: one.answered, at: one.answered * 1000 }]
  const of = report.saveMs[told]
  const begin = performance.now()
  const { status, text } = await request('PUT', `${base}/attempt/answers`, one.headers, {
    answers,
    lastEvent: one.events,
  })
  of?.push(performance.now() - begin)
  if (status !== 200) report.errors.push(`save: ${status} ${text}`)
}

/**
 * Repeats an action until the end, at fixed intervals.
 * @param share in [0, 1): its phase, so that calls are spread evenly over each second
 */
async function repeat(everyMs: number, share: number, act: () => Promise<void>): Promise<void> {
  let nextMs = performance.now() + share * everyMs
  while (side < plan.sides.length) {
    await wait(Math.max(0, nextMs - performance.now()))
    await act().catch((error) => report.errors.push(String(error)))
    nextMs += everyMs
  }
}

const sittings: Sitting[] = []
const waiting = [...plan.people]
await Promise.all(
  Array.from({ length: ENTER_AT_ONCE }, async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) sittings.push(await enter(one))
  }),
)
for (const [at, one] of sittings.entries()) {
  const share = at / sittings.length
  void repeat(SAVE_MS, share, () => save(one))
  // Heartbeats come between the saves.
  void repeat(BEAT_MS, (share + 0.37) % 1, () => tell(one, 'heartbeat'))
}
const { url, society, code } = plan
const watchers = fork(new URL('live-watchers.ts', import.meta.url))
watchers.send({ url, society, code, tokens: plan.watchers } satisfies LiveLooksPlan)
// The rush of the start is over, and the watched code has been compiled.
side = plan.sides.findIndex(({ isWatched }) => isWatched)
watchers.send({ isWatched: true, isTold: false } satisfies LiveSide)
await wait(WARM_MS)
const beginsMs = Date.now() + 100
writeFileSync(`${plan.beginsFile}.new`, String(beginsMs))
renameSync(`${plan.beginsFile}.new`, plan.beginsFile)
for (side = 0; side < plan.sides.length; side += 1) {
  const { isWatched = false, isSaving = false } = plan.sides[side] ?? {}
  told = -1
  watchers.send({ isWatched, isTold: false } satisfies LiveSide)
  await wait(beginsMs + side * plan.sideMs + plan.settleMs - Date.now())
  told = side
  watchers.send({ isWatched, isTold: isWatched && isSaving } satisfies LiveSide)
  await wait(beginsMs + (side + 1) * plan.sideMs - Date.now())
}
watchers.send('end')
const [looks] = (await once(watchers, 'message')) as [LiveLooks]
report.errors.push(...looks.errors)
const { lookMs, lookBytes, changeMs } = looks
process.stdout.write(
  JSON.stringify({ ...report, lookMs, lookBytes, changeMs } satisfies LiveCrowdReport),
  () => process.exit(0),
)
