import { describe, expect, it } from 'vitest'
import { broughtFiles } from '../../../../tests/rig/brought/files.ts'
import {
  bytesOf,
  leftOutOf,
  problemOf,
  read,
  xlsxOf,
} from '../../../../tests/rig/questions/question-files-rig.ts'
import type { AskedTable } from '../../question-files.ts'
import { readSheetText } from './read-questions.ts'

// Tables as tools export them and as people fill them in. Keys, texts and counts are right, or the member is asked.

/** Each question with its key's text. */
const keysIn = (text: string | Uint8Array, asked?: AskedTable) =>
  read(text, asked).importable.map(
    ({ question, options, answer }) => `${question} ${options[answer ?? 'A']}`,
  )
const TWO = ['Who lends last? Central bank', 'What is 6 / 3? 2']

it('ten tables as tools export them have two questions with their keys each', () => {
  const files = broughtFiles('questions')
  const keys = files.map(([name, text]) => [name, keysIn(text)])
  expect(keys).toEqual(files.map(([name]) => [name, TWO]))
  expect(files).toHaveLength(10)
})

describe('a column of keys', () => {
  const table = (...rows: string[]) =>
    `Question,Option A,Option B,Option C,Option D,Correct\n${rows.join('\n')}`

  it('with numbers that are options too is asked about where the two readings differ', () => {
    const file = table('How many?,1,2,3,4,3', 'Quarters?,2,3,4,12,4', 'Half of 4?,4,2,1,8,2')
    expect(read(file).table?.keys).toBe(null)
    expect(leftOutOf(file)).toEqual(['line 3: unclear_key'])
    expect(keysIn(file, { keys: 'text' })).toEqual(['How many? 3', 'Quarters? 4', 'Half of 4? 2'])
    expect(keysIn(file, { keys: 'one' })).toEqual(['How many? 3', 'Quarters? 12', 'Half of 4? 2'])
  })

  it('is the first of two columns with one name', () => {
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

  it('that counts from 0 in one row and to 4 in another names nothing by itself', () => {
    const file = table('One?,a,b,c,d,0', 'Two?,a,b,c,d,1', 'Three?,a,b,c,d,4')
    expect(leftOutOf(file)).toEqual(['line 3: unclear_key'])
    expect(keysIn(file, { keys: 'zero' })).toEqual(['One? a', 'Two? b'])
  })

  it('next to three numbers is asked about, as it may be a place or the right answer', () => {
    const file = 'Question,Choice 1,Choice 2,Choice 3,Answer\nSum of 2 and 2?,3,4,5,2'
    expect(leftOutOf(file)).toEqual(['line 2: unclear_key'])
  })

  it('under an unknown heading is chosen on the page', () => {
    const file = 'Question,Option A,Option B,Option C,Option D,Marked\nWhich?,p,q,r,s,C'
    expect(leftOutOf(file)).toEqual(['line 2: no_key'])
    const columns = read(file).table?.columns.map(({ role }) => role) ?? []
    expect(keysIn(file, { columns: columns.with(5, 'correct') })).toEqual(['Which? r'])
  })
})

it.each([
  ['If a<b and c>d what holds?', 'If a<b and c>d what holds?'],
  ['Is x<y <b>always</b> true?', 'Is x<y always true?'],
  ['Is P<i and i>0?', 'Is P<i and i>0?'],
  ['A 10<sup>-6</sup> chance &lt; 1?', 'A 10⁻⁶ chance < 1?'],
])('a sign of less in a cell stays: %s', (cell, read) => {
  expect(keysIn(`Question,A,B,C,D,Correct\n${cell},p,q,r,s,A`)).toEqual([`${read} p`])
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

  it('has raised signs as such, and says which cells are struck out or hidden', () => {
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

  it('says so of a hidden column, and of a cell in a struck-out font', () => {
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

  it('has the questions of all its sheets, and names those that have none', () => {
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

  it('with people is read from its first sheet in sight, and the others are named', () => {
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

  it('is not the only list of people that is read: a text is, in any encoding', () => {
    const utf16 = new Uint8Array(Buffer.from('\ufeffName;Email\nZoë;z@x.pt', 'utf16le'))
    expect(readSheetText(utf16)).toEqual({ text: 'Name;Email\nZoë;z@x.pt', notes: [] })
    const old = Buffer.from('Name\nZoë', 'latin1')
    expect(readSheetText(old)).toMatchObject({
      text: 'Name\nZoë',
      notes: [expect.stringMatching(/Windows text/)],
    })
  })
})

describe('what is no table that can be read', () => {
  it('has a sentence: rows of a learning platform without headings', () => {
    const row = (stem: string) =>
      `MC\t${stem}\tCoupons\tincorrect\tBond prices\tcorrect\tFace value\tincorrect\tTax\tincorrect`
    expect(problemOf(`${row('What falls?')}\n${row('What rises?')}`)).toBe('unknown_format')
  })

  it('is told to be guessed where its letters are in an old encoding', () => {
    const bytes = bytesOf('Question,A,B,C,D,Correct\nQui?,p#,q,r,s,A')
    bytes[bytes.indexOf(35)] = 0x8e
    expect(read(bytes).notices).toEqual(['guessed_encoding'])
  })
})
