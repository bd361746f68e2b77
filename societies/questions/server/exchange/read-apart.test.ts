import { expect, it } from 'vitest'
import { ApiError } from '../../../../platform/server/api.ts'
import { bytesOf } from '../../../../tests/rig/questions/question-files-rig.ts'
import { readApart } from './read-apart.ts'
import { readQuestions } from './read-questions.ts'

const GOOD = bytesOf('Why? {=a ~b ~c ~d}\n\nTrue? {T}')

/** 1,000 questions of 4 KB with slow markup, just within the limits. */
const heavy = () =>
  bytesOf(
    [...Array(1_000).keys()]
      .map((n) => `[html]${n} ${'<b>x</b><sup>2</sup>&amp;<i></i>'.repeat(120)}? {=a ~b ~c ~d}`)
      .join('\n\n'),
  )

const problem = async (...given: Parameters<typeof readApart>) => {
  const error: unknown = await readApart(...given).catch((caught) => caught)
  expect(error).toBeInstanceOf(ApiError)
  return (error as ApiError).more.problem
}

it('the import thread reads the same as the main thread', async () => {
  expect(await readApart(GOOD)).toEqual(readQuestions(GOOD))
  expect(await problem(bytesOf('%PDF'))).toBe('pdf')
  expect(await problem(new Uint8Array(5_000_001))).toBe('too_large')
})

it('an import is stopped when it takes too much time or memory', {
  tags: ['full'],
  timeout: 60_000,
}, async () => {
  expect(await problem(heavy(), { milliseconds: 150 })).toBe('too_slow')
  expect(await problem(heavy(), { heapMegabytes: 8 })).toBe('too_much_memory')
  // The next import still works.
  expect((await readApart(GOOD)).questions).toHaveLength(2)
})

it('one import per society runs, ten wait, and others are told to retry', async () => {
  // Even imports that are stopped before they start wait in the queue.
  const read = () =>
    readApart(GOOD, { milliseconds: 1, society: 'S' }).catch((refusal: ApiError) => refusal)
  const outcomes = await Promise.all([...Array(14).keys()].map(read))
  const problems = outcomes.map((one) => one instanceof ApiError && [one.status, one.more.problem])
  expect(problems.sort()).toEqual([
    ...Array(11).fill([422, 'too_slow']),
    ...Array(3).fill([429, 'busy']),
  ])
}, 60_000)
