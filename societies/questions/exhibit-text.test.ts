import { describe, expect, it } from 'vitest'
import { TABLE_LIMITS } from '../../platform/exhibit.ts'
import { readTable, writeTable } from './exhibit-text.ts'

describe('a pasted table', () => {
  it.each([
    ['nothing', ' \n\t', null],
    ['one cell', 'a', [['a']]],
    [
      'rows of a spreadsheet',
      'Year\tEBITDA\r\n2025\t 12.0 \r\n',
      [
        ['Year', 'EBITDA'],
        ['2025', '12.0'],
      ],
    ],
    [
      'short rows',
      'a\tb\tc\nd\n\nf\tg',
      [
        ['a', 'b', 'c'],
        ['d', '', ''],
        ['', '', ''],
        ['f', 'g', ''],
      ],
    ],
    [
      'an empty first cell',
      '\tb\nc\td',
      [
        ['', 'b'],
        ['c', 'd'],
      ],
    ],
  ])('is %s', (_, text, rows) => {
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
        .fill(Array(3).fill('a'.repeat(100)).join('\t'))
        .join('\n'),
      /too much/,
    ],
  ])('with too much of %s says so', (_, text, problem) => {
    expect(readTable(text)).toEqual({ rows: null, problem: expect.stringMatching(problem) })
  })
})
