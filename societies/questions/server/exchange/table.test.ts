import { describe, expect, it } from 'vitest'
import { broughtFiles } from '../../../../tests/rig/brought/files.ts'
import {
  keysIn,
  leftOutOf,
  problemOf,
  read,
  xlsxOf,
} from '../../../../tests/rig/questions/question-files-rig.ts'
import { readSheetText } from './read-questions.ts'

const HEADING = 'Question,Option A,Option B,Option C,Option D,Correct\n'
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

it('the columns of a table are recognized only by their names, in several languages', () => {
  const german = 'Nr;Frage;Antwort 1;Antwort 2;Antwort 3;Antwort 4;Richtig\n1;Was?;a;b;c;d;2'
  expect(keysIn(german)).toEqual(['Was? b'])
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

it('reads a Quizizz spreadsheet, and skips its instructions', () => {
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

it("a table's formulas and reformatted numbers are refused", () => {
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
  const withoutHeadings = `MC\tWhat falls?\tCoupons\tincorrect\tBond prices\tcorrect\tTax\tincorrect`
  expect(problemOf(`${withoutHeadings}\n${withoutHeadings}`)).toBe('unknown_format')
})

const TWO = ['Who lends last? Central bank', 'What is 6 / 3? 2']

it('ten tables in the formats of other tools each have two questions with keys', () => {
  const files = broughtFiles('questions')
  const keys = files.map(([name, text]) => [
    name,
    keysIn(text).map((key) => key.replace(/ \|.*/, '')),
  ])
  expect(keys).toEqual(files.map(([name]) => [name, TWO]))
  expect(files).toHaveLength(10)
})

describe('a column of keys', () => {
  const table = (...rows: string[]) => HEADING + rows.join('\n')

  it('whose numbers are also options needs a choice only where the two readings differ', () => {
    const file = table('How many?,1,2,3,4,3', 'Quarters?,2,3,4,12,4', 'Half of 4?,4,2,1,8,2')
    expect(read(file).table?.keys).toBe(null)
    expect(leftOutOf(file)).toEqual(['line 3: unclear_key'])
    expect(keysIn(file, { keys: 'text' })).toEqual(['How many? 3', 'Quarters? 4', 'Half of 4? 2'])
    expect(keysIn(file, { keys: 'one' })).toEqual(['How many? 3', 'Quarters? 12', 'Half of 4? 2'])
  })

  it('is read from the first of two columns with the same name', () => {
    const file = `Question,Option A,Option B,Option C,Option D,Correct,Correct\nWho?,Bank,Fund,Broker,Insurer,B,A`
    expect(keysIn(file)).toEqual(['Who? Fund'])
  })

  it('has the meaning that fits all rows', () => {
    const numbers = table('How many?,2,3,4,12,4', 'Who?,Bank,Fund,Broker,Insurer,1')
    expect([keysIn(numbers), read(numbers).table?.keys]).toEqual([
      ['How many? 12', 'Who? Bank'],
      'one',
    ])
    const texts = table('How many?,2,3,4,12,4', 'Who?,Bank,Fund,Broker,Insurer,fund')
    expect([keysIn(texts), read(texts).table?.keys]).toEqual([['How many? 4', 'Who? Fund'], 'text'])
  })

  it('that counts from 0 in one row and to 4 in another is not guessed', () => {
    const file = table('One?,a,b,c,d,0', 'Two?,a,b,c,d,1', 'Three?,a,b,c,d,4')
    expect(leftOutOf(file)).toEqual(['line 3: unclear_key'])
    expect(keysIn(file, { keys: 'zero' })).toEqual(['One? a', 'Two? b'])
  })

  it('next to three numbers needs a choice, because it may be a position or the right answer', () => {
    const file = 'Question,Choice 1,Choice 2,Choice 3,Answer\nSum of 2 and 2?,3,4,5,2'
    expect(leftOutOf(file)).toEqual(['line 2: unclear_key'])
  })
})

describe('a table', () => {
  it.each([
    [
      'question,correct_answer,choice_1,choice_2,choice_3\nTwo?,2,3,4,1\nWho?,Bank,Fund,Broker,Insurer',
      'Two? 2,Who? Bank',
    ],
    ['Question,Right answer,Wrong 1,Wrong 2,Wrong 3\nWhich?,Debt,Cash,Land,Tax', 'Which? Debt'],
    ['Stem,Key,Distractor A,Distractor B,Distractor C\nWhich?,p,q,r,s', 'Which? p'],
  ])('whose right answer has its own column gets it as one of four options: %s', (text, keys) => {
    expect(keysIn(text).join()).toBe(keys)
    expect(read(text).notices).toEqual(['answer_apart'])
  })

  it('can have the same stem twice with other options, but only once with the same ones', () => {
    const rows =
      'True?,Cash,Debt,Tax,Fee,A\nTrue?,Bond,Share,Swap,Fund,B\ntrue?,Debt,cash,Fee,Tax,A'
    expect(keysIn(HEADING + rows)).toEqual(['True? Cash', 'True? Share'])
    expect(leftOutOf(HEADING + rows)).toEqual(['line 4: same_question'])
  })

  it.each([
    ['What does &quot;EV&quot; add?,Debt &amp; cash,b,c,d,A', 'What does "EV" add? Debt & cash'],
    ['Is <b>it</b><br>so?,<i>Yes</i>,b,c,d,A', 'Is it\nso? Yes'],
    ['If x &lt; 5?,x<5,y>2,c,d,A', 'If x < 5? x<5'],
    ['What?,A) 4%,B) 5%,C) 6%,D) 7%,B', 'What? 5% | numbering'],
    ['1. What?,a. one,b. two,c. three,d. four,b. two', 'What? two | numbering'],
    ['What is 3.5 × 2?,A,B,C,D,C', 'What is 3.5 × 2? C'],
    ['If a<b and c>d what holds?,p,q,r,s,A', 'If a<b and c>d what holds? p'],
    ['Is x<y <b>always</b> true?,p,q,r,s,A', 'Is x<y always true? p'],
    ['Is P<i and i>0?,p,q,r,s,A', 'Is P<i and i>0? p'],
    ['A 10<sup>-6</sup> chance &lt; 1?,p,q,r,s,A', 'A 10⁻⁶ chance < 1? p'],
  ])('has texts as people read them: %s', (row, read) => {
    expect(keysIn(HEADING + row)).toEqual([read])
  })
})

describe('an .xlsx', () => {
  const HEADING = ['Question', 'A', 'B', 'C', 'D', 'Correct']
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const row = (at: number, attributes: string, cells: string[]) =>
    `<row r="${at}" ${attributes}>${cells.map((cell) => `<c t="inlineStr">${cell}</c>`).join('')}</row>`
  const is = (text: string) => `<is><t>${text}</t></is>`
  const sheetOf = (rows: string[], cols = '') =>
    `<worksheet ${main}>${cols}<sheetData>${row(1, '', HEADING.map(is))}${rows.join('')}</sheetData></worksheet>`
  const options = ['p', 'q', 'r', 's', 'A'].map(is)
  const bookOf = (sheets: [name: string, state: string, xml: string][]) =>
    xlsxOf([], {
      'xl/workbook.xml': `<workbook ${main} xmlns:r="r"><sheets>${sheets.map(([name, state], at) => `<sheet name="${name}" ${state} r:id="r${at}"/>`).join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${sheets.map((_, at) => `<Relationship Id="r${at}" Target="worksheets/s${at}.xml"/>`).join('')}</Relationships>`,
      ...Object.fromEntries(sheets.map(([, , xml], at) => [`xl/worksheets/s${at}.xml`, xml])),
    })

  it('keeps superscripts, and reports struck-out or hidden cells', () => {
    const run = (look: string, text: string) => `<r><rPr>${look}</rPr><t>${text}</t></r>`
    const raised = `<is><r><t>10</t></r>${run('<vertAlign val="superscript"/>', '2')}<r><t> is?</t></r></is>`
    const struck = `<is>${run('<strike/>', '5%')}<r><t> 8%?</t></r></is>`
    const unstruck = `<is>${run('<strike val="0"/>', 'Whole')}<r><t>?</t></r></is>`
    const book = bookOf([
      [
        'Shown',
        '',
        sheetOf([
          row(2, '', [raised, ...options]),
          row(3, '', [struck, ...options]),
          row(4, 'hidden="1"', [is('Hidden?'), ...options]),
          row(5, '', [unstruck, ...options]),
        ]),
      ],
      ['Old', 'state="hidden"', sheetOf([row(2, '', [is('Old?'), ...options])])],
    ])
    expect(keysIn(book)).toEqual(['10² is? p', 'Whole? p'])
    expect(leftOutOf(book)).toEqual([
      'sheet Shown, row 3: struck_cell',
      'sheet Shown, row 4: hidden_cell',
      'sheet Old, row 2: hidden_cell',
    ])
  })

  it('reports a hidden column, and a cell in a struck-out font', () => {
    const hidden = sheetOf(
      [row(2, '', [is('Which?'), ...options])],
      '<cols><col min="3" max="3" hidden="1"/></cols>',
    )
    expect(leftOutOf(bookOf([['One', '', hidden]]))).toEqual(['row 2: hidden_cell'])
    const styles =
      '<styleSheet><fonts><font/><font><strike/></font></fonts><cellXfs><xf/><xf fontId="1"/></cellXfs></styleSheet>'
    const texts = `<sst>${[...HEADING, 'Which?', 'p', 'q', 'r', 's'].map((one) => `<si><t>${one}</t></si>`).join('')}</sst>`
    const cells = (from: number, to: number, style = '') =>
      Array.from({ length: to - from }, (_, at) => `<c t="s" ${style}><v>${from + at}</v></c>`)
    const sheet = `<worksheet ${main}><sheetData><row>${cells(0, 6).join('')}</row><row>${[...cells(6, 7, 's="1"'), ...cells(7, 11), ...cells(1, 2)].join('')}</row></sheetData></worksheet>`
    const files = { 'xl/styles.xml': styles, 'xl/sharedStrings.xml': texts }
    const book = xlsxOf([], { ...files, 'xl/worksheets/sheet1.xml': sheet })
    expect(leftOutOf(book)).toEqual(['row 2: struck_cell'])
  })

  it('is read from all sheets, and sheets without questions are named', () => {
    const of = (stem: string) => sheetOf([row(2, '', [is(stem), ...options])])
    const notes = `<worksheet ${main}><sheetData>${row(1, '', [is('Ana'), is('7')])}</sheetData></worksheet>`
    const book = bookOf([
      ['Accounting', '', of('One?')],
      ['Notes', '', notes],
      ['Markets', '', of('Two?')],
    ])
    expect(keysIn(book)).toEqual(['One? p', 'Two? p'])
    expect(read(book).unread).toEqual(['Notes'])
  })

  it('with people is read from its first visible sheet, and the others are named', () => {
    const of = (name: string) =>
      `<worksheet ${main}><sheetData>${row(1, '', [is('Name'), is('Email')])}${row(2, '', [is(name), is('a@x.pt')])}</sheetData></worksheet>`
    const book = bookOf([
      ['Lists', 'state="veryHidden"', of('Cara')],
      ['Morning', '', of('Ana')],
      ['Afternoon', '', of('Ben')],
    ])
    expect(readSheetText(book)).toEqual({
      text: 'Name\tEmail\nAna\ta@x.pt',
      notes: ['Not read: Lists, Afternoon.'],
    })
  })

  it('is not the only format for lists of people: text in any encoding works too', () => {
    const utf16 = new Uint8Array(Buffer.from('\ufeffName;Email\nZoë;z@x.pt', 'utf16le'))
    expect(readSheetText(utf16)).toEqual({ text: 'Name;Email\nZoë;z@x.pt', notes: [] })
    const old = Buffer.from('Name\nZoë', 'latin1')
    expect(readSheetText(old)).toMatchObject({
      text: 'Name\nZoë',
      notes: [expect.stringMatching(/Windows text/)],
    })
  })
})
