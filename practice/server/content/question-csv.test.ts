import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { FileProblems } from '../../../platform/server/admin-error.ts'
import { fillBank } from '../../../tests/rig/bank-fixture.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { exportQuestions, importQuestions, QUESTION_COLUMNS } from './question-csv.ts'

const rig = useRig()
beforeAll(() => fillBank(rig))

const HEADER = QUESTION_COLUMNS.join(',')
const GOOD = ',Financial Markets & Instruments,Analyst,What is new?,one,two,three,four,B,Because.'

async function problemsOf(text: string): Promise<string[]> {
  const state = async () => (await rig.db.execute(sql`select * from questions order by id`)).rows
  const before = await state()
  const error = await importQuestions(rig.db, text).catch((caught) => caught)
  expect(error).toBeInstanceOf(FileProblems)
  expect(await state()).toEqual(before)
  return error.problems
}

describe('importing questions', () => {
  it('gives new questions ids from 100,000 and serves them at once', async () => {
    const { token } = await signUp(rig)
    const query = new URLSearchParams({
      category: 'Financial Markets & Instruments',
      difficulty: 'Analyst',
      testNumber: '2',
    })
    expect((await rig.call('GET', `/api/questions?${query}`, { token })).body).toEqual([])
    expect(await importQuestions(rig.db, `${HEADER}\n${GOOD}\n`)).toEqual({ added: 1, changed: 0 })
    const { body } = await rig.call('GET', `/api/questions?${query}`, { token })
    expect(body).toEqual([
      {
        id: 100_000,
        category: 'Financial Markets & Instruments',
        difficulty: 'Analyst',
        question: 'What is new?',
        options: { A: 'one', B: 'two', C: 'three', D: 'four' },
        correctOption: 'B',
        explanation: 'Because.',
        why: {},
      },
    ])
  })

  it('updates a question by its id and accepts the columns in any order', async () => {
    const reversed = [...QUESTION_COLUMNS].reverse()
    const cells: Record<string, string> = {
      ID: '100000',
      Category: 'Financial Markets & Instruments',
      Difficulty: 'Analyst',
      Question: '"What is, now, new?"',
      'Answer A': 'one',
      'Answer B': 'two',
      'Answer C': 'three',
      'Answer D': '"four\nand more"',
      'Correct Option': 'C',
      Explanation: '',
    }
    const text = `\ufeff${reversed.join(',')}\r\n${reversed.map((column) => cells[column]).join(',')}\r\n`
    expect(await importQuestions(rig.db, text)).toEqual({ added: 0, changed: 1 })
    const { rows } = await rig.db.execute(
      sql`select question, answer_d, correct_option, explanation from questions where id = 100000`,
    )
    expect(rows).toEqual([
      {
        question: 'What is, now, new?',
        answer_d: 'four\nand more',
        correct_option: 'C',
        explanation: null,
      },
    ])
  })

  it('imports its own export without a change, formulas included', async () => {
    await importQuestions(
      rig.db,
      `${HEADER}\n,Financial Markets & Instruments,Analyst,=1+1 is?,-5%,+5%,@home,four,A,`,
    )
    const csv = await exportQuestions(rig.db)
    expect(csv.split('\n')[0]).toBe(HEADER)
    expect(csv).toContain("'=1+1 is?")
    expect(csv).toContain("'-5%")
    expect(await importQuestions(rig.db, csv)).toEqual({ added: 0, changed: 0 })
  })

  it('reports every problem with its line and changes nothing', async () => {
    const problems = await problemsOf(
      [
        HEADER,
        GOOD,
        ',Astrology,Analyst,Q?,one,two,three,four,B,',
        ',Financial Markets & Instruments,Partner,"Q',
        'over two lines?",one,one,three,four,E,',
        'x,Financial Markets & Instruments,Analyst,,one,two,three,,b,',
        'too,few',
        '100007,Financial Markets & Instruments,Analyst,Q?,one,two,three,four,B,',
        '100007,Financial Markets & Instruments,Analyst,R?,one,two,three,four,B,',
      ].join('\n'),
    )
    expect(problems).toEqual([
      expect.stringMatching(/^line 3: Category 'Astrology' is none of/),
      expect.stringMatching(/^line 4: Difficulty 'Partner' is none of/),
      'line 4: two answers are the same',
      "line 4: Correct Option 'E' is none of A, B, C, D",
      "line 6: ID 'x' is no positive whole number",
      'line 6: Question is empty',
      'line 6: Answer D is empty',
      "line 6: Correct Option 'b' is none of A, B, C, D",
      'line 7: has 2 cells, the header has 10',
      'line 9: ID 100007 stands on line 8 too',
    ])
  })

  it.each([
    ['an empty file', '', /the column 'ID' is missing/],
    ['a header alone', `${HEADER}\n`, /nothing below the header/],
    ['a missing column', `${HEADER.replace(',Explanation', '')}\n`, /'Explanation' is missing/],
    ['a column too many', `${HEADER},Topic\n`, /'Topic' is no column/],
    ['an open quote', `${HEADER}\n1,"open`, /not a CSV file/],
    [
      "content's own id with other text",
      `${HEADER}\n2001${GOOD}`,
      /line 2: ID 2001 belongs to the product/,
    ],
    [
      'an id below 100,000 that nobody has',
      `${HEADER}\n50000${GOOD}`,
      /line 2: ID 50000 is too low/,
    ],
  ])('refuses %s', async (_, text, message) => {
    expect((await problemsOf(text)).join('\n')).toMatch(message)
  })
})
