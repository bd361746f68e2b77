import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { CONTENT_DIR } from '../platform/server/project-folder.ts'
import { PAGE_SCHEMAS, type Page, type PageName, pageNameOf } from './page-shapes.ts'

const FOLDER = path.join(CONTENT_DIR, 'pages')
const files = readdirSync(FOLDER)

const read = (name: PageName): unknown =>
  parse(readFileSync(path.join(FOLDER, `${name}.yaml`), 'utf8'))
const load = <Name extends PageName>(name: Name) =>
  PAGE_SCHEMAS[name].parse(read(name)) as Page<Name>

describe('content/pages', () => {
  it('has a file for each schema and no other', () => {
    expect(files.sort()).toEqual(
      Object.keys(PAGE_SCHEMAS)
        .map((name) => `${name}.yaml`)
        .sort(),
    )
  })

  it.each(files)('%s has the counts and names of product 8.8.2', (file) => {
    const name = pageNameOf(file) as PageName
    expect(PAGE_SCHEMAS[name].safeParse(read(name)).error?.issues ?? []).toEqual([])
  })

  it.each(files)('%s uses each id once', (file) => {
    const ids = readFileSync(path.join(FOLDER, file), 'utf8').match(/^ +- id: .*$/gm) ?? []
    expect(ids.length).toBe(new Set(ids).size)
  })

  it('asks the eight questions in the order of product 8.3.1', () => {
    expect(load('faq').questions.map((question) => question.id)).toEqual([
      'what-it-is',
      'topics',
      'accounting-standard',
      'contribute',
      'retaking',
      'difficulty-levels',
      'progress',
      'study-tips',
    ])
  })

  it('has the statements of product 8.6.1, 8.3.2, 8.7.2, 8.7.3', () => {
    const answers = load('faq').questions.map(({ answer }) => answer.join(' '))
    expect(answers[2]).toMatch(/GAAP/)
    expect(answers[5]).toMatch(/Discovering Finance/)
    expect(answers[7]).toMatch(/consistently above 80%/)
    expect(answers[7]).toMatch(/below 80%.*learning resources/)
    expect(JSON.stringify(load('terms'))).toMatch(/30 days' notice/)
    expect(JSON.stringify(load('privacy'))).toMatch(/not for children under 13/)
  })

  it.each(['terms', 'privacy'] as const)(
    '%s names both addresses and no other placeholder',
    (name) => {
      const blanks = JSON.stringify(load(name)).match(/\{\w+\}/g)
      expect([...new Set(blanks)].sort()).toEqual(['{privacyEmail}', '{supportEmail}'])
    },
  )

  it('never claims that a question was asked in an interview', () => {
    for (const file of files) {
      const said = readFileSync(path.join(FOLDER, file), 'utf8').replace(/\s+/g, ' ')
      expect([file, said.match(/questions? from real interviews?/i)]).toEqual([file, null])
    }
  })

  it.each(['guides', 'process', 'worked', 'careers', 'templates', 'specimens'] as const)(
    '%s names no year, so that it does not become outdated (product 8.5.3)',
    (name) => {
      expect(JSON.stringify(load(name)).match(/\b(?:19|20)\d\d\b/g)).toBeNull()
    },
  )

  it('limits the careers of each side to the eight of product 8.4.1', () => {
    const { buySide, sellSide, alsoInFinance } = load('careers')
    expect([buySide.length, sellSide.length]).toEqual([4, 4])
    expect(alsoInFinance.map(({ title }) => title)).toEqual([
      'Leveraged Finance',
      'Equity & Debt Capital Markets (ECM and DCM)',
      'Restructuring',
      'Private Credit',
      'Proprietary Trading',
      'Consulting',
      'Financial Due Diligence (FDD)',
    ])
  })

  it('contains no hand-typed number of questions (product 8.8.3)', () => {
    const typed = files.flatMap((file) => {
      const said = readFileSync(path.join(FOLDER, file), 'utf8').replace(/\s+/g, ' ')
      return said.match(/\d,?\d{3} (?:practice )?questions|[\d,]{4,} at the moment/g) ?? []
    })
    expect(typed).toEqual([])
    for (const name of ['landing', 'faq'] as const) {
      expect(JSON.stringify(load(name))).toMatch(
        /More than 800 practice questions.*\{questionCount\}/,
      )
    }
  })
})

describe('a section of a guide', () => {
  const refused = (below: object) => {
    const guides = structuredClone(load('guides')) as { guides: { sections: object[] }[] }
    guides.guides[0]?.sections.splice(0, 1, { heading: 'x', ...below })
    return !PAGE_SCHEMAS.guides.safeParse(guides).success
  }
  const row = {
    columns: ['$ million', 'Now'],
    rows: [
      ['Sales', '1'],
      ['Costs', ''],
    ],
  }

  it.each([
    ['nothing below its heading', {}],
    ['a row of too few cells', { table: { ...row, rows: [['Sales', '1'], ['Costs']] } }],
    [
      'a thirteenth month',
      { entries: [1, 2].map((n) => ({ name: `${n}`, months: [1, 13], text: 'x' })) },
    ],
    ['an unknown part', { paragraphs: ['x'], quote: ['x'] }],
  ])('is refused with %s', (_, below) => {
    expect(refused(below)).toBe(true)
  })

  it('can be words, a table or months', () => {
    const entries = [1, 2].map((n) => ({ name: `${n}`, months: [11, 2], text: 'x' }))
    expect([{ said: ['x'] }, { table: row }, { entries }].map(refused)).toEqual([
      false,
      false,
      false,
    ])
  })
})
