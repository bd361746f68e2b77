import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../../../platform/web/api-failure.ts'
import { createResender } from './resend.ts'

const failure = (status: number) => new ApiFailure(status, { code: 'x', message: 'x' })

describe('a request with an id', () => {
  it.each([
    ['no answer', failure(0), 'version 1'],
    ['an answer that the page could not read', new Error('cut off'), 'version 1'],
    ['an unavailable server', failure(503), 'version 1'],
    ['a refusal', failure(409), 'version 2'],
    ['a refusal of too many calls', failure(429), 'version 2'],
  ])('is sent after %s with the content of %s', async (_, error, expected) => {
    const { send } = createResender<string>()
    const asked: string[] = []
    const answers = [Promise.reject(error), Promise.resolve('done'), Promise.resolve('done')]
    const request = (body: string) => () => {
      asked.push(body)
      return answers[asked.length - 1] as Promise<string>
    }
    await expect(send('a reason', request('version 1'))).rejects.toBe(error)
    expect(await send('a reason', request('version 2'))).toBe('done')
    await send('a reason', request('version 3'))
    expect(asked).toEqual(['version 1', expected, 'version 3'])
  })

  const lose = () => Promise.reject(failure(0))

  it('is a new one after its dialog was closed', async () => {
    const { send, forget } = createResender<string>()
    await expect(send('a reason', lose)).rejects.toThrow()
    forget()
    expect(await send('a reason', async () => 'another')).toBe('another')
  })

  it('is a new one once the person has changed the input', async () => {
    const { send } = createResender<string>()
    await expect(send('wait', lose)).rejects.toThrow()
    expect(await send('continue', async () => 'another')).toBe('another')
  })
})
