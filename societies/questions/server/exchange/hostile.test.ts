import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  bytesOf,
  leftOutOf,
  problemOf,
  read,
  xlsxOf,
  zipOf,
} from '../../../../tests/rig/questions/question-files-rig.ts'
import { sized } from '../../../../tests/setup/size.ts'
import { FILE_PROBLEMS } from '../../question-files.ts'
import { readQuestions } from './read-questions.ts'

const ITEM = '<assessmentItem><itemBody/></assessmentItem>'

/** Makes a zip with one file and a forged number at this offset of its list. */
function forged(at: number, value: number, content = ITEM): Uint8Array {
  const zip = zipOf({ 'a.xml': content }).slice()
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  let listed = 0
  while (view.getUint32(listed, true) !== 0x02014b50) listed += 1
  if (at < 16) view.setUint16(listed + at, value, true)
  else view.setUint32(listed + at, value, true)
  return zip
}
/** Makes many files with the same content. */
const many = (count: number, content: string | Uint8Array) =>
  zipOf(Object.fromEntries([...Array(count).keys()].map((n) => [`${n}.xml`, content])))

const quizOf = (inner: string, head = '') => `<?xml version="1.0"?>${head}<quiz>${inner}</quiz>`

const ESSAY = '<question type="essay"></question>'
const OUTSIDE = '<!DOCTYPE quiz [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
const LAUGHS = '<!DOCTYPE quiz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
const ROWS = `Question,Answer A,Answer B,Answer C,Answer D,Correct Option\n${'Q?,a,b,c,d,A\n'.repeat(5_001)}`

it.each<[what: string, problem: keyof typeof FILE_PROBLEMS, make: () => string | Uint8Array]>([
  ['nothing', 'empty', () => ''],
  ['blanks', 'empty', () => ' \n\t\n'],
  ['6 MB', 'too_large', () => new Uint8Array(6_000_000)],
  ['a bomb of zeros', 'packed_too_tightly', () => zipOf({ 'a.xml': new Uint8Array(1_500_000) })],
  ['a bomb of many files', 'unpacks_too_large', () => many(21, new Uint8Array(999_000))],
  ['2,001 files', 'too_many_entries', () => many(2_001, ITEM)],
  ['a zip that lies about a size', 'damaged_zip', () => forged(24, 10, ' '.repeat(900_000))],
  ['a zip with an unsupported compression method', 'damaged_zip', () => forged(10, 99)],
  ['a zip whose content was changed', 'damaged_zip', () => forged(16, 1)],
  ['a zip that is cut', 'damaged_zip', () => zipOf({ 'a.xml': ITEM }).slice(0, -30)],
  ['a zip with a list that leads out of it', 'damaged_zip', () => forged(42, 0xffff)],
  ['a zip with a password', 'encrypted', () => forged(8, 1)],
  ['a path that leads out', 'odd_path', () => zipOf({ '../../etc/a.xml': ITEM })],
  ['a path on a drive', 'odd_path', () => zipOf({ 'C:\\a.xml': ITEM })],
  [
    'zips in a zip',
    'only_zips',
    () => zipOf({ 'a.zip': zipOf({ 'b.zip': zipOf({ 'c.xml': ITEM }) }) }),
  ],
  ['an old Excel file', 'old_office', () => new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1])],
  ['a Word file', 'word', () => zipOf({ 'word/document.xml': '<a/>' })],
  ['a PDF', 'pdf', () => '%PDF-1.7 …'],
  ['a web page', 'html', () => '<!DOCTYPE html><html><body>Quiz</body></html>'],
  ['our own YAML', 'yaml', () => 'code: PCF\nsociety: X\ndurationSeconds: 10\nitems: []'],
  ['a letter', 'unknown_format', () => 'Dear Ana,\nhere are the questions.'],
  ['zeros', 'unknown_format', () => new Uint8Array(1_000)],
  ['an external entity', 'entities', () => quizOf('&x;', OUTSIDE)],
  ['a billion laughs', 'entities', () => quizOf('&b;', LAUGHS)],
  [
    'entities in an item of a zip',
    'entities',
    () => many(1, `<!DOCTYPE a [<!ENTITY x "y">]>${ITEM}`),
  ],
  ['100 levels', 'too_deep', () => quizOf('<a>'.repeat(100))],
  ['300,001 elements', 'too_many_elements', () => quizOf('<a/>'.repeat(300_001))],
  ['no XML', 'broken_xml', () => '<quiz'],
  ['XML that breaks off before the first question ends', 'broken_xml', () => '<quiz><question>'],
  ['a quiz without questions', 'no_questions', () => quizOf('')],
  ['a test without its items', 'only_a_list', () => '<assessmentTest><testPart/></assessmentTest>'],
  ['other XML', 'unknown_format', () => '<?xml version="1.0"?><build>{=a ~b}</build>'],
  ['prose with braces', 'unknown_format', () => 'A set {1, 2} and // a path\n\nand {more}.'],
  [
    'rows whose one cell is far to the right',
    'sheet_too_long',
    () => xlsxOf(Array.from({ length: 11_600 }, () => [...Array<null>(25).fill(null), 1])),
  ],
  ['5,001 questions', 'too_many_questions', () => 'Q {T}\n\n'.repeat(5_001)],
  ['5,001 questions of Moodle', 'too_many_questions', () => quizOf(ESSAY.repeat(5_001))],
  ['5,001 rows', 'too_many_questions', () => ROWS],
  [
    'more than a page can show',
    'too_much_to_show',
    () => [...Array(1_001).keys()].map((n) => `Q${n}? {=a ~b ~c ~d}`).join('\n\n'),
  ],
  [
    'an encoding that nobody has',
    'unknown_encoding',
    () => '<?xml version="1.0" encoding="ebcdic"?><quiz/>',
  ],
  [
    'a spreadsheet with a broken sheet',
    'damaged_zip',
    () => xlsxOf([['Question']], { 'xl/worksheets/sheet1.xml': '<worksheet><sheetData>' }),
  ],
])('a hostile or invalid file is refused with a sentence: %s, %s', (_, problem, make) => {
  expect(problemOf(make())).toBe(problem)
  expect(FILE_PROBLEMS[problem]).toMatch(/^[A-Z].*\.$/)
})

const listOf = (count: number) =>
  [...Array(count).keys()].map((n) => `q${n}\nA. a\nB. b\n`).join('')
const keys = [...Array(300_000).keys()].map((n) => `${1 + (n % 900)}. A\n`).join('')

it.each([
  [4_900, 'too_much_to_show'],
  [100_000, 'too_many_questions'],
])('a list of %d questions with a long list of keys is refused soon', (count, problem) => {
  const file = `${listOf(count)}Answer key\n${keys}`
  // Processor time doesn't depend on what else the machine does. A quadratic search took fifteen seconds.
  const before = process.cpuUsage()
  expect(problemOf(file)).toBe(problem)
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(4_000)
})

it('a document type without entities is ignored and nothing is fetched', () => {
  const quiz = quizOf(
    '<question type="essay"><questiontext><text>Why&nbsp;so?</text></questiontext></question>',
    '<!DOCTYPE quiz SYSTEM "http://evil.example/quiz.dtd" [<!ELEMENT quiz (question+)>]>',
  )
  expect(read(quiz).leftOut).toMatchObject([
    { place: 'line 1', reason: 'other_kind', question: 'Why so?' },
  ])
})

it('questions with invisible characters are left out and shown with the characters visible', () => {
  const file =
    'Right \u202eto left? {=a ~b ~c ~d}\n\nBell\u0007? {=a ~b ~c ~d}\n\nIn an option? {=a\u2066 ~b ~c ~d}'
  expect(leftOutOf(file)).toEqual([1, 3, 5].map((line) => `line ${line}: hidden_characters`))
  expect(read(file).leftOut[0]?.question).toBe('Right \\u202eto left?')
})

it('overlong text is left out', () => {
  expect(leftOutOf(`${'x'.repeat(5_001)} {=a ~b ~c ~d}`)).toEqual(['line 1: too_long'])
  expect(leftOutOf(`Why? {=${'x'.repeat(1_001)} ~b ~c ~d}`)).toEqual(['line 1: too_long'])
})

const text = 'Was kostet „Öl“ in €? {=fünf ~b ~c ~d}'
const windows = Uint8Array.from(
  [...text].map((letter) => ({ '„': 0x84, '“': 0x93, '€': 0x80 })[letter] ?? letter.charCodeAt(0)),
)
const utf16 = (isBig: boolean, mark: string) => {
  const bytes = Buffer.from(mark + text, 'utf16le')
  return new Uint8Array(isBig ? bytes.swap16() : bytes)
}
it.each<[string, Uint8Array, string[]]>([
  ['UTF-8', bytesOf(text), []],
  ['UTF-8 with a mark', bytesOf(`\ufeff${text}`), []],
  ['UTF-16 LE', utf16(false, '\ufeff'), []],
  ['UTF-16 BE', utf16(true, '\ufeff'), []],
  ['UTF-16 without a mark', utf16(false, ''), []],
  ['Windows-1252', windows, ['guessed_encoding']],
])('the encoding of a file is detected: %s', (_, bytes, notices) => {
  const found = read(bytes)
  expect(found.notices).toEqual(notices)
  expect(found.importable[0]?.question).toBe('Was kostet „Öl“ in €?')
})

it('random input is read or refused, never an internal error', () => {
  const pieces = fc.constantFrom(
    ...'<quiz> <question type="multichoice"> <text> ]]> </quiz> <item> <response_lid> &x;'.split(
      ' ',
    ),
    ...'<questestinterop> :: { } ~ = " , \0 \ud800 % # <assessmentItem> <itemBody>'.split(' '),
    ...['\n\n', 'A. ', 'ANSWER: A\n', 'Question,A,B,Correct\n'],
  )
  const file = fc.oneof(
    fc.array(fc.oneof(pieces, fc.string()), { maxLength: 40 }).map((all) => bytesOf(all.join(''))),
    fc.uint8Array({ maxLength: 300 }),
    fc
      .uint8Array({ maxLength: 300 })
      .map((noise) => zipOf({ 'xl/workbook.xml': noise, 'a.xml': noise })),
    fc.tuple(fc.nat({ max: 3_000 }), fc.integer({ min: 0, max: 255 })).map(([at, byte]) => {
      const zip = xlsxOf([
        ['Question', 'A', 'B', 'C', 'D', 'Correct'],
        ['Q?', 'a', 'b', 'c', 'd', 'A'],
      ])
      zip[at % zip.length] = byte
      return zip
    }),
  )
  fc.assert(
    fc.property(file, (bytes) => {
      const outcome = problemOf(bytes)
      if (outcome === null) readQuestions(bytes)
    }),
    { numRuns: sized(1_500, 300) },
  )
})
