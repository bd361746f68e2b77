import { describe, expect, it } from 'vitest'
import { type Waiting, waitingLines } from './waiting.ts'

const NOTHING: Waiting = { undecided: 0, forTalk: 0, proposals: 0 }
const textsOf = (waiting: Partial<Waiting>, ...roles: Parameters<typeof waitingLines>[1]) =>
  waitingLines({ ...NOTHING, ...waiting }, roles).map(({ text }) => text)

describe('the tasks after a test has closed', () => {
  it.each([
    [{}, []],
    [{ undecided: 1 }, ['One incident waits to be decided.']],
    [{ undecided: 5 }, ['Five incidents wait to be decided.']],
    [{ undecided: 21 }, ['21 incidents wait to be decided.']],
    [
      { forTalk: 1, proposals: 1 },
      ['One incident waits for a talk.', 'One proposed ruling waits for an owner.'],
    ],
  ])('have a line for each of %j', (waiting, texts) => {
    expect(textsOf(waiting, 'owner')).toEqual(texts)
  })

  it('are shown to the members who can do them', () => {
    const all = { undecided: 1, proposals: 1 }
    expect(textsOf(all, 'reviewer')).toHaveLength(2)
    expect(textsOf(all, 'author')).toEqual(['One proposed ruling waits for an owner.'])
    expect(textsOf(all, 'invigilator')).toEqual([])
  })
})
