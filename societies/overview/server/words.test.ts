import { describe, expect, it } from 'vitest'
import { type Waiting, waitingLines } from './waiting.ts'
import { helperWords } from './words.ts'

describe('the sentence for an invigilator', () => {
  const day = {
    ...{ state: 'preparing' as const, timeZone: 'UTC', durationSeconds: 1800 },
    ...{ opensAt: new Date('2026-03-04T09:00:00Z'), closesAt: new Date('2026-03-04T09:30:00Z') },
  }
  const now = new Date('2026-03-02T09:00:00Z')
  it.each([
    ['days before', {}, 'You are needed on Wed 4 Mar, 09:00 to 10:08.'],
    ['while it runs', { state: 'running' as const }, 'You are needed now, until 10:08.'],
    ['when it is over', { state: 'closed' as const }, 'It is over. Thank you.'],
    ['without a day', { opensAt: null, closesAt: null }, 'The date isn’t set yet.'],
  ])('is right %s', (_, more, headline) => {
    expect(helperWords({ ...day, ...more }, null, 480, now).headline).toBe(headline)
  })
  it('names the room and the last moment to start', () => {
    expect(helperWords(day, '2.11', 480, now).sentence).toBe(
      'You look after room 2.11. Candidates can start from 09:00 to 09:30. The last one finishes by 10:08.',
    )
  })
})

const textsOf = (waiting: Partial<Waiting>, ...roles: Parameters<typeof waitingLines>[1]) =>
  waitingLines({ undecided: 0, forTalk: 0, proposals: 0, ...waiting }, roles).map(
    ({ text }) => text,
  )

describe('the tasks after a test has closed', () => {
  it.each([
    [{}, []],
    [{ undecided: 1 }, ['One incident needs a decision.']],
    [{ undecided: 5 }, ['Five incidents need a decision.']],
    [{ undecided: 21 }, ['21 incidents need a decision.']],
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
