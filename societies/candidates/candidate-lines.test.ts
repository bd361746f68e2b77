import { describe, expect, it } from 'vitest'
import { broughtFiles } from '../../tests/rig/brought/files.ts'
import { judgeLines, type Listed, makeUsername } from './candidate-lines.ts'
import { givesNames, guessColumns, linesOf, splitText } from './pasted-list.ts'

/** Reads a text the way the page does before a member changes anything. */
function read(text: string, listed: Listed[] = []) {
  const rows = splitText(text)
  const { columns, headings } = guessColumns(rows)
  const lines = linesOf(rows, columns, headings)
  return { columns, headings, judged: judgeLines(lines, listed, givesNames(columns), 30 * 60) }
}

const short = (text: string, listed?: Listed[]) =>
  read(text, listed).judged.map(({ line, state, username, name, email, room, extraSeconds }) =>
    [line, state, username, name, email, room, extraSeconds / 60].join('|'),
  )

/** Returns each person in a text, followed by the problems of their line. */
const peopleIn = (text: string) =>
  read(text).judged.map(({ username, name, email, room, extraSeconds, problems }) =>
    [name, email, room, extraSeconds / 60, username, problems[0]?.text]
      .join('|')
      .replace(/\|+$/, ''),
  )

describe('a pasted candidate list', () => {
  it('accepts a share of the duration as extra time and shows the minutes', () => {
    const { columns, judged } = read(
      'name,extra\nAna Silva,25%\nBen Okafor,+25 %\nCarla Dietz,"7,5"\nDo Ito,8 min\nEl Paz,',
    )
    expect(columns).toEqual(['name', 'extra'])
    expect(judged.map(({ extraSeconds, remark }) => [extraSeconds / 60, remark])).toEqual([
      [8, '25% is 8 min'],
      [8, '25% is 8 min'],
      [7.5, null],
      [8, null],
      [0, null],
    ])
  })

  it('matches a person by username or address, even if the second list has another name', () => {
    const listed = [{ username: 'ana.one', name: 'Ana One', email: 'ana@x.pt' }]
    expect(short('ben@x.pt, '.repeat(3_000))).toHaveLength(3_000)
    for (const text of [
      'username,name,email\ns1001,Ana One,ana@x.pt',
      'username,email\nANA.ONE,other@x.pt',
      'email\nana@x.pt',
    ]) {
      expect(read(text, listed).judged).toMatchObject([{ state: 'there', username: 'ana.one' }])
    }
  })

  it('spells a room the same way every time, as in the list or as first written', () => {
    const rooms = (text: string, listed: Listed[] = []) =>
      read(`name,room\n${text}`, listed).judged.map(({ room }) => room)
    const three = 'Ana Silva,Room A\nBen Okafor,room a\nCem Ito, ROOM  A'
    expect(rooms(three)).toEqual(['Room A', 'Room A', 'Room A'])
    const listed = [{ username: 'do.ito', name: 'Do Ito', email: null, room: 'ROOM A' }]
    expect(rooms('Ana Silva,Room A\nBen Okafor,', listed)).toEqual(['ROOM A', null])
  })

  it.each([
    ['tabs', 'Ana Silva\ta@x.pt\t1.04\t8'],
    ['semicolons', 'Ana Silva; a@x.pt; 1.04; 8'],
    ['commas', 'Ana Silva, a@x.pt, 1.04, 8'],
    ['quotes', '"Ana Silva","a@x.pt","1.04","8"'],
    ['the form of a mail recipient', 'Ana Silva <A@x.pt>; 1.04; 8'],
  ])('can be separated by %s', (_, text) => {
    expect(short(`name;mail;room;extra\n${text}\nBen Okafor; b@x.pt; 1.07; 0`)[0]).toBe(
      '2|new|ana.silva|Ana Silva|a@x.pt|1.04|8',
    )
  })

  it('detects the separator of each line and guesses the headings', () => {
    const { headings, columns } = read('name; email; room; extra\nInes Ardal; i@x.pt; 1.04; 0')
    expect([headings, columns]).toEqual([1, ['name', 'email', 'room', 'extra']])
    const [otto] = short('name; email; room; extra\nOtto Kral, o@x.pt, 1.07,')
    expect(otto).toBe('2|new|otto.kral|Otto Kral|o@x.pt|1.07|0')
    const [ana] = short('First name,Surname,Mail\nAna,Silva,a@x.pt')
    expect(ana).toBe('2|new|ana.silva|Ana Silva|a@x.pt||0')
  })

  it('can be addresses only, or mail recipients in one line', () => {
    expect(short('a.b@x.pt\nc@x.pt')).toEqual(['1|new|a.b||a.b@x.pt||0', '2|new|c||c@x.pt||0'])
    expect(short('a@x.pt, b@x.pt').length).toBe(2)
    expect(short('"Silva, Ana" <a@x.pt>, Ben <b@x.pt>')).toEqual([
      '1|new|silva.ana|Silva, Ana|a@x.pt||0',
      '2|new|ben|Ben|b@x.pt||0',
    ])
  })

  it('keeps a quoted line break and a quote that is never closed', () => {
    expect(splitText('"a\nb";c\nd;e')).toEqual([
      { line: 1, cells: ['a\nb', 'c'] },
      { line: 3, cells: ['d', 'e'] },
    ])
    expect(splitText('"open;c\nd;e')).toHaveLength(2)
  })

  it('reports problems by line and adds no duplicates', () => {
    const listed = [
      { username: 'clara.k', name: 'Clara Kettler', email: 'c@x.pt' },
      { username: 'jonas.vilar', name: 'Jonas Vilar', email: 'old@x.pt' },
      { username: 'no.mail', name: 'No Mail', email: null },
    ]
    const lots = '‘lots’ is neither a number of minutes from 0 to 1440 nor a percentage.'
    const cases = [
      [';p@x.pt;2.11;0', 'problem', '', 'The name is missing.'],
      ['Clara Kettler;C@x.pt;2.11;', 'there', 'clara.k', 'on the list, unchanged'],
      ['Jonas Vilar;j@x.pt;2.11;0', 'new', 'jonas.vilar2', 'a second jonas.vilar'],
      ['Sofia Bastos;s.x.pt;1.04;0', 'problem', '', 'This address has no @.'],
      ['Uma;u@x.pt;1.04;lots', 'problem', '', lots],
      ['Uma Two;u2@x.pt;1.04;', 'new', 'uma.two', null],
      ['Uma Three;U2@x.pt;1.04;', 'problem', '', 'This is on line 7 too.'],
      ['No mail;new@x.pt;1;', 'there', 'no.mail', 'on the list, unchanged'],
    ]
    const text = ['name;mail;room;extra', ...cases.map(([line]) => line)].join('\n')
    const found = read(text, listed).judged.map(({ state, username, remark, problems }) => [
      ...[state, username, problems[0]?.text ?? remark],
    ])
    expect(found).toEqual(cases.map(([, ...judged]) => judged))
  })

  it('treats composed and decomposed names as one and refuses invisible characters', () => {
    const jose = { username: 'x', name: 'Jos\u00e9 Pen\u0303a', email: null }
    expect(short('name\nJose\u0301 Pe\u00f1a', [jose])).toEqual(['2|there|x|José Peña|||0'])
    const [one] = read('name\nA\u202Eb C').judged
    expect(one?.problems[0]?.text).toBe('This has an invisible character.')
  })

  it('can have 2,000 lines', () => {
    const text = [...Array(2_000).keys()].map((n) => `Ana Silva ${n}; a${n}@x.pt; 1.04; 8`)
    const { judged } = read(text.join('\n'))
    expect(judged.every(({ state }) => state === 'new')).toBe(true)
    expect(new Set(judged.map(({ username }) => username)).size).toBe(2_000)
  })
})

const ANA = 'Ana One|ana@uni.example||0|ana.one'
const BEN = 'Ben Two|ben@uni.example||0|ben.two'

// Order numbers must not be read as rooms or ages as extra time, and no surname may get lost.
describe('a list of people as a tool exports it', () => {
  it('yields the same two people in ten layouts', () => {
    const files = broughtFiles('people')
    const people = files.map(([name, text]) => [name, peopleIn(text)])
    expect(people).toEqual(files.map(([name]) => [name, [ANA, BEN]]))
    expect(files).toHaveLength(10)
  })

  it('skips a gradebook’s row of points and uses its usernames', () => {
    const text = `Student,ID,SIS Login ID,Section,Quiz 1 (22)
    Points Possible,,,,10
"One, Ana",11,a1001,Morning,7
"Two, Ben",12,b1002,Morning,9`
    expect(peopleIn(text)).toEqual(['One, Ana|||0|a1001', 'Two, Ben|||0|b1002'])
  })

  it.each([
    ['Name,Email,Degree\nAna One,ana@uni.example,Finance', ANA],
    ['Degree,Email,What is your full name?\nFinance,ana@uni.example,Ana One', ANA],
    ['Name,Email,Additional guests\nAna One,ana@uni.example,2', ANA],
    ['Name,Email,Place of birth\nAna One,ana@uni.example,Porto 4', ANA],
    ['First name and surname,Email\nAna One,ana@uni.example', ANA],
    [
      'Name,Email,Room,Extra time\nAna One,ana@uni.example,1.04,25%',
      `${ANA.replace('||0', '|1.04|8')}`,
    ],
    ['Username,Name,Your e-mail\ns1,Ana One,ana@uni.example', ANA.replace('ana.one', 's1')],
    ['Name,Email\nAna One,ana.uni.example', 'Ana One|ana.uni.example||0||This address has no @.'],
    ['Ana One, Economics, ana@uni.example', ANA],
    [
      'Timestamp,Username,Full name\n9:00,ana@uni.example,Ana One',
      ANA.replace('ana.one', 'ana@uni.example'),
    ],
    [
      'One, Ana <ana@uni.example>; Two, Ben <ben@uni.example>',
      'One, Ana|ana@uni.example||0|one.ana',
    ],
  ])('reads columns by what their headings say: %s', (text, first) => {
    expect(peopleIn(text)[0]).toBe(first)
  })
})

it.each([
  ['Ines Ardal', '', 'ines.ardal'],
  ['Maria do Carmo Conceição', '', 'maria.conceicao'],
  ['Łukasz Groß', '', 'lukasz.gross'],
  ["Anne-Marie O'Brien", '', 'annemarie.obrien'],
  ['王小明', 'wang.xm@x.cn', 'wang.xm'],
  ['王小明', '', 'candidate'],
])('the username for %s is %s%s', (name, email, username) => {
  expect(makeUsername({ name, email }, () => false)).toBe(username)
})
