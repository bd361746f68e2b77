import { describe, expect, it } from 'vitest'
import { broughtFiles } from '../../tests/rig/brought/files.ts'
import { judgeLines } from './candidate-lines.ts'
import { givesNames, guessColumns, linesOf, splitText } from './pasted-list.ts'

// Lists as societies bring them, laid out as common tools export them: nobody's order number is a room, nobody's age
// is extra time, and no surname is lost.

const peopleIn = (text: string) => {
  const rows = splitText(text)
  const { columns, headings } = guessColumns(rows)
  const judged = judgeLines(linesOf(rows, columns, headings), [], givesNames(columns), 1_800)
  return judged.map(({ state, username, name, email, room, extraSeconds, problems }) =>
    [
      ...[name ?? '', email ?? '', room ?? '', extraSeconds / 60, username],
      ...[state === 'new' ? '' : (problems[0]?.text ?? state)],
    ]
      .join('|')
      .replace(/\|+$/, ''),
  )
}
const ANA = 'Ana One|ana@uni.example||0|ana.one'
const BEN = 'Ben Two|ben@uni.example||0|ben.two'

describe('a list of people as a tool exports it', () => {
  it('has two people, in ten layouts', () => {
    const files = broughtFiles('people')
    const people = files.map(([name, text]) => [name, peopleIn(text)])
    expect(people).toEqual(files.map(([name]) => [name, [ANA, BEN]]))
    expect(files).toHaveLength(10)
  })

  it('of a gradebook has no row of points, and usernames where it names them', () => {
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
