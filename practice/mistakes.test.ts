import { describe, expect, it } from 'vitest'
import { mostMissed } from './mistakes.ts'

describe('the most missed questions', () => {
  const missed = (questionId: number, timesWrong: number, stability = 1) => ({
    questionId,
    timesWrong,
    stability,
  })
  const idsOf = (all: ReturnType<typeof missed>[]) =>
    mostMissed(all).map(({ questionId }) => questionId)

  it('are sorted by misses, ties by id', () => {
    expect(idsOf([missed(5, 1), missed(9, 3), missed(2, 1), missed(7, 2)])).toEqual([9, 7, 2, 5])
  })

  it('are at most ten', () => {
    const all = Array.from({ length: 15 }, (_, index) => missed(index + 1, 1))
    expect(idsOf(all)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('exclude questions never missed and cleared ones', () => {
    expect(idsOf([])).toEqual([])
    expect(idsOf([missed(1, 0), missed(2, 4, 21.01), missed(3, 4, 21)])).toEqual([3])
  })
})
