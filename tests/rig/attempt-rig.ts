import { vi } from 'vitest'
import type { SentAnswer } from '../../assessments/web/attempt/answer-queue.ts'
import type { AttemptApi } from '../../assessments/web/attempt/api.ts'
import { Attempt } from '../../assessments/web/attempt/attempt.ts'
import type { RunningView } from '../../assessments/web/attempt/attempt-view.ts'
import type { PageEvent } from '../../assessments/web/attempt/event-queue.ts'
import { attemptPrefix } from '../../assessments/web/attempt/keys.ts'
import type { Arrival } from '../../assessments/web/attempt/seen/arrival.ts'
import type { Looked } from '../../assessments/web/attempt/seen/dwell.ts'
import type { OptionLetter } from '../../platform/options.ts'
import { ApiFailure } from '../../platform/web/api-failure.ts'
import { createTestEnvironment, settle, type TestEnvironment } from './test-environment.ts'

export const PREFIX = attemptPrefix('PCF', 'ana')
export const LIMIT_MS = 600_000
const QUESTIONS = [1, 2, 3].map((id) => ({
  id,
  question: `Stem ${id}`,
  options: { A: 'a', B: 'b', C: 'c', D: 'd' },
}))

/** The server's side of one attempt, by the rules of product 6.4 to 6.9, on the test's clock. */
export function createServer(environment: TestEnvironment) {
  const server = {
    startedAt: null as number | null,
    limitMs: LIMIT_MS,
    owner: '',
    answers: new Map<number, { choice: string; revision: number }>(),
    late: [] as SentAnswer[],
    events: [] as (PageEvent & { windowId: string })[],
    violations: 0,
    /** from the society, newest first */
    messages: [] as { id: number; text: string; at: string }[],
    givenSeconds: 0,
    submitted: null as { at: number; reason: 'candidate' | 'violations' | 'deadline' } | null,
    /** the time on questions that saves and submits reported */
    dwells: [] as Looked[][],
    /** the last event's number that saves and submits reported */
    lastEvent: 0,
    /** calls by name; set an entry of `failures` to make one fail */
    calls: [] as string[],
    failures: {} as Record<string, Error | null>,
  }
  const elapsed = () => environment.wallNow() - (server.startedAt ?? environment.wallNow())
  const refuse = (code: string, status = 409) => new ApiFailure(status, { code, message: code })
  const note = (name: string) => {
    server.calls.push(name)
    const failure = server.failures[name] ?? server.failures.all
    if (failure) throw failure
    if (!server.submitted && server.startedAt !== null && elapsed() >= server.limitMs + 10_000) {
      server.submitted = { at: server.limitMs, reason: 'deadline' }
    }
  }
  const closed = () =>
    refuse(server.submitted?.reason === 'candidate' ? 'already_submitted' : 'attempt_closed')
  const store = (answers: SentAnswer[]) => {
    for (const { questionId, choice, revision } of answers) {
      if ((server.answers.get(questionId)?.revision ?? 0) < revision) {
        server.answers.set(questionId, { choice, revision })
      }
    }
  }
  const statusOf = () => ({
    status: server.submitted ? ('submitted' as const) : ('in_progress' as const),
    remainingMs: server.submitted ? 0 : Math.max(0, server.limitMs - elapsed()),
    violations: server.violations,
    extraSeconds: 0,
    givenSeconds: server.givenSeconds,
    ...(server.messages[0] ? { news: server.messages[0].id, messages: server.messages } : {}),
    ...(server.submitted
      ? {
          reference: 'abcd1234',
          submittedAt: '2026-03-02T09:10:00.000Z',
          reason: server.submitted.reason,
        }
      : {}),
  })
  const apiOf = (windowId: string): AttemptApi => ({
    async start() {
      note('start')
      server.startedAt ??= environment.wallNow()
      server.owner = windowId
      return {
        reference: 'abcd1234',
        title: 'Test Society',
        questions: server.submitted ? [] : QUESTIONS,
        answers: [...server.answers].map(([questionId, { choice, revision }]) => ({
          questionId,
          choice: choice as OptionLetter,
          revision,
        })),
        remainingMs: statusOf().remainingMs,
        violations: server.violations,
        maxViolations: 3,
        status: server.submitted ? 'submitted' : 'in_progress',
      }
    },
    async status() {
      note('status')
      return statusOf()
    },
    async save(answers, lastEvent, dwell) {
      note('save')
      server.lastEvent = lastEvent
      if (dwell?.length) server.dwells.push(dwell)
      if (server.submitted) {
        server.late.push(
          ...answers.filter(
            (one) => !server.late.some((late) => late.questionId === one.questionId),
          ),
        )
        throw closed()
      }
      if (server.owner !== windowId) throw refuse('taken_over')
      store(answers)
      return answers.map(({ questionId }) => ({
        questionId,
        revision: server.answers.get(questionId)?.revision ?? 0,
      }))
    },
    async report(events) {
      note('report')
      if (server.submitted) throw closed()
      if (server.owner !== windowId) throw refuse('taken_over')
      for (const event of events) {
        if (server.events.some((one) => one.id === event.id && one.windowId === windowId)) continue
        server.events.push({ ...event, windowId })
        if (['copy', 'paste', 'page_hidden'].includes(event.kind)) server.violations += 1
      }
      if (server.violations >= 3) server.submitted = { at: elapsed(), reason: 'violations' }
      return {
        violations: server.violations,
        status: server.submitted ? 'submitted' : 'in_progress',
      }
    },
    async submit(answers, lastEvent, dwell) {
      note('submit')
      server.lastEvent = lastEvent
      if (dwell?.length) server.dwells.push(dwell)
      if (server.submitted) throw closed()
      if (server.owner !== windowId) throw refuse('taken_over')
      store(answers)
      const isLate = elapsed() >= server.limitMs
      server.submitted = isLate
        ? { at: server.limitMs, reason: 'deadline' }
        : { at: elapsed(), reason: 'candidate' }
      return {
        status: 'submitted',
        reference: 'abcd1234',
        submittedAt: '2026-03-02T09:10:00.000Z',
      }
    },
  })
  return Object.assign(server, { apiOf })
}

let windows = 0

export function openPage(
  environment: TestEnvironment,
  server: ReturnType<typeof createServer>,
  arrival: Arrival = { kind: 'new', opened: 'navigate' },
) {
  const hooks = {
    onStrike: vi.fn(),
    onSubmitted: vi.fn(),
    onSubmitFailed: vi.fn(),
    onIncomplete: vi.fn(),
  }
  const attempt = new Attempt({
    code: 'PCF',
    username: 'Ana ',
    title: 'Test Society',
    environment,
    newWindowId: () => {
      windows += 1
      return `w${windows}`
    },
    apiOf: server.apiOf,
    arrival,
    hooks,
  })
  return { attempt, hooks, running: () => attempt.getView() as RunningView }
}

export async function setUp() {
  const environment = createTestEnvironment()
  const server = createServer(environment)
  const page = openPage(environment, server)
  await page.attempt.open()
  await settle()
  return { environment, server, ...page }
}

export const offline = () => new ApiFailure(0, { code: 'offline', message: '' })
export const busyFor = (seconds: number) =>
  new ApiFailure(
    503,
    { code: 'unavailable', message: '' },
    new Headers({ 'Retry-After': String(seconds) }),
  )
