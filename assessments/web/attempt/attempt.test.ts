// Long because it follows one attempt page from its opening to its end.
import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../../../platform/web/api-failure.ts'
import {
  busyFor,
  createServer,
  LIMIT_MS,
  offline,
  openPage,
  PREFIX,
  setUp,
} from '../../../tests/rig/attempt-rig.ts'
import { createTestEnvironment, settle } from '../../../tests/rig/test-environment.ts'

describe('opening the attempt page', () => {
  it('starts the attempt, reports ready first, and shows the paper', async () => {
    const { environment, server, attempt } = await setUp()
    expect(attempt.getView()).toMatchObject({ phase: 'running', title: 'Test Society' })
    expect(attempt.clock.getView().secondsLeft).toBe(600)
    await environment.advance(1_000)
    expect(server.events.map(({ id, kind }) => [id, kind])).toEqual([[1, 'ready']])
  })

  it('after a reload reports the reload without a strike', async () => {
    const { environment, server, attempt } = await setUp()
    await environment.advance(1_000)
    attempt.close()
    const later = createTestEnvironment(environment.raw)
    const again = openPage(later, server, { kind: 'reload', opened: 'reload' })
    await again.attempt.open()
    await later.advance(1_000)
    expect(server.events.map(({ id, kind }) => [id, kind])).toEqual([
      [1, 'ready'],
      [1, 'ready'],
      [2, 'reload'],
    ])
    expect(again.running().violations).toBe(0)
  })

  it('after leaving in the same tab reports an absence that ends with its ready event', async () => {
    const { environment, server, attempt } = await setUp()
    attempt.close()
    const again = openPage(createTestEnvironment(environment.raw), server, {
      kind: 'return',
      opened: 'back_forward',
    })
    await again.attempt.open()
    await settle()
    expect(server.events.slice(1).map(({ kind, detail }) => [kind, detail])).toEqual([
      ['page_hidden', undefined],
      ['ready', { opened: 'back_forward' }],
    ])
    expect(again.running().violations).toBe(1)
    expect(again.hooks.onStrike).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['not_open', 403, { phase: 'waiting', opensAt: '2025-06-15T15:06:50.000Z', opensInMs: 10_000 }],
    ['closed', 403, { phase: 'closed', message: 'closed' }],
    ['bad_candidate_token', 403, { phase: 'failed', failure: 'access' }],
    ['no_questions', 409, { phase: 'failed', failure: 'no_questions' }],
    ['unexpected_failure', 500, { phase: 'failed', failure: 'load' }],
  ])('shows the right screen after the error %s', async (code, status, view) => {
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
    // The test's clock starts at 2025-06-15T15:06:40Z. If the server sends its time, that takes precedence.
    const expected = code === 'not_open' ? { ...view, opensInMs: 10_000 } : view
    expect(attempt.getView()).toMatchObject(expected)
  })

  it('retries after a network error', async () => {
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

  it('retries when the server asks, at a random moment', async () => {
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
  it('sends the unsaved answers from the old window before the new one takes over', async () => {
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

  it('does not count a violation twice when its response was lost', async () => {
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

  it('never overwrites newer choices from another computer', async () => {
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
    // No choice was made on this device since.
    expect(server.answers.get(2)?.choice).toBe('A')
  })

  it('drops answers of an attempt that no longer exists', async () => {
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

describe('two windows with one attempt', () => {
  it('stop the older one with a message, and it can take the test back', async () => {
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
    // The choice made here is not lost.
    expect(server.answers.get(1)?.choice).toBe('A')
  })

  it('notify the idle older one within a minute', async () => {
    const { environment, server, attempt } = await setUp()
    await openPage(createTestEnvironment(), server).attempt.open()
    await environment.advance(61_000)
    expect(attempt.getView().phase).toBe('taken_over')
  })

  it('of one browser notify the older one immediately', async () => {
    const { attempt } = await setUp()
    attempt.noticeOwner('another user')
    expect(attempt.getView().phase).toBe('taken_over')
  })
})

describe('strikes on the attempt page', () => {
  it("show the server's count, and the third ends the test", async () => {
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

  it('are not shown when the server does not count the event', async () => {
    const { environment, attempt, hooks } = await setUp()
    attempt.report('cut', environment.now())
    await settle()
    expect(hooks.onStrike).not.toHaveBeenCalled()
  })

  it('wait while the network is down, and the test continues', async () => {
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

  it('that cannot be sent leave a gap that saves and the submit report', async () => {
    const { environment, server, attempt } = await setUp()
    await environment.advance(1_000)
    server.failures.report = offline()
    attempt.report('copy', environment.now())
    attempt.choose(1, 'A')
    await settle()
    expect([server.lastEvent, server.events.length]).toEqual([2, 1])
    attempt.report('paste', environment.now())
    void attempt.submit()
    await environment.advance(3_100)
    expect(attempt.getView().phase).toBe('submitted')
    expect([server.lastEvent, server.events.length]).toEqual([3, 1])
  })
})

describe('submitting on the attempt page', () => {
  it('sends the waiting answers and clears the device', async () => {
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

  it('leaves the test unchanged after an error and can be repeated', async () => {
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

  it("with missing answers shows the server's message", async () => {
    const { server, attempt, hooks } = await setUp()
    server.failures.submit = new ApiFailure(422, { code: 'incomplete', message: 'One is missing.' })
    await attempt.submit()
    expect(hooks.onIncomplete).toHaveBeenCalledWith('One is missing.')
  })

  it('is not blocked by events that cannot be sent', async () => {
    const { environment, server, attempt } = await setUp()
    server.failures.report = offline()
    attempt.report('copy', environment.now())
    void attempt.submit()
    await environment.advance(3_100)
    expect(attempt.getView().phase).toBe('submitted')
  })
})

describe('the end of the time on the attempt page', () => {
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

  it('continues when the organizer has given more time', async () => {
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

  it('follows an extension within a minute without a reload', async () => {
    const { environment, server, attempt } = await setUp()
    server.limitMs += 300_000
    await environment.advance(61_000)
    expect(attempt.clock.getView().secondsLeft).toBe(839)
  })

  it('without network keeps trying, sends late answers, then shows the outcome', async () => {
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

  it('retries a busy server after Retry-After, at a random moment', async () => {
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

  it('during sleep shows the outcome after waking up', async () => {
    const { environment, attempt, hooks } = await setUp()
    // The lid was closed, and the device's monotonic clock stopped.
    environment.sleep(0, LIMIT_MS + 60_000)
    await environment.advance(1_500)
    expect(attempt.getView()).toMatchObject({ phase: 'submitted', reason: 'deadline' })
    expect(hooks.onSubmitted).toHaveBeenCalledTimes(1)
  })

  it('shows a submission made in another window', async () => {
    const { environment, server, attempt } = await setUp()
    server.submitted = { at: 5, reason: 'candidate' }
    attempt.choose(1, 'A')
    await environment.advance(100)
    expect(attempt.getView()).toMatchObject({ phase: 'submitted', reason: 'candidate' })
  })
})

describe('asking for help', () => {
  it('is kept on the device while offline, and sent once', async () => {
    const { environment, server, attempt, running } = await setUp()
    server.failures.all = offline()
    attempt.askForHelp('  No power\nsocket ')
    await environment.advance(2_000)
    expect(running()).toMatchObject({ isHelpWaiting: true, help: [] })
    server.failures.all = null
    attempt.wake()
    await environment.advance(1_000)
    const sent = server.events.filter(({ kind }) => kind === 'help')
    expect(sent.map(({ detail }) => detail)).toEqual([{ text: 'No power socket' }])
    expect(running()).toMatchObject({ isHelpWaiting: false, violations: 0 })
  })

  it('survives a page that closes before sending', async () => {
    const { environment, server, attempt } = await setUp()
    server.failures.all = offline()
    attempt.askForHelp('')
    attempt.close()
    server.failures.all = null
    const again = openPage(createTestEnvironment(environment.raw), server)
    await again.attempt.open()
    expect(server.events.map(({ kind }) => kind)).toContain('help')
  })
})
