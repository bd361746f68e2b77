import { expect, it } from 'vitest'
import { countOf, inWords, listOf, numberWord } from './words.ts'

it('a count has its unit in the right number', () => {
  expect([countOf(1, 'day'), countOf(0, 'day'), countOf(2, 'person', 'people')]).toEqual([
    '1 day',
    '0 days',
    '2 people',
  ])
})

it('a list ends with "and"', () => {
  expect([[], ['A'], ['A', 'B'], [3, 7, 9]].map(listOf)).toEqual(['', 'A', 'A and B', '3, 7 and 9'])
})

it('numbers up to twelve are words', () => {
  expect([inWords(0), inWords(0, 'none'), inWords(12), inWords(13)]).toEqual([
    'no',
    'none',
    'twelve',
    '13',
  ])
  expect([numberWord(0), numberWord(4), numberWord(24)]).toEqual(['No', 'Four', '24'])
})
