import { expect, it } from 'vitest'
import { readExtraTime } from './minutes.ts'

it.each([
  ['8', 480],
  ['7.5', 450],
  ['7,5', 450],
  ['+10', 600],
  ['8 min', 480],
  ['25%', 480],
  ['+25 %', 480],
  ['33,3%', 600],
  ['0%', 0],
  ['100%', 1800],
  ['', null],
  ['%', null],
  ['-5', null],
  ['25%%', null],
  ['a quarter', null],
  ['100000%', null],
])('extra time %j of half an hour is %s seconds', (text, seconds) => {
  expect(readExtraTime(text, 1800)?.seconds ?? null).toBe(seconds)
})
