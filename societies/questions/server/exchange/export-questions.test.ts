import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { OPTION_LETTERS } from '../../../../platform/options.ts'
import { isStorable } from '../../../../platform/server/body/storable.ts'
import { showControls } from '../../../../platform/server/control-characters.ts'
import { DAY, makeAssessment } from '../../../../tests/rig/assessment-rig.ts'
import { auditOf, codeOf, organizerOf, typeAt } from '../../../../tests/rig/organizer-rig.ts'
import { read } from '../../../../tests/rig/questions/question-files-rig.ts'
import { yamlOf } from '../../../../tests/rig/questions/questions-rig.ts'
import { useRig } from '../../../../tests/rig/rig.ts'
import { makeSociety } from '../../../../tests/rig/society-rig.ts'
import { sized } from '../../../../tests/setup/size.ts'
import type { WrittenQuestion } from '../../question-content.ts'
import { WRITTEN_FORMATS } from '../../question-files.ts'
import { normaliseStem } from '../../written-question.ts'
import { loadAssessment } from '../authoring/load-assessment.ts'
import { exportQuestions, writeQuestions } from './export-questions.ts'
import { tidy } from './plain-text.ts'

const rig = useRig()
let code: string
beforeEach(async () => {
  rig.clock.now = DAY
  code = (await makeAssessment(rig, { societyId: (await makeSociety(rig)).id, itemCount: 3 })).code
})

const take = (format: (typeof WRITTEN_FORMATS)[number]) =>
  exportQuestions({ ...organizerOf(rig), code }, format)

it('an export has the same questions in every format, a table as text, and is logged', async () => {
  const rows = [
    ['Year', 'EBITDA'],
    ['2025', '12.0'],
  ]
  await rig.sql`update assessment_items set exhibit = ${JSON.stringify({ kind: 'table', rows })}
    where assessment = ${code} and position = 1`
  const stems = [1, 2, 3].map((number) => `Stem ${number} of ${code}?`)
  for (const format of WRITTEN_FORMATS) {
    const { content, count, exhibits } = await take(format)
    expect([count, exhibits]).toEqual([3, ['The table of question 1 is written as text.']])
    expect(
      read(content).importable.map(({ question }) => question),
      format,
    ).toEqual([...[`${stems[0]}\nYear | EBITDA\n2025 | 12.0`, stems[1], stems[2]]])
  }
  expect((await auditOf(rig, code)).at(-1)).toMatchObject({
    action: 'export',
    detail: { format: 'gift', items: 3 },
  })
})

it('an export as CSV can be loaded again', async () => {
  const { content } = await take('csv')
  const other = `S${randomUUID().slice(0, 8).toUpperCase()}`
  const yaml = yamlOf(other, 'Investment Club', false)
  const again = await loadAssessment(organizerOf(rig), { yaml, itemsCsv: content })
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
    expect(again.refusal).toMatch(/already exists and won't be overwritten/)
    expect((await type('NOPE', '--format', 'gift')).refusal).toBe(
      'There is no test with the code NOPE.',
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

it('an export of a test without questions is refused', async () => {
  await rig.sql`delete from assessment_items where assessment = ${code}`
  expect(await codeOf(() => take('csv'))).toMatchObject({ code: 'nothing_to_export' })
})

/** These characters have a special meaning in some format, alone or in combination. */
const ODD = [
  ...'{ } ~ = # : :: #### \\ \\n \\\\ -> %50% % // [html] [plain] [ ] & &amp; &lt; < > <b> </p> <br/>'.split(
    ' ',
  ),
  ..."]]> <![CDATA[ <!-- --> <?xml?> &#65; &nbsp; A. TRUE T \" ' '=1 , ; =1+1 @x + - | é ß 日本 🎓 שלום".split(
    ' ',
  ),
  ...'10% 0.10 x² 1/2 ✓ \t \n \n\n'.split(' '),
  ...['$CATEGORY: x', '<img src="x">', 'B) ', 'ANSWER: C', ' ', '  ', '\u0301', '\u00a0'],
  ...['\u200b', '\ufeff', '\u2028', '\u00ad'],
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: 'grapheme', maxLength: 6 })), {
    minLength: 1,
    maxLength: 7,
  })
  .map((parts) => tidy(parts.join('')))
  .filter((one) => one !== '' && isStorable(one) && showControls(one) === one)
const maybe = fc.option(text, { nil: '' })

const question: fc.Arbitrary<WrittenQuestion> = fc
  .record({
    question: text,
    options: fc.record({ A: text, B: text, C: text, D: text }),
    answer: fc.constantFrom(...OPTION_LETTERS),
    explanation: maybe,
    form: fc.constant(null),
  })
  .filter(({ options }) => {
    const texts = OPTION_LETTERS.map((letter) => options[letter].toLowerCase())
    return new Set(texts).size === 4
  })
const questions = fc.uniqueArray(question, {
  minLength: 1,
  maxLength: 4,
  selector: ({ question: stem }) => normaliseStem(stem),
})

it.each(WRITTEN_FORMATS)(
  'questions written as %s are detected and read back unchanged',
  (format) => {
    fc.assert(
      fc.property(questions, (all) => {
        const found = read(writeQuestions(all, format))
        expect(found.leftOut).toEqual([])
        expect(found.importable.map(({ place: _, notices: __, ...one }) => one)).toEqual(
          all.map(({ form: _, ...one }) => one),
        )
        expect(found.format).toBe(format === 'csv' ? 'table' : format)
      }),
      { numRuns: sized(300, 60), seed: 20261125 },
    )
  },
)
