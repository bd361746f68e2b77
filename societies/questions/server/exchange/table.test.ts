import { expect, it } from 'vitest'
import {
  leftOutOf,
  problemOf,
  read,
  xlsxOf,
} from '../../../../tests/rig/questions/question-files-rig.ts'

const HEADER = 'ID,Question,Answer A,Answer B,Answer C,Answer D,Correct Option,Explanation'

it("a table with Superday's own columns is read with commas, semicolons or tabs", () => {
  for (const delimiter of [',', ';', '\t']) {
    const file = `${HEADER}\n1,"Line one\nline two",10%,'=20%,30,40,b,because\n\n2,Next?,a,b,c,d,C,\n`
    const { format, importable } = read(file.replaceAll(',', delimiter))
    expect(format).toBe('table')
    expect(importable.map(({ place }) => place)).toEqual(['line 2', 'line 5'])
    expect(importable[0]).toMatchObject({
      question: 'Line one\nline two',
      options: { A: '10%', B: '=20%', C: '30', D: '40' },
      answer: 'B',
      explanation: 'because',
    })
  }
})

it("a table's rows with an invalid key or options are left out, and the rest is read", () => {
  const rows: [row: string, found: string][] = [
    ['1,Good?,a,b,c,d,A,', 'A'],
    ['2,Key?,a,b,c,d,E,', 'unknown_key'],
    ['3,Keyless?,a,b,c,d,,', 'no_key'],
    ['4,Two?,a,b,c,d,"A, B",', 'several_keys'],
    ['5,Three?,a,b,c,,A,', 'too_few_options'],
    ['6,,a,b,c,d,A,', 'empty_text'],
    ['7,By text?,w,x,y,z,x,', 'B'],
    ['8,By number?,w,x,y,z,3,', 'C'],
    ['9,short', 'other_kind'],
  ]
  const file = [HEADER, ...rows.map(([row]) => row)].join('\n')
  expect(read(file).importable.map(({ answer }) => answer)).toEqual(['A', 'B', 'C'])
  const leftOut = rows.map(([, found], at) => `line ${at + 2}: ${found}`)
  expect(leftOutOf(file)).toEqual(leftOut.filter((one) => !/: [A-D]$/.test(one)))
})

it('the columns of a table are known by their names in several languages, and only by them', () => {
  const german = 'Nr;Frage;Antwort 1;Antwort 2;Antwort 3;Antwort 4;Richtig\n1;Was?;a;b;c;d;2'
  expect(read(german).importable).toMatchObject([{ question: 'Was?', answer: 'B' }])
  const unknown = 'Nr,Was,W,X,Y,Z,Welche\n1,Was?,a,b,c,d,B\n2,Wer?,a,b,c,d,C'
  expect(problemOf(unknown)).toBe('unknown_format')
})

it('reads a Kahoot spreadsheet, whose columns are named in row 8', () => {
  const answers = [1, 2, 3, 4].map((n) => `Answer ${n} - max 75 characters`)
  const time = 'Time limit (sec) – 5, 10, 20, 30, 60, 90, 120, or 240 secs'
  const key = 'Correct answer(s) - choose at least one'
  const file = xlsxOf([
    [null, 'Quiz template'],
    ...Array.from({ length: 6 }, () => []),
    [null, 'Question - max 120 characters', ...answers, time, key],
    [1, 'What is 2 + 2?', 3, 4, 5, 6, 20, 2],
    [2, 'Two?', 'a', 'b', 'c', 'd', 20, '1,3'],
    [3, 'Yes?', 'True', 'False', null, null, 20, 1],
    [4, null, null, null, null, null, null, null],
  ])
  const { importable, table } = read(file)
  expect(table?.keys).toBe('one')
  expect(table?.columns.map(({ role }) => role).join()).toBe(
    'question,option,option,option,option,none,correct',
  )
  const options = { A: '3', B: '4', C: '5', D: '6' }
  const found = { place: 'row 9', question: 'What is 2 + 2?', options, answer: 'B' }
  expect(importable).toEqual([expect.objectContaining(found)])
  expect(leftOutOf(file)).toEqual(['row 10: several_keys', 'row 11: other_kind'])
})

it('reads a Quizizz spreadsheet, and passes over its instructions', () => {
  const options = [1, 2, 3, 4, 5].map((n) => `Option ${n}`)
  const more = ['Correct Answer', 'Time in seconds', 'Image Link', 'Answer explanation']
  const instructions = ['Text of the question (required)', '(default is Multiple Choice)']
  const choice = 'Multiple Choice'
  const file = xlsxOf([
    ['Question Text', 'Question Type', ...options, ...more],
    [
      ...instructions,
      'Text for option 1',
      'Text for option 2',
      null,
      null,
      null,
      'The correct one',
    ],
    ['What?', choice, 'a', 'b', 'c', 'd', null, 4, 30, null, 'because'],
    ['Which?', 'Checkbox', 'a', 'b', 'c', 'd', null, '1,2', 30, null, null],
    ['Five?', choice, 'a', 'b', 'c', 'd', 'e', 1, 30, null, null],
    ['Say!', 'Open-Ended', null, null, null, null, null, null, 30, null, null],
    ['Seen?', choice, 'a', 'b', 'c', 'd', null, 1, 30, 'https://x/y.png', null],
  ])
  expect(read(file).importable).toEqual([
    expect.objectContaining({ place: 'row 3', answer: 'D', explanation: 'because' }),
  ])
  expect(leftOutOf(file)).toEqual([
    ...['row 4: several_keys', 'row 5: too_many_options', 'row 6: other_kind', 'row 7: media'],
  ])
})

it("a table's formulas, and numbers shown in another way, are refused", () => {
  const file = xlsxOf([
    ['Question', 'Answer A', 'Answer B', 'Answer C', 'Answer D', 'Correct Option'],
    ['Sum?', { formula: 'HYPERLINK("http://evil","x")', value: 'x' }, 'b', 'c', 'd', 'A'],
    ['Share?', { percent: 0.1 }, 'b', 'c', 'd', 'A'],
    ['Noise?', 0.30000000000000004, 'b', 'c', 'd', 'A'],
  ])
  expect(leftOutOf(file)).toEqual(['row 2: formula_cell', 'row 3: shaped_cell'])
  expect(read(file).importable[0]?.options.A).toBe('0.3')
})

it('a file that is not a table is refused with a reason', () => {
  expect(problemOf(xlsxOf([['Name', 'Points'], ...[['Ana', 3]]]))).toBe('no_columns')
  expect(problemOf(`${HEADER}\n1,"never closed,a,b,c,d,A,`)).toBe('broken_csv')
})
