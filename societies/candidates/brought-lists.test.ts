import { describe, expect, it } from 'vitest'
import { judgeLines, type Listed } from './candidate-lines.ts'
import { givesNames, guessColumns, linesOf, splitText } from './pasted-list.ts'

// Lists as societies bring them, laid out as common tools export them: nobody's order number is a room, nobody's age
// is extra time, and no surname is lost.

const peopleIn = (text: string, listed: Listed[] = []) => {
  const rows = splitText(text)
  const { columns, headings } = guessColumns(rows)
  const judged = judgeLines(linesOf(rows, columns, headings), listed, givesNames(columns), 1_800)
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
  it.each([
    [
      'a form with a phone, a year and a question',
      `Timestamp,Email Address,First name,Last name,Phone number,Year of study,How did you hear about us?
10/1/2026 9:00:01,ana@uni.example,Ana,One,912345678,2,Friends
10/1/2026 9:10:01,ben@uni.example,Ben,Two,912345679,3,Posters`,
    ],
    [
      'a form of a university, which numbers its answers and leaves a name blank',
      `ID\tStart time\tCompletion time\tEmail\tName\tFull name\tAge\tUniversity email
1\t10/1/26 9:00\t10/1/26 9:01\tanonymous\t\tAna One\t21\tana@uni.example
2\t10/1/26 9:10\t10/1/26 9:12\tanonymous\t\tBen Two\t22\tben@uni.example`,
    ],
    [
      'a ticket shop with buyers and seats',
      `Order #,Buyer Name,Buyer Email,Attendee #,First Name,Last Name,Email,Quantity,Seats,Ticket Price
1001,Cara Three,cara@uni.example,1,Ana,One,ana@uni.example,1,12,0.00
1001,Cara Three,cara@uni.example,2,Ben,Two,ben@uni.example,1,14,0.00`,
    ],
    [
      'a ticket shop where attendees come behind buyers',
      `Buyer first name;Buyer last name;Buyer email;Ticket name;Attendee name;Attendee email;Extra guests
Cara;Three;cara@uni.example;Morning;Ana One;ana@uni.example;2
Cara;Three;cara@uni.example;Morning;Ben Two;ben@uni.example;1`,
    ],
    [
      'a page for events',
      `api_id,name,first_name,last_name,email,phone_number,created_at,ticket_name,quantity
gst-1,Ana One,Ana,One,ana@uni.example,+351912345678,2026-10-01T09:00:00Z,Standard,1
gst-2,Ben Two,Ben,Two,ben@uni.example,+351912345679,2026-10-01T09:10:00Z,Standard,1`,
    ],
    [
      'a sign-up sheet under its title',
      `Assessment day 2026,,,
,,,
First,Last,E-mail,Grade
Ana,One,ana@uni.example,17
Ben,Two,ben@uni.example,14`,
    ],
    [
      'a sheet of slots',
      `Sign Up,Start Date/Time,Location,Qty,Item,First Name,Last Name,Email,Sign Up Comment
Test,10/01/2026 9:00,12,1,Slot 1,Ana,One,ana@uni.example,
Test,10/01/2026 9:00,12,1,Slot 2,Ben,Two,ben@uni.example,late`,
    ],
    [
      'an address book',
      `First Name,Middle Name,Last Name,${'Blank,'.repeat(54)}E-mail Address,E-mail Type
Ana,Maria,One,${','.repeat(54)}ana@uni.example,SMTP
Ben,,Two,${','.repeat(54)}ben@uni.example,SMTP`,
    ],
    [
      'a Portuguese sheet with semicolons',
      `Nome;Apelido;Correio;E-mail;Curso;Idade
Ana;One;12;ana@uni.example;Gestão;21
Ben;Two;14;ben@uni.example;Economia;22`,
    ],
    ['cells without headings', `Ana\tOne\tana@uni.example\t21\nBen\tTwo\tben@uni.example\t22`],
  ])('has two people: %s', (_, text) => {
    expect(peopleIn(text)).toEqual([ANA, BEN])
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
      'One, Ana <ana@uni.example>; Two, Ben <ben@uni.example>',
      'One, Ana|ana@uni.example||0|one.ana',
    ],
  ])('reads columns by what their headings say: %s', (text, first) => {
    expect(peopleIn(text)[0]).toBe(first)
  })

  it('knows the people of an earlier list by address when a later one has usernames', () => {
    const listed = [{ username: 'ana.one', name: 'Ana One', email: 'ana@uni.example' }]
    const text = 'Username,Name,Email\ns1001,Ana One,ana@uni.example\ns1002,Ben Two,ben@uni.example'
    expect(peopleIn(text, listed)).toEqual([`${ANA}|there`, BEN.replace('ben.two', 's1002')])
  })
})
