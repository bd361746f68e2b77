import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DAY, makeCandidate, startedSeat, takeSeat } from '../../../../tests/rig/assessment-rig.ts'
import { auditOf, codeOf, organizerOf, problemsOf } from '../../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../../tests/rig/rig.ts'
import { sized } from '../../../../tests/setup/size.ts'
import { ITEM_COLUMNS, readSampleFiles } from './assessment-file.ts'
import { loadAssessment } from './load-assessment.ts'

const rig = useRig({}, DAY)

const newCode = () => `S${randomUUID().slice(0, 8).toUpperCase()}`
const openAt = (code: string, at: Date) =>
  rig.sql`update assessments set opens_at = ${at} where code = ${code}`

const ITEM = (id: number, stem = `What is ${id} and ${id}?`) => `
  - id: ${id}
    question: ${stem}
    options: { A: one, B: two, C: "0.10", D: four }
    answer: B`

const yamlOf = (code: string, more = '', items = `items:${ITEM(1)}${ITEM(2)}`) => `
code: ${code}
society: Student Investment Club
session: Evening
durationSeconds: 900
shuffle: true
navigator: false
timeZone: Europe/Lisbon
${more}
rules:
  timing: [You have 15 minutes.]
  allowed: [Pen and paper]
  forbidden: []
  contact: recruiting@society.example
${items}
`
const load = (yaml: string, itemsCsv?: string) =>
  loadAssessment(organizerOf(rig), { yaml, itemsCsv })

const stateOf = async (code: string) =>
  (
    await rig.sql`
      select a.*, (select json_agg(i order by position) from assessment_items i where i.assessment = a.code) as items
      from assessments a where code = ${code}`
  )[0]

describe("loading a society's own test", () => {
  it('stores it so that a candidate can take it', async () => {
    const code = newCode()
    const loaded = await load(
      yamlOf(code, 'opensAt: 2026-03-02 09:00\nclosesAt: "2026-03-02 09:30"'),
    )
    expect(loaded).toMatchObject({
      code,
      itemCount: 2,
      isNew: true,
      isUnchanged: false,
      opensAt: new Date('2026-03-02T09:00:00Z'),
      closesAt: new Date('2026-03-02T09:30:00Z'),
    })
    const { username } = await makeCandidate(rig, code)
    const { status, body } = await (await takeSeat(rig, code, username)).start()
    expect(status).toBe(200)
    expect(body).toMatchObject({ title: 'Student Investment Club - Evening', remainingMs: 900_000 })
    expect(body.questions.map((one: { options: object }) => one.options)).toEqual(
      [1, 2].map(() => ({ A: 'one', B: 'two', C: '0.10', D: 'four' })),
    )
    expect(await auditOf(rig, code)).toEqual([
      expect.objectContaining({ actor: 'tester', action: 'load' }),
    ])
  })

  it('again replaces questions, keeps the candidates and an unnamed window, and removes demo attempts', async () => {
    const code = newCode()
    await load(yamlOf(code))
    const before = await stateOf(code)
    expect(await load(yamlOf(code))).toMatchObject({ isUnchanged: true })
    expect(await stateOf(code)).toEqual(before)
    await makeCandidate(rig, code)
    const demo = await makeCandidate(rig, code, 'demo', { isDemo: true })
    await (await takeSeat(rig, code, demo.username)).start()
    const opensAt = new Date('2026-03-03T09:00:00Z')
    await openAt(code, opensAt)
    const again = await load(yamlOf(code, '', `items:${ITEM(1)}${ITEM(2)}${ITEM(3)}`))
    expect(again).toMatchObject({
      ...{ isNew: false, itemCount: 3, candidateCount: 1, demoAttemptsRemoved: 1 },
      ...{ opensAt, windowBefore: null },
    })
    const moved = await load(yamlOf(code, 'opensAt: null'))
    expect(moved).toMatchObject({ opensAt: null, windowBefore: { opensAt, closesAt: null } })
  })

  it('reads questions from CSV as spreadsheets write it', async () => {
    const code = newCode()
    const row = (cells: string[]) => cells.map((cell) => `"${cell}"`).join(';')
    const csv = [
      `\ufeff${ITEM_COLUMNS.join(';')}`,
      row(['2', 'Second?', 'a', 'b', 'c', 'd', 'd']),
      row(['1', 'First; with\nmore?', "'=1+1", '-5%', 'c', 'd', 'A']),
      ';;;;;;',
    ].join('\r\n')
    await load(yamlOf(code, '', ''), csv)
    const rows = await rig.sql`
      select position, question, answer_a, correct_option from assessment_items
      where assessment = ${code} order by position`
    expect(rows).toEqual([
      { position: 1, question: 'First; with\nmore?', answer_a: '=1+1', correct_option: 'A' },
      { position: 2, question: 'Second?', answer_a: 'a', correct_option: 'D' },
    ])
  })

  it('is refused once a candidate has started (item edited after attempts)', async () => {
    const { code } = await startedSeat(rig, { society: 'Student Investment Club' })
    const before = await stateOf(code)
    expect((await codeOf(() => load(yamlOf(code)))).code).toBe('has_attempts')
    expect(await stateOf(code)).toEqual(before)
  })

  it('during a start never leaves a paper with deleted questions', async () => {
    for (let round = 0; round < sized(15, 6); round += 1) {
      const code = newCode()
      await load(yamlOf(code))
      const candidate = await makeCandidate(rig, code)
      const seat = await takeSeat(rig, code, candidate.username)
      await Promise.allSettled([
        seat.start(),
        load(yamlOf(code, '', `items:${ITEM(1, 'New one?')}`)),
      ])
      // The candidate who lost the race starts again.
      const { body } = await seat.start()
      expect([1, 2]).toContain(body.questions.length)
      const rows = await rig.sql`
        select count(i.id)::int as found, cardinality(a.paper) as paper from attempts a
        left join assessment_items i on i.id = any (a.paper) where a.assessment = ${code} group by a.id`
      expect(rows).toEqual([{ found: body.questions.length, paper: body.questions.length }])
    }
    rig.logged.length = 0
  })

  it('reports every problem of both files at once and changes nothing', async () => {
    const code = newCode()
    const broken = `
code: small letters
society: ""
durationSeconds: 0
shuffle: maybe
navigator: false
timeZone: EST
oops: 1
rules: { timing: no, allowed: [], forbidden: [] }
`
    const csv = [
      ITEM_COLUMNS.join(','),
      '1,Same?,a,b,c,d,A',
      '1,same?,a,b,A,d,E',
      '',
      'x,,a,b,c,d,B',
      'too,few',
      '2,SAME?,a,b,c,d,C',
      '3,Same options?,a,b,c,B,C',
    ].join('\n')
    expect(await problemsOf(() => load(broken, csv))).toEqual([
      'code: must be 1 to 40 capital letters, digits and underscores, such as PCF_2026',
      'society: is empty',
      'session: must be text; put it in quotes',
      expect.stringMatching(/^durationSeconds: /),
      'shuffle: must be true or false',
      'timeZone: must be a named time zone such as Europe/Lisbon',
      'rules.timing: must be a list of sentences, [] for none',
      'rules.contact: must be text; put it in quotes',
      "'oops' is not a known field",
      'line 6: has 2 cells, but the header has 7',
      expect.stringMatching(/^line 3: Correct Option: /),
      'line 4: is empty',
      'line 5: ID must be a number',
      'line 5: Question is empty',
      'line 7: has the same question as line 2',
      'line 8: two options are the same',
    ])
    expect(await stateOf(code)).toBeUndefined()
  })

  const itemsOf = (...items: string[]) => yamlOf('NONE', '', `items:${items.join('')}`)
  it.each<[string, string, RegExp, csv?: string]>([
    ['no YAML', 'code: [', /is not valid YAML/],
    ['a list', '- a', /the file: /],
    ['no questions', yamlOf('NONE', '', ''), /the questions are missing/],
    ['an empty list', yamlOf('NONE', '', 'items: []'), /items: the list is empty/],
    ['a gap in the numbers', itemsOf(ITEM(1), ITEM(3)), /2 is missing/],
    [
      'a number for an option',
      itemsOf(ITEM(1).replace('"0.10"', '0.10')),
      /item 1, options.C: must be text; put it in quotes/,
    ],
    ['questions twice', yamlOf('NONE'), /keep one/, ITEM_COLUMNS.join(',')],
    ['a CSV without keys', yamlOf('NONE', '', ''), /'Correct Option' is missing/, 'ID,Question'],
    [
      'a window that ends before it begins',
      yamlOf('NONE', 'opensAt: 2026-03-02 09:00\nclosesAt: 2026-03-02 08:00'),
      /closesAt must be after opensAt/,
    ],
    [
      'an hour that does not exist',
      yamlOf('NONE', 'opensAt: 2026-03-29 01:30'),
      /opensAt: 2026-03-29 01:30 does not exist in Europe\/Lisbon/,
    ],
    [
      'half of a character',
      itemsOf(ITEM(1, '"Half \\ud800 of it?"')),
      /item 1, question: has characters that cannot be stored/,
    ],
    ['samples', yamlOf('NONE', 'sample: true'), /questions with public keys/],
  ])('refuses %s', async (_, yaml, message, csv) => {
    expect((await problemsOf(() => load(yaml, csv))).join('\n')).toMatch(message)
    expect(await stateOf('NONE')).toBeUndefined()
  })

  it('refuses a sample item under another name', async () => {
    const [sample] = await readSampleFiles()
    const text = (sample?.text ?? '')
      .replace(/^code: .*$/m, 'code: NONE')
      .replace('sample: true', 'sample: false')
    const problems = await problemsOf(() => load(text))
    expect(problems.length).toBeGreaterThanOrEqual(20)
    expect(problems[0]).toMatch(/^item 1: is one of Superday's samples/)
  })
})
