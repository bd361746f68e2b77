import { expect, it } from 'vitest'
import { readYearOfStudies } from './sign-up-fields.ts'

it.each([
  ['', null],
  ['  ', null],
  ['1', 1],
  ['9', 9],
  ['10', 10],
  [' 3 ', 3],
  ['0', undefined],
  ['11', undefined],
  ['-1', undefined],
  ['2.5', undefined],
  ['01', undefined],
  ['1e0', undefined],
  ['second', undefined],
])("'%s' as year of studies is %s", (text, year) => {
  expect(readYearOfStudies(text)).toBe(year)
})
