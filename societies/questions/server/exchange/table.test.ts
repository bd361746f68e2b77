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
  const rows = [
    '1,Good?,a,b,c,d,A,',
    '2,Key?,a,b,c,d,E,',
    '3,Keyless?,a,b,c,d,,',
    '4,Two?,a,b,c,d,"A, B",',
    '5,Three?,a,b,c,,A,',
    '6,,a,b,c,d,A,',
    '7,By text?,w,x,y,z,x,',
    '8,By number?,w,x,y,z,3,',
    '9,short',
  ]
  const { importable } = read(`${HEADER}\n${rows.join('\n')}`)
  expect(importable.map(({ answer }) => answer)).toEqual(['A', 'B', 'C'])
  expect(leftOutOf(`${HEADER}\n${rows.join('\n')}`)).toEqual([
    'line 3: unknown_key',
    'line 4: no_key',
    'line 5: several_keys',
    'line 6: too_few_options',
    'line 7: empty_text',
    'line 10: other_kind',
  ])
})

it('the columns of a table are known by their names in several languages, and only by them', () => {
  const german = 'Nr;Frage;Antwort 1;Antwort 2;Antwort 3;Antwort 4;Richtig\n1;Was?;a;b;c;d;2'
  expect(read(german).importable).toMatchObject([{ question: 'Was?', answer: 'B' }])
  const unknown = 'Nr,Was,W,X,Y,Z,Welche\n1,Was?,a,b,c,d,B\n2,Wer?,a,b,c,d,C'
  expect(problemOf(unknown)).toBe('no_columns')
})

it('a column of keys has one meaning: texts where all cells repeat an option, from 0 where a 0 is in it', () => {
  const keysOf = (...rows: string[]) =>
    read(`question,option1,option2,option3,option4,answer\n${rows.join('\n')}`).importable.map(
      ({ answer }) => answer,
    )
  expect(
    keysOf('How many?,1,2,3,4,3', 'Quarters?,2,3,4,12,4', 'Ratio?,P/E,P/B,EV,ROE,P/E'),
  ).toEqual(['C', 'C', 'A'])
  expect(keysOf('One?,a,b,c,d,0', 'Two?,a,b,c,d,1', 'Three?,a,b,c,d,3')).toEqual(['A', 'B', 'D'])
  expect(keysOf('One?,a,b,c,d,1', 'Two?,a,b,c,d,4')).toEqual(['A', 'D'])
})

const KAHOOT = [
  [null, 'Quiz template'],
  [],
  [],
  [],
  [],
  [],
  [],
  [
    null,
    'Question - max 120 characters',
    'Answer 1 - max 75 characters',
    'Answer 2 - max 75 characters',
    'Answer 3 - max 75 characters',
    'Answer 4 - max 75 characters',
    'Time limit (sec) – 5, 10, 20, 30, 60, 90, 120, or 240 secs',
    'Correct answer(s) - choose at least one',
  ],
]

it('reads a Kahoot spreadsheet, whose columns are named in row 8', () => {
  const file = xlsxOf([
    ...KAHOOT,
    [1, 'What is 2 + 2?', 3, 4, 5, 6, 20, 2],
    [2, 'Two?', 'a', 'b', 'c', 'd', 20, '1,3'],
    [3, 'Yes?', 'True', 'False', null, null, 20, 1],
    [4, null, null, null, null, null, null, null],
  ])
  const { format, importable, notices } = read(file)
  expect({ format, notices }).toEqual({ format: 'table', notices: ['columns_ignored'] })
  expect(importable).toEqual([
    expect.objectContaining({
      place: 'row 9',
      question: 'What is 2 + 2?',
      options: { A: '3', B: '4', C: '5', D: '6' },
      answer: 'B',
    }),
  ])
  expect(leftOutOf(file)).toEqual(['row 10: several_keys', 'row 11: other_kind'])
})

it('reads a Quizizz spreadsheet, and passes over its instructions', () => {
  const file = xlsxOf([
    [
      'Question Text',
      'Question Type',
      'Option 1',
      'Option 2',
      'Option 3',
      'Option 4',
      'Option 5',
      'Correct Answer',
      'Time in seconds',
      'Image Link',
      'Answer explanation',
    ],
    [
      'Text of the question (required)',
      '(default is Multiple Choice)',
      'Text for option 1',
      'Text for option 2',
      null,
      null,
      null,
      'The correct option choice',
      null,
      null,
      null,
    ],
    ['What?', 'Multiple Choice', 'a', 'b', 'c', 'd', null, 4, 30, null, 'because'],
    ['Which?', 'Checkbox', 'a', 'b', 'c', 'd', null, '1,2', 30, null, null],
    ['Five?', 'Multiple Choice', 'a', 'b', 'c', 'd', 'e', 1, 30, null, null],
    ['Say!', 'Open-Ended', null, null, null, null, null, null, 30, null, null],
    ['Seen?', 'Multiple Choice', 'a', 'b', 'c', 'd', null, 1, 30, 'https://x/y.png', null],
  ])
  const { importable } = read(file)
  expect(importable).toEqual([
    expect.objectContaining({ place: 'row 3', answer: 'D', explanation: 'because' }),
  ])
  expect(leftOutOf(file)).toEqual([
    'row 4: several_keys',
    'row 5: too_many_options',
    'row 6: other_kind',
    'row 7: media',
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
  expect(
    problemOf(
      xlsxOf([
        ['Name', 'Points'],
        ['Ana', 3],
      ]),
    ),
  ).toBe('no_columns')
  expect(problemOf(`${HEADER}\n1,"never closed,a,b,c,d,A,`)).toBe('broken_csv')
})
