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

  it.each(files)('%s says nothing twice under one id', (file) => {
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

  it('keeps the statements of product 8.6.1, 8.3.2, 8.7.2, 8.7.3', () => {
    const answers = load('faq').questions.map(({ answer }) => answer.join(' '))
    expect(answers[2]).toMatch(/GAAP/)
    expect(answers[5]).toMatch(/Discovering Finance/)
    expect(answers[7]).toMatch(/consistently above 80%/)
    expect(answers[7]).toMatch(/below 80%.*learning resources/)
    expect(JSON.stringify(load('terms'))).toMatch(/30 days' notice/)
    expect(JSON.stringify(load('privacy'))).toMatch(/not for children under 13/)
  })

  it.each(['terms', 'privacy'] as const)('%s names both addresses and no other blank', (name) => {
    const blanks = JSON.stringify(load(name)).match(/\{\w+\}/g)
    expect([...new Set(blanks)].sort()).toEqual(['{privacyEmail}', '{supportEmail}'])
  })

  it('claims of no question that it was asked in an interview', () => {
    for (const file of files) {
      const said = readFileSync(path.join(FOLDER, file), 'utf8').replace(/\s+/g, ' ')
      expect([file, said.match(/questions? from real interviews?/i)]).toEqual([file, null])
    }
  })
})
