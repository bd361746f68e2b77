import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { DAY, makeAssessment } from '../../../../tests/rig/assessment-rig.ts'
import { auditOf, codeOf, organiserOf, typeAt } from '../../../../tests/rig/organiser-rig.ts'
import { read } from '../../../../tests/rig/questions/question-files-rig.ts'
import { useRig } from '../../../../tests/rig/rig.ts'
import { makeSociety } from '../../../../tests/rig/society-rig.ts'
import { WRITTEN_FORMATS } from '../../question-files.ts'
import { loadAssessment } from '../authoring/load-assessment.ts'
import { exportQuestions } from './export-questions.ts'

const rig = useRig()
let code: string
beforeEach(async () => {
  rig.clock.now = DAY
  code = (await makeAssessment(rig, { societyId: (await makeSociety(rig)).id, itemCount: 3 })).code
})

const stems = () => [1, 2, 3].map((number) => `Stem ${number} of ${code}?`)

it('an export has the same questions in every format and is logged', async () => {
  for (const format of WRITTEN_FORMATS) {
    const { content, count } = await exportQuestions({ ...organiserOf(rig), code }, format)
    expect(count).toBe(3)
    expect(read(content).importable.map(({ question }) => question)).toEqual(stems())
  }
  expect((await auditOf(rig, code)).at(-1)).toMatchObject({
    action: 'export',
    detail: { format: 'gift', items: 3 },
  })
})

it('an export writes a table as text and says so', async () => {
  const rows = [
    ['Year', 'EBITDA'],
    ['2025', '12.0'],
  ]
  await rig.db.$client.query(
    'update assessment_items set exhibit = $2 where assessment = $1 and position = 1',
    [code, JSON.stringify({ kind: 'table', rows })],
  )
  for (const format of WRITTEN_FORMATS) {
    const { content, exhibits } = await exportQuestions({ ...organiserOf(rig), code }, format)
    expect(exhibits).toEqual(['The table of question 1 is written as text.'])
    expect(read(content).importable[0]?.question, format).toBe(
      `${stems()[0]}\nYear | EBITDA\n2025 | 12.0`,
    )
  }
})

it('an export as CSV can be loaded again', async () => {
  const { content } = await exportQuestions({ ...organiserOf(rig), code }, 'csv')
  const other = `S${randomUUID().slice(0, 8).toUpperCase()}`
  const yaml = `
code: ${other}
society: Investment Club
session: null
durationSeconds: 900
shuffle: false
navigator: false
timeZone: Europe/Lisbon
rules: { timing: [], allowed: [], forbidden: [], contact: null }
`
  const again = await loadAssessment(organiserOf(rig), { yaml, itemsCsv: content })
  expect(again.itemCount).toBe(3)
})

it('an export at the command line writes a new file', async () => {
  const type = (...args: string[]) => typeAt(rig, 'assessments', 'export', ...args)
  const folder = await mkdtemp(path.join(tmpdir(), 'superday-export-'))
  try {
    const target = path.join(folder, 'b.txt')
    const written = await type(code.toLowerCase(), '--format', 'gift', '--out', target)
    expect(written.err).toBe(`3 questions written to ${target}.\n`)
    expect(read(await readFile(target)).importable).toHaveLength(3)
    const again = await type(code, '--format', 'gift', '--out', target)
    expect(again.refusal).toMatch(/exists already and is not written over/)
    expect((await type('NOPE', '--format', 'gift')).refusal).toBe('There is no test NOPE.')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

it('an export of a test without questions is refused', async () => {
  await rig.db.$client.query('delete from assessment_items where assessment = $1', [code])
  expect(await codeOf(() => exportQuestions({ ...organiserOf(rig), code }, 'csv'))).toMatchObject({
    code: 'nothing_to_export',
  })
})
