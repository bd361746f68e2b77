import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../../../platform/web/api-failure.ts'
import { offline, PREFIX, setUp } from '../../../tests/rig/attempt-rig.ts'

describe('submitting on the attempt page', () => {
  it('sends what still waits and clears the device', async () => {
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

  it("with answers missing shows the server's message", async () => {
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
