import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, makeCandidate, takeSeat } from '../../../tests/rig/assessment-rig.ts'
import { auditOf, codeOf, organiserOf, typeCommand } from '../../../tests/rig/organiser-rig.ts'
import { bytesOf, read } from '../../../tests/rig/questions/question-files-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { WRITTEN_FORMATS } from '../../questions/written-formats.ts'
import { parseAssessmentFile } from '../authoring/assessment-file.ts'
import { loadAssessment } from '../authoring/load-assessment.ts'
import { readSampleFiles } from '../authoring/samples.ts'
import { exportQuestions } from './export-questions.ts'
import { importQuestions } from './import-questions.ts'

const rig = useRig()
beforeEach(() => {
  rig.clock.now = DAY
})
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'superday-import-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const fileOf = async (name: string, content: string | Uint8Array) => {
  const file = path.join(folder, name)
  await writeFile(file, content)
  return file
}

const yamlOf = (code: string) => `
code: ${code}
society: Investment Club
session: null
durationSeconds: 900
shuffle: false
navigator: false
timeZone: Europe/Lisbon
rules: { timing: [], allowed: [], forbidden: [], contact: null }
items: [{ id: 1, question: Own?, options: { A: a, B: b, C: c, D: d }, answer: A }]`

async function loaded() {
  const code = `S${randomUUID().slice(0, 8).toUpperCase()}`
  await loadAssessment(organiserOf(rig), { yaml: yamlOf(code) })
  return code
}

const itemsOf = async (code: string) =>
  (
    await rig.db.execute(sql`
      select position, question, answer_a as a, correct_option as key, is_sample as sample
      from assessment_items where assessment = ${code} order by position`)
  ).rows

const GIFT = `First? {=a ~b ~c ~d}

Three? {=a ~b ~c}

OWN? {=a ~b ~c ~d}

Second? {~a =b ~c ~d}

Essay {}`

describe('importing questions', () => {
  it('adds the valid ones after the existing ones and gives a reason for each of the others', async () => {
    const code = await loaded()
    const done = await importQuestions(organiserOf(rig), code, bytesOf(GIFT))
    expect(done).toMatchObject({ itemCount: 3, demoAttemptsRemoved: 0 })
    expect(done.review.leftOut.map(({ place, reason }) => [place, reason])).toEqual([
      ['line 3', 'too_few_options'],
      ['line 9', 'essay'],
      ['line 5', 'asked_already'],
    ])
    expect(await itemsOf(code)).toEqual([
      { position: 1, question: 'Own?', a: 'a', key: 'A', sample: false },
      { position: 2, question: 'First?', a: 'a', key: 'A', sample: false },
      { position: 3, question: 'Second?', a: 'a', key: 'B', sample: false },
    ])
    expect((await auditOf(rig, code)).at(-1)).toMatchObject({
      actor: 'tester',
      action: 'import',
      detail: { format: 'gift', added: 2, leftOut: 3 },
    })
    // A second time there is nothing to add.
    const again = await importQuestions(organiserOf(rig), code, bytesOf(GIFT))
    expect([again.itemCount, again.review.importable]).toEqual([3, []])
    // The file it was loaded from is not what stands any more.
    const reloaded = await loadAssessment(organiserOf(rig), { yaml: yamlOf(code) })
    expect(reloaded).toMatchObject({ isUnchanged: false, itemCount: 1 })
  })

  it('is refused without changes once a candidate has started', async () => {
    const code = await loaded()
    const { username } = await makeCandidate(rig, code)
    await (await takeSeat(rig, code, username)).start()
    const before = await itemsOf(code)
    expect(await codeOf(() => importQuestions(organiserOf(rig), code, bytesOf(GIFT)))).toEqual({
      code: 'has_attempts',
      facts: { assessment: code, attempts: 1 },
    })
    expect(await itemsOf(code)).toEqual(before)
  })

  it('is refused for a missing test, a sample, and more than 500 questions', async () => {
    const into = (code: string, file: string) =>
      codeOf(() => importQuestions(organiserOf(rig), code, bytesOf(file)))
    expect(await into('NOPE', GIFT)).toMatchObject({ code: 'no_such_assessment' })
    const code = await loaded()
    const many = [...Array(500).keys()].map((n) => `Q${n}? {=a ~b ~c ~d}`).join('\n\n')
    expect(await into(code, many)).toEqual({
      code: 'too_many_items',
      facts: { assessment: code, count: 501, most: 500 },
    })
    expect(await itemsOf(code)).toHaveLength(1)
    await rig.db.execute(sql`update assessments set is_sample = true where code = ${code}`)
    expect(await into(code, GIFT)).toMatchObject({ code: 'is_sample' })
    expect(await into(code, '%PDF')).toEqual({ code: 'question_file', facts: { problem: 'pdf' } })
  })

  it("refuses Superday's samples, whose keys are public", async () => {
    const code = await loaded()
    const [sample] = await readSampleFiles()
    const { items } = parseAssessmentFile(sample?.text ?? '')
    const stem = items[0]?.question.replace(/[\\~=#{}:]/g, (sign) => `\\${sign}`)
    const { review } = await importQuestions(
      organiserOf(rig),
      code,
      bytesOf(`[plain]${stem} {=a ~b ~c ~d}`),
    )
    expect(review.leftOut).toMatchObject([{ reason: 'sample' }])
  })
})

describe('exporting questions', () => {
  it('returns the same questions in every format and logs who exported them', async () => {
    const code = await loaded()
    await importQuestions(organiserOf(rig), code, bytesOf(GIFT))
    for (const format of WRITTEN_FORMATS) {
      const { content, count, leftOut } = await exportQuestions(organiserOf(rig), code, format)
      expect([count, leftOut]).toEqual([3, []])
      expect(read(content).importable.map(({ question, answer }) => [question, answer])).toEqual([
        ['Own?', 'A'],
        ['First?', 'A'],
        ['Second?', 'B'],
      ])
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
    await rig.db.$client.query('update assessment_items set exhibit = $2 where assessment = $1', [
      code,
      JSON.stringify({ kind: 'table', rows }),
    ])
    for (const format of WRITTEN_FORMATS) {
      const { content, exhibits } = await exportQuestions(organiserOf(rig), code, format)
      expect(exhibits).toEqual(['One table is written as text, of question 1.'])
      expect(read(content).importable[0]?.question, format).toBe('Own?\nYear | EBITDA\n2025 | 12.0')
    }
  })

  it('as CSV can be loaded again', async () => {
    const code = await loaded()
    await importQuestions(organiserOf(rig), code, bytesOf(GIFT))
    const { content } = await exportQuestions(organiserOf(rig), code, 'csv')
    const head = yamlOf(code).replace(/items:.*/, '')
    const again = await loadAssessment(organiserOf(rig), {
      yaml: head,
      itemsCsv: content as string,
    })
    expect(again.itemCount).toBe(3)
  })
})

describe('importing questions at the command line', () => {
  it('shows which questions can be imported and stores nothing', async () => {
    const code = await loaded()
    const { out, refusal } = await typeCommand(rig, 'import', await fileOf('a.gift', GIFT))
    expect(refusal).toBeNull()
    expect(out).toBe(`Import 3 of 5: the file is GIFT (utf-8).
What is not imported (2):
  1 × has fewer than four options. Every question here has four: write the missing ones in the file, then import it again.
    line 3: Three?
  1 × wants a text of its own. It can not be marked here; ask it elsewhere.
    line 9: Essay
Nothing is stored yet; to add them to a test that nobody has started: --into CODE.
`)
    expect(await itemsOf(code)).toHaveLength(1)
    expect(await auditOf(rig, code)).toHaveLength(1)
  })

  it('adds with --into in any case, and writes with export', async () => {
    const code = await loaded()
    const file = await fileOf('b.gift', GIFT)
    const { out } = await typeCommand(rig, 'import', file, '--into', code.toLowerCase())
    expect(out).toMatch(`2 of 5 questions added to ${code}, which has 3 now.\n`)
    expect(out).toContain('1 × is in the assessment already.')
    const target = path.join(folder, 'b.xml')
    const written = await typeCommand(rig, 'export', code, '--format', 'moodle', '--out', target)
    expect(written.err).toBe(`3 questions written to ${target}.\n`)
    expect(read(await readFile(target)).importable).toHaveLength(3)
    const zip = path.join(folder, 'b.zip')
    await typeCommand(rig, 'export', code, '--format', 'qti3', '--out', zip)
    expect(read(await readFile(zip))).toMatchObject({ format: 'qti3', leftOut: [] })
  })

  it('accepts columns by name and lists unknown ones', async () => {
    const file = await fileOf('c.csv', 'Frage;1.;2.;3.;4.;Richtig\nWas?;a;b;c;d;B')
    const columns = ['question=Frage', 'a=1.', 'b=2.', 'c=3.', 'd=4.', 'correct=Richtig']
    const { out } = await typeCommand(
      rig,
      'import',
      file,
      ...columns.flatMap((one) => ['--column', one]),
    )
    expect(out).toContain('Import 1 of 1: the file is CSV (utf-8).')
    expect((await typeCommand(rig, 'import', file)).refusal).toMatch(
      /^The file is in no format that is known here: .* give --format\.$/,
    )
    expect((await typeCommand(rig, 'import', path.join(folder, 'none'))).refusal).toMatch(
      /none can't be read \(there is no such file or folder\)\.$/,
    )
    const large = await fileOf('large.gift', new Uint8Array(5_500_000).fill(97))
    expect((await typeCommand(rig, 'import', large)).refusal).toMatch(
      /^The file is larger than 5 MB/,
    )
  })
})
