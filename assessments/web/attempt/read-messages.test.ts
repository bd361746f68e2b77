import { describe, expect, it } from 'vitest'
import { openPage, setUp } from '../../../tests/rig/attempt-rig.ts'
import { createTestEnvironment, settle } from './test-environment.ts'

describe('messages from the society', () => {
  const message = (id: number, text: string) => ({ id, text, at: '2026-03-02T09:05:00.000Z' })

  it("are loaded as soon as a response announces them, once each, with the candidate's time", async () => {
    const { server, attempt, running } = await setUp()
    const asked = () => server.calls.filter((name) => name === 'status').length
    server.messages = [message(7, 'Carry on.')]
    server.givenSeconds = 600
    server.limitMs += 600_000
    attempt.hear(7)
    await settle()
    expect(running()).toMatchObject({
      messages: [{ id: 7, text: 'Carry on.' }],
      ownTime: { extraSeconds: 0, givenSeconds: 600 },
    })
    expect(attempt.clock.getView().secondsLeft).toBe(1_200)
    const before = asked()
    attempt.hear(7)
    await settle()
    expect(asked()).toBe(before)
  })

  it('stay dismissed after a reload, and withdrawn ones disappear', async () => {
    const { environment, server, attempt, running } = await setUp()
    server.messages = [message(8, 'Second.'), message(7, 'First.')]
    attempt.hear(8)
    await settle()
    attempt.putAway(8)
    expect([...running().readIds]).toEqual([8])
    attempt.close()
    const again = openPage(createTestEnvironment(environment.raw), server)
    await again.attempt.open()
    server.messages = [message(8, 'Second.')]
    again.attempt.hear(8)
    await settle()
    expect([...again.running().readIds]).toEqual([8])
    expect(again.running().messages.map(({ id }) => id)).toEqual([8])
  })
})
