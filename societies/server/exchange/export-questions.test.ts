import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../../../tests/rig/assessment-rig.ts'
import { auditOf, organiserOf, typeAt } from '../../../tests/rig/organiser-rig.ts'
import { read } from '../../../tests/rig/questions/question-files-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { WRITTEN_FORMATS } from '../../questions/written-formats.ts'
import { loadAssessment } from '../authoring/load-assessment.ts'
import { exportQuestions } from './export-questions.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'superday-export-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const headOf = (code: string) => `
code: ${code}
society: Investment Club
session: null
durationSeconds: 900
shuffle: false
navigator: false
timeZone: Europe/Lisbon
rules: { timing: [], allowed: [], forbidden: [], contact: null }
`
const QUESTIONS = [
  ['Own?', 'A'],
  ['First?', 'A'],
  ['Second?', 'B'],
]

async function loaded() {
  const code = `S${randomUUID().slice(0, 8).toUpperCase()}`
  const items = QUESTIONS.map(
    ([question, answer], at) =>
      `{ id: ${at + 1}, question: ${question}, options: { A: a, B: b, C: c, D: d }, answer: ${answer} }`,
  )
  await loadAssessment(organiserOf(rig), { yaml: `${headOf(code)}items: [${items.join(', ')}]` })
  return code
}

describe('exporting questions', () => {
  it('returns the same questions in every format and logs who exported them', async () => {
    const code = await loaded()
    for (const format of WRITTEN_FORMATS) {
      const { content, count, leftOut } = await exportQuestions(organiserOf(rig), code, format)
      expect([count, leftOut]).toEqual([3, []])
      expect(read(content).importable.map(({ question, answer }) => [question, answer])).toEqual(
        QUESTIONS,
      )
    }
    expect((await auditOf(rig, code)).at(-1)).toMatchObject({
      action: 'export',
      detail: { format: 'csv', items: 3 },
    })
  })

  it('writes a table as text in every format and says so', async () => {
    const code = await loaded()
    const rows = [
      ['Year', 'EBITDA'],
      ['2025', '12.0'],
    ]
    await rig.db.$client.query(
      'update assessment_items set exhibit = $2 where assessment = $1 and position = 1',
      [code, JSON.stringify({ kind: 'table', rows })],
    )
    for (const format of WRITTEN_FORMATS) {
      const { content, exhibits } = await exportQuestions(organiserOf(rig), code, format)
      expect(exhibits).toEqual(['One table is written as text, of question 1.'])
      expect(read(content).importable[0]?.question, format).toBe('Own?\nYear | EBITDA\n2025 | 12.0')
    }
  })

  it('as CSV can be loaded again', async () => {
    const code = await loaded()
    const { content } = await exportQuestions(organiserOf(rig), code, 'csv')
    const itemsCsv = content as string
    const again = await loadAssessment(organiserOf(rig), { yaml: headOf(code), itemsCsv })
    expect(again.itemCount).toBe(3)
  })

  it('writes a new file at the command line', async () => {
    const code = await loaded()
    const type = (...args: string[]) => typeAt(rig, 'assessments', 'export', ...args)
    const target = path.join(folder, 'b.xml')
    const written = await type(code.toLowerCase(), '--format', 'moodle', '--out', target)
    expect(written.err).toBe(`3 questions written to ${target}.\n`)
    expect(read(await readFile(target)).importable).toHaveLength(3)
    const again = await type(code, '--format', 'gift', '--out', target)
    expect(again.refusal).toMatch(/exists already and is not written over/)
    expect((await type('NOPE', '--format', 'gift')).refusal).toMatch(
      new RegExp(`^There is no test NOPE\\. There are: .*${code}`),
    )
  })
})
