import { expect, it } from 'vitest'
import {
  clockTime,
  describeDuration,
  durationText,
  formatMinutes,
  lengthText,
  spanUntil,
  wholeLength,
} from './durations.ts'
import { countOf, inWords, listOf, numberWord } from './words.ts'

it.each([
  [0, '0:00'],
  [9, '0:09'],
  [60, '1:00'],
  [86_400, '1440:00'],
])('%i seconds on a clock are %s', (seconds, text) => {
  expect(clockTime(seconds)).toBe(text)
})

it.each([
  [0, '00:00'],
  [59_999, '00:59'],
  [65_000, '01:05'],
  [1_200_000, '20:00'],
  [6_000_000, '100:00'],
  [-5, '00:00'],
])('%i ms left on the clock are shown as %s', (ms, text) => {
  expect(formatMinutes(ms)).toBe(text)
})

it.each([
  [0, '0 min'],
  [40, '40 s'],
  [60, '1 min'],
  [90, '1 min 30 s'],
  [420, '7 min'],
  [7_200, '120 min'],
])('a planned length of %i seconds is %s', (seconds, text) => {
  expect(describeDuration(seconds)).toBe(text)
})

it.each([
  [-5, '0 s', '0 s'],
  [420, '0 s', '0.4 s'],
  [59_400, '59 s', '59 s'],
  [59_600, '1 min', '1 min'],
  [372_000, '6 min 12 s', '6 min 12 s'],
  [3_900_000, '1 h 5 min', '1 h 5 min'],
])('a measured length of %i ms is %s, and %s with tenths', (ms, whole, tenths) => {
  expect([wholeLength(ms), lengthText(ms)]).toEqual([whole, tenths])
})

it.each([
  [1_800, '30 minutes'],
  [60, '1 minute'],
  [450, '7 minutes 30 seconds'],
  [45, '45 seconds'],
])('%i seconds are written out as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})

it.each([
  [466_000, '7:46'],
  [1_500_000, '25 min'],
  [11_100_000, '3 h 5 min'],
  [162_000_000, '1 d 21 h'],
])('%i ms until an event are shown as %s', (ms, text) => {
  expect(spanUntil(ms)).toBe(text)
})

it('a count has its unit in the singular or plural', () => {
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
