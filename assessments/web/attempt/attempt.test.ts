import { describe, expect, it, vi } from 'vitest'
import type { OptionLetter } from '../../../platform/options.ts'
import { ApiFailure } from '../../../platform/web/api-failure.ts'
import type { SentAnswer } from './answer-queue.ts'
import type { AttemptApi } from './api.ts'
import { Attempt } from './attempt.ts'
import type { RunningView } from './attempt-view.ts'
import type { PageEvent } from './event-queue.ts'
import { attemptPrefix } from './keys.ts'
import { createTestEnvironment, settle, type TestEnvironment } from './test-environment.ts'

const PREFIX = attemptPrefix('PCF', 'ana')
const LIMIT_MS = 600_000
const QUESTIONS = [1, 2, 3].map((id) => ({
  id,
  question: `Stem ${id}`,
  options: { A: 'a', B: 'b', C: 'c', D: 'd' },
}))

/** The server's side of one attempt, by the rules of product 6.4 to 6.9, on the test's clock. */
function createServer(environment: TestEnvironment) {
  const server = {
    startedAt: null as number | null,
    limitMs: LIMIT_MS,
    owner: '',
    answers: new Map<number, { choice: string; revision: number }>(),
    late: [] as SentAnswer[],
    events: [] as (PageEvent & { windowId: string })[],
    violations: 0,
    submitted: null as { at: number; reason: 'candidate' | 'violations' | 'deadline' } | null,
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
    async save(answers) {
      note('save')
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
    async submit(answers) {
      note('submit')
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

function openPage(
  environment: TestEnvironment,
  server: ReturnType<typeof createServer>,
  isReload = false,
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
    isReload,
    hooks,
  })
  return { attempt, hooks, running: () => attempt.getView() as RunningView }
}

async function setUp() {
  const environment = createTestEnvironment()
  const server = createServer(environment)
  const page = openPage(environment, server)
  await page.attempt.open()
  await settle()
  return { environment, server, ...page }
}

const offline = () => new ApiFailure(0, { code: 'offline', message: '' })
const busyFor = (seconds: number) =>
  new ApiFailure(
    503,
    { code: 'unavailable', message: '' },
    new Headers({ 'Retry-After': String(seconds) }),
  )

describe('opening', () => {
  it('starts, reports ready first, and shows the paper', async () => {
    const { server, attempt } = await setUp()
    expect(attempt.getView()).toMatchObject({ phase: 'running', title: 'Test Society' })
    expect(server.events.map(({ id, kind }) => [id, kind])).toEqual([[1, 'ready']])
    expect(attempt.clock.getView().secondsLeft).toBe(600)
  })

  it('after a reload reports it, and it is no strike', async () => {
    const { environment, server, attempt } = await setUp()
    attempt.close()
    const again = openPage(createTestEnvironment(environment.raw), server, true)
    await again.attempt.open()
    await settle()
    expect(server.events.map(({ id, kind }) => [id, kind])).toEqual([
      [1, 'ready'],
      [1, 'ready'],
      [2, 'reload'],
    ])
    expect(again.running().violations).toBe(0)
  })

  it.each([
    ['not_open', 403, { phase: 'waiting', opensAt: '2025-06-15T15:06:50.000Z', opensInMs: 10_000 }],
    ['closed', 403, { phase: 'closed', message: 'closed' }],
    ['bad_candidate_token', 403, { phase: 'failed', failure: 'access' }],
    ['no_questions', 409, { phase: 'failed', failure: 'no_questions' }],
    ['unexpected_failure', 500, { phase: 'failed', failure: 'load' }],
  ])('refused with %s', async (code, status, view) => {
    const environment = createTestEnvironment()
    const server = createServer(environment)
    const { attempt } = openPage(environment, server)
    server.failures.start = new ApiFailure(status, {
      code,
      message: code,
      opensAt: '2025-06-15T15:06:50.000Z',
    } as { code: string; message: string })
    void attempt.open()
    await environment.advance(3_100)
    // 2025-06-15T15:06:40Z is where the test's clock begins; a server that says its time would count.
    const expected = code === 'not_open' ? { ...view, opensInMs: 10_000 } : view
    expect(attempt.getView()).toMatchObject(expected)
  })

  it('tries again when the network hiccups', async () => {
    const environment = createTestEnvironment()
    const server = createServer(environment)
    const { attempt } = openPage(environment, server)
    server.failures.start = offline()
    void attempt.open()
    await environment.advance(1_500)
    server.failures.start = null
    await environment.advance(2_000)
    expect(attempt.getView().phase).toBe('running')
  })

  it('tries again when the server asked for it, with the rest of the room spread', async () => {
    const environment = { ...createTestEnvironment(), random: () => 0.5 }
    const server = createServer(environment)
    const { attempt } = openPage(environment, server)
    server.failures.start = busyFor(7)
    void attempt.open()
    await environment.advance(7_600)
    expect(server.calls).toEqual(['start'])
    server.failures.start = null
    await environment.advance(200)
    expect(attempt.getView().phase).toBe('running')
  })
})

describe('a reload after a failed save', () => {
  it('sends what was left under the old window, before the new one takes over', async () => {
    const { environment, server, attempt } = await setUp()
    server.failures.all = offline()
    attempt.choose(2, 'C')
    attempt.report('copy', environment.now())
    await environment.advance(500)
    attempt.close()
    server.failures.all = null
    const again = openPage(createTestEnvironment(environment.raw), server)
    await again.attempt.open()
    await settle()
    expect(server.answers.get(2)).toEqual({ choice: 'C', revision: 1 })
    expect(server.violations).toBe(1)
    expect(again.running().violations).toBe(1)
    expect(again.running().choices.get(2)).toBe('C')
    expect(again.running().saveState).toBe('saved')
  })

  it('counts no violation twice whose answer was lost on the way', async () => {
    const { environment, server, attempt } = await setUp()
    const report = server.apiOf(server.owner).report
    await report([{ id: 2, kind: 'copy', at: 5 }])
    environment.store.set(
      `${PREFIX}events:${server.owner}`,
      JSON.stringify([{ id: 2, kind: 'copy', at: 5 }]),
    )
    attempt.close()
    const again = openPage(createTestEnvironment(environment.raw), server)
    await again.attempt.open()
    await settle()
    expect(again.running().violations).toBe(1)
  })

  it('never overwrites what was chosen on another computer meanwhile', async () => {
    const { environment, server, attempt } = await setUp()
    server.failures.save = offline()
    attempt.choose(1, 'A')
    attempt.choose(1, 'B')
    attempt.choose(2, 'A')
    await environment.advance(100)
    attempt.close()
    server.failures.save = null

    const other = createTestEnvironment()
    const elsewhere = openPage(other, server)
    await elsewhere.attempt.open()
    elsewhere.attempt.choose(1, 'D')
    await other.advance(100)
    elsewhere.attempt.close()

    const again = openPage(createTestEnvironment(environment.raw), server)
    await again.attempt.open()
    await settle()
    expect(again.running().choices.get(1)).toBe('D')
    expect(server.answers.get(1)?.choice).toBe('D')
    // Nobody had chosen here since.
    expect(server.answers.get(2)?.choice).toBe('A')
  })

  it('drops what belongs to an attempt that is no more', async () => {
    const environment = createTestEnvironment()
    environment.store.set(
      `${PREFIX}answer:1`,
      JSON.stringify({
        reference: 'older000',
        windowId: 'old',
        questionId: 1,
        choice: 'D',
        revision: 1,
        baseRevision: 0,
        at: 5,
      }),
    )
    const server = createServer(environment)
    const { attempt, running } = openPage(environment, server)
    await attempt.open()
    await settle()
    expect(running().choices.size).toBe(0)
    expect(server.answers.size).toBe(0)
  })
})

describe('two windows', () => {
  it('the older one stops sending and says so; it may take the test back', async () => {
    const { environment, server, attempt } = await setUp()
    const second = openPage(createTestEnvironment(), server)
    await second.attempt.open()
    attempt.choose(1, 'A')
    await environment.advance(20_000)
    expect(attempt.getView().phase).toBe('taken_over')
    expect(server.answers.size).toBe(0)
    const saves = server.calls.length
    await environment.advance(120_000)
    expect(server.calls).toHaveLength(saves)

    await attempt.open()
    await environment.advance(100)
    expect(attempt.getView().phase).toBe('running')
    // What was chosen here is not lost.
    expect(server.answers.get(1)?.choice).toBe('A')
  })

  it('the older one learns it within a minute without doing anything', async () => {
    const { environment, server, attempt } = await setUp()
    await openPage(createTestEnvironment(), server).attempt.open()
    await environment.advance(61_000)
    expect(attempt.getView().phase).toBe('taken_over')
  })

  it('of one browser, the older one learns it at once', async () => {
    const { attempt } = await setUp()
    attempt.noticeOwner('somebody else')
    expect(attempt.getView().phase).toBe('taken_over')
  })
})

describe('strikes', () => {
  it("are told with the server's count, and the third ends the test", async () => {
    const { environment, server, attempt, hooks } = await setUp()
    server.violations = 1
    attempt.choose(1, 'A')
    attempt.report('copy', environment.now())
    await settle()
    expect(hooks.onStrike).toHaveBeenLastCalledWith(expect.objectContaining({ kind: 'copy' }), 2, 3)
    attempt.report('page_hidden', environment.now())
    await settle()
    expect(hooks.onStrike).toHaveBeenCalledTimes(2)
    expect(attempt.getView()).toMatchObject({ phase: 'submitted', reason: 'violations' })
    expect(hooks.onSubmitted).toHaveBeenCalledWith(expect.anything(), 'violations')
    expect(server.answers.get(1)?.choice).toBe('A')
  })

  it('are not told when the server does not count', async () => {
    const { environment, attempt, hooks } = await setUp()
    attempt.report('cut', environment.now())
    await settle()
    expect(hooks.onStrike).not.toHaveBeenCalled()
  })

  it('wait while the network is away, and the test goes on', async () => {
    const { environment, server, attempt, hooks } = await setUp()
    server.failures.report = offline()
    attempt.report('copy', environment.now())
    attempt.choose(1, 'B')
    await environment.advance(60_000)
    expect(attempt.getView().phase).toBe('running')
    expect(server.answers.get(1)?.choice).toBe('B')
    server.failures.report = null
    attempt.wake()
    await settle()
    expect(hooks.onStrike).toHaveBeenCalledTimes(1)
  })
})

describe('submitting', () => {
  it('sends what still waits, and forgets everything on the device', async () => {
    const { environment, server, attempt, hooks } = await setUp()
    server.failures.save = offline()
    for (const id of [1, 2, 3]) attempt.choose(id, 'A')
    await attempt.submit()
    expect(server.submitted?.reason).toBe('candidate')
    expect(server.answers.size).toBe(3)
    expect(hooks.onSubmitted).toHaveBeenCalledWith(
      expect.objectContaining({ reference: 'abcd1234', reason: 'candidate', lateCount: 0 }),
      'candidate',
    )
    expect(environment.store.keys(PREFIX)).toEqual([])
  })

  it('that fails leaves the test as it is, and can be done again', async () => {
    const { server, attempt, hooks, running } = await setUp()
    server.failures.submit = offline()
    await attempt.submit()
    expect(hooks.onSubmitFailed).toHaveBeenCalledTimes(1)
    expect(running()).toMatchObject({ phase: 'running', isSubmitting: false })
    server.failures.submit = null
    await attempt.submit()
    expect(attempt.getView().phase).toBe('submitted')
  })

  it('twice at once submits once', async () => {
    const { server, attempt } = await setUp()
    await Promise.all([attempt.submit(), attempt.submit()])
    expect(server.calls.filter((name) => name === 'submit')).toHaveLength(1)
  })

  it('incomplete says what the server says', async () => {
    const { server, attempt, hooks } = await setUp()
    server.failures.submit = new ApiFailure(422, { code: 'incomplete', message: 'One is missing.' })
    await attempt.submit()
    expect(hooks.onIncomplete).toHaveBeenCalledWith('One is missing.')
  })

  it('is not held up by events that can not be told', async () => {
    const { environment, server, attempt } = await setUp()
    server.failures.report = offline()
    attempt.report('copy', environment.now())
    void attempt.submit()
    await environment.advance(3_100)
    expect(attempt.getView().phase).toBe('submitted')
  })
})

describe('the end of the time', () => {
  it('asks the server, then sends the queue and submits', async () => {
    const { environment, server, attempt, hooks } = await setUp()
    attempt.choose(1, 'A')
    await environment.advance(LIMIT_MS - 100)
    server.failures.save = offline()
    attempt.choose(2, 'B')
    await environment.advance(1_000)
    expect(server.answers.get(2)?.choice).toBe('B')
    expect(attempt.getView()).toMatchObject({
      phase: 'submitted',
      reason: 'deadline',
      lateCount: 0,
    })
    expect(hooks.onSubmitted).toHaveBeenCalledWith(expect.anything(), 'time')
  })

  it('goes on when the organiser has given more time', async () => {
    const { environment, server, attempt, running } = await setUp()
    await environment.advance(LIMIT_MS - 30_000)
    server.limitMs += 300_000
    await environment.advance(31_000)
    expect(running()).toMatchObject({ phase: 'running', isEnding: false })
    expect(attempt.clock.getView().secondsLeft).toBe(299)
    attempt.choose(3, 'C')
    await settle()
    expect(server.answers.get(3)?.choice).toBe('C')
  })

  it('follows an extension within a minute, without a reload', async () => {
    const { environment, server, attempt } = await setUp()
    server.limitMs += 300_000
    await environment.advance(61_000)
    expect(attempt.clock.getView().secondsLeft).toBe(839)
  })

  it('without network keeps trying, tells late answers, then shows what happened', async () => {
    const { environment, server, attempt, running } = await setUp()
    attempt.choose(1, 'A')
    await environment.advance(LIMIT_MS - 30_000)
    server.failures.all = offline()
    attempt.choose(2, 'B')
    await environment.advance(60_000)
    expect(running()).toMatchObject({ phase: 'running', isEnding: true, saveState: 'retrying' })
    attempt.choose(3, 'C')
    expect(running().choices.has(3)).toBe(false)
    server.failures.all = null
    attempt.wake()
    await environment.advance(100)
    expect(attempt.getView()).toMatchObject({
      phase: 'submitted',
      reason: 'deadline',
      lateCount: 1,
    })
    expect(server.late).toMatchObject([{ questionId: 2, choice: 'B' }])
    expect(server.answers.get(1)?.choice).toBe('A')
  })

  it('asks a busy server again when it wants, with the rest of the room spread', async () => {
    const environment = { ...createTestEnvironment(), random: () => 0.5 }
    const server = createServer(environment)
    const { attempt } = openPage(environment, server)
    await attempt.open()
    server.failures.status = busyFor(4)
    await environment.advance(LIMIT_MS + 100)
    const asked = server.calls.filter((name) => name === 'status').length
    server.failures.status = null
    await environment.advance(4_200)
    expect(server.calls.filter((name) => name === 'status')).toHaveLength(asked)
    await environment.advance(400)
    expect(attempt.getView().phase).toBe('submitted')
  })

  it('after a sleep across it shows what happened', async () => {
    const { environment, attempt, hooks } = await setUp()
    // The lid was closed; this device's monotonic clock stood still.
    environment.sleep(0, LIMIT_MS + 60_000)
    await environment.advance(1_500)
    expect(attempt.getView()).toMatchObject({ phase: 'submitted', reason: 'deadline' })
    expect(hooks.onSubmitted).toHaveBeenCalledTimes(1)
  })

  it('submitted in another window: the status says so', async () => {
    const { environment, server, attempt } = await setUp()
    server.submitted = { at: 5, reason: 'candidate' }
    attempt.choose(1, 'A')
    await environment.advance(100)
    expect(attempt.getView()).toMatchObject({ phase: 'submitted', reason: 'candidate' })
  })
})
