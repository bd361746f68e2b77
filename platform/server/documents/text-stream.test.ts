import { expect, it, vi } from 'vitest'
import { streamText } from './text-stream.ts'

/** Chunks that record how many were made and whether the iterator was closed. */
function countedPieces(count: number) {
  const state = { made: 0, isLetGo: false }
  async function* make(): AsyncGenerator<string, undefined> {
    try {
      for (let n = 1; n <= count; n += 1) {
        state.made = n
        yield `${n} `
      }
    } finally {
      state.isLetGo = true
    }
  }
  return { state, pieces: make() }
}

it('a text stream sends all pieces in order and ends once', async () => {
  const { pieces, state } = countedPieces(4)
  const onEnd = vi.fn()
  expect(await new Response(streamText(pieces, { onEnd })).text()).toBe('1 2 3 4 ')
  expect(onEnd).toHaveBeenCalledTimes(1)
  expect(state.isLetGo).toBe(true)
})

it('a text stream makes a piece only after the previous one was taken', async () => {
  const { pieces, state } = countedPieces(100)
  const reader = streamText(pieces, { onEnd: () => {} }).getReader()
  expect(state.made).toBe(0)
  await reader.read()
  await reader.read()
  expect(state.made).toBe(2)
  await reader.cancel()
  expect(state.made).toBe(2)
})

it('a text stream releases its resources when the reader leaves', async () => {
  const { pieces, state } = countedPieces(100)
  const onEnd = vi.fn()
  const onGivenUp = vi.fn()
  const reader = streamText(pieces, { onEnd, onGivenUp }).getReader()
  await reader.read()
  await reader.cancel()
  expect(state.isLetGo).toBe(true)
  expect(onEnd).toHaveBeenCalledTimes(1)
  expect(onGivenUp).not.toHaveBeenCalled()
})

it.each([
  ['takes nothing more', { stallMs: 20, longestMs: 60_000 }, false],
  ['takes a crumb now and then', { stallMs: 60_000, longestMs: 40 }, true],
])('a text stream drops a reader who %s', async (_, limits, reads) => {
  const { pieces, state } = countedPieces(1_000_000)
  const onEnd = vi.fn()
  const onGivenUp = vi.fn()
  const reader = streamText(pieces, { onEnd, onGivenUp, ...limits }).getReader()
  await reader.read()
  const crumbs = async () => {
    for (;;) {
      await reader.read()
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  if (reads) await expect(crumbs()).rejects.toThrow('the reader left')
  await vi.waitFor(() => expect(onGivenUp).toHaveBeenCalledTimes(1))
  expect(onEnd).toHaveBeenCalledTimes(1)
  expect(state.isLetGo).toBe(true)
  await expect(reader.read()).rejects.toThrow('the reader left')
})

it('a text stream breaks off when a piece fails, instead of ending normally', async () => {
  async function* make(): AsyncGenerator<string, undefined> {
    yield '{'
    throw new Error('the database went away')
  }
  const onEnd = vi.fn()
  await expect(new Response(streamText(make(), { onEnd })).text()).rejects.toThrow('went away')
  expect(onEnd).toHaveBeenCalledTimes(1)
})
