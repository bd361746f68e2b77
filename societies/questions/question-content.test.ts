import { describe, expect, it } from 'vitest'
import { TABLE_LIMITS } from '../../platform/exhibit.ts'
import { exhibitsInFile, readTable, withExhibitAsText, writeTable } from './question-content.ts'
import { LEFT_OUT, NOTICES } from './question-files.ts'
import { countForms, describeForms, type Form, numbersOn } from './two-forms.ts'
import { titleAndRest } from './written-question.ts'

describe('a pasted table', () => {
  it.each([
    ['nothing', ' \n\t', null],
    ['one cell', 'a', ['a']],
    ['rows of a spreadsheet', 'Year\tEBITDA\r\n2025\t 12.0 \r\n', ['Year|EBITDA', '2025|12.0']],
    ['short rows', 'a\tb\tc\nd\n\nf\tg', ['a|b|c', 'd||', '||', 'f|g|']],
    ['an empty first cell', '\tb\nc\td', ['|b', 'c|d']],
  ])('reads as a table: %s', (_, text, written) => {
    const rows = written?.map((row) => row.split('|')) ?? null
    expect(readTable(text)).toEqual({ rows, problem: null })
    if (rows) expect(readTable(writeTable(rows)).rows).toEqual(rows)
  })

  it.each([
    ['rows', 'a\n'.repeat(TABLE_LIMITS.rows).concat('b'), /41 rows/],
    ['columns', 'a\t'.repeat(TABLE_LIMITS.columns).concat('b'), /13 columns/],
    ['a cell', 'a'.repeat(201), /201 characters/],
    [
      'text',
      Array(40)
        .fill(`${'a'.repeat(100)}\t`.repeat(3))
        .join('\n'),
      /too much/,
    ],
  ])('with too many %s is refused with a message', (_, text, problem) => {
    expect(readTable(text)).toEqual({ rows: null, problem: expect.stringMatching(problem) })
  })
})

const TABLE = {
  kind: 'table' as const,
  rows: [
    ['Year', 'EBITDA'],
    ['2025', '12.0'],
  ],
}
const PICTURE = {
  ...{ kind: 'picture' as const, picture: '00000000-0000-4000-8000-000000000000' },
  ...{ alt: 'A curve\nthat rises', width: 8, height: 8 },
}

it('an exhibit becomes text in a format without exhibits', () => {
  expect(withExhibitAsText('What is it?', null)).toBe('What is it?')
  expect(withExhibitAsText('What is it?', TABLE)).toBe('What is it?\nYear | EBITDA\n2025 | 12.0')
  expect(withExhibitAsText('What is it?', PICTURE)).toBe(
    'What is it?\n[An image that is not in this file: A curve that rises]',
  )
})

it('the text that replaces each exhibit in a file is listed with the questions’ numbers', () => {
  expect(exhibitsInFile([null, null])).toEqual([])
  expect(exhibitsInFile([PICTURE, null, TABLE])).toEqual([
    'The picture of question 1 is described in words.',
    'The table of question 3 is written as text.',
  ])
  expect(exhibitsInFile([TABLE, PICTURE, PICTURE, PICTURE])[0]).toBe(
    'The pictures of questions 2, 3 and 4 are described in words.',
  )
})

const placed = (forms: string) =>
  [...forms].map((form) => ({ form: form === '-' ? null : (form as Form) }))

describe('two forms of a test', () => {
  it('are counted together with their shared questions', () => {
    expect(countForms(placed('----'))).toBeNull()
    expect(countForms(placed('--AAB'))).toEqual({ A: 4, B: 3, common: 2 })
    expect(describeForms(countForms(placed('--AB')))).toBe(
      'Two forms of 3 questions, 2 in common, dealt at random',
    )
    expect(describeForms(null)).toBeNull()
  })

  it('number their questions separately', () => {
    expect(numbersOn('A', placed('-AB-'))).toEqual([1, 2, null, 3])
    expect(numbersOn('B', placed('-AB-'))).toEqual([1, null, 2, 3])
    expect(numbersOn(null, placed('-AB-'))).toEqual([1, 2, 3, 4])
  })
})

it.each(Object.values({ ...LEFT_OUT, ...NOTICES }))('has a title and a sentence: %s', (text) => {
  expect(titleAndRest(text)).toEqual([expect.stringMatching(/\w$/), expect.stringMatching(/\.$/)])
})
