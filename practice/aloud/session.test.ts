import { describe, expect, it } from 'vitest'
import { duePrompts, type PlannedPrompt, planSession } from './session.ts'
import { proposeRating } from './spoken-prompt.ts'

const TODAY = '2026-03-10'
const prompt = (slug: string, kind: PlannedPrompt['kind'], next: string | null = null) => ({
  slug,
  kind,
  next,
})

describe('the spoken questions offered now', () => {
  it('are one of each kind for a beginner, in the order of the kinds', () => {
    const prompts = [
      prompt('b1', 'behavioral'),
      prompt('t1', 'technical'),
      prompt('t2', 'technical'),
      prompt('d1', 'deal'),
      prompt('m1', 'market'),
    ]
    expect(planSession(prompts, TODAY)).toEqual(['t1', 'd1', 'm1'])
  })

  it('are the due ones, longest overdue first, before anything new', () => {
    const prompts = [
      prompt('t1', 'technical', '2026-03-10'),
      prompt('t2', 'technical'),
      prompt('d1', 'deal', '2026-03-02'),
      prompt('d2', 'deal', '2026-03-11'),
      prompt('m1', 'market'),
    ]
    expect(duePrompts(prompts, TODAY).map(({ slug }) => slug)).toEqual(['d1', 't1'])
    expect(planSession(prompts, TODAY)).toEqual(['d1', 't1', 'm1'])
  })

  it('are at most three, and none when all are answered and nothing is due', () => {
    const due = ['a', 'b', 'c', 'd'].map((slug) => prompt(slug, 'deal', TODAY))
    expect(planSession(due, TODAY)).toEqual(['a', 'b', 'c'])
    expect(planSession([prompt('a', 'deal', '2026-03-11')], TODAY)).toEqual([])
  })
})

describe('the rating proposed from the ticked points', () => {
  it.each([
    [0, 1],
    [3, 1],
    [4, 2],
    [5, 2],
    [6, 3],
  ])('for %i of six is %i', (said, rating) => {
    expect(proposeRating(said)).toBe(rating)
  })
})
