import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONTENT_DIR } from '../../../platform/server/project-folder.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { listCells } from '../../categories.ts'
import { getQuestions } from '../../contract.ts'
import { loadContent } from './content.ts'

const rig = useRig()
const CELL = path.join('questions', 'valuation-corporate-finance', 'intern.yaml')
const ANALYST = path.join('questions', 'financial-accounting-analysis', 'analyst.yaml')
let folder: string

/** Two cells and a family are enough. Reading all of content/ takes seconds. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'superday-content-'))
  for (const name of [
    CELL,
    ANALYST,
    path.join('variants', 'if-converted-eps.yaml'),
    'slips.yaml',
  ]) {
    await cp(path.join(CONTENT_DIR, name), path.join(folder, name))
  }
  expect(await loadContent(rig.db, folder)).toBeGreaterThan(250)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const bankVersion = async () =>
  (await rig.db.execute<{ version: number }>(sql`select version from bank`)).rows[0]?.version

describe('loading the content', () => {
  it('includes the sources of rules in explanations, for variants too', async () => {
    const { token } = await signUp(rig)
    const cell = new URLSearchParams({
      category: 'Financial Accounting & Analysis',
      difficulty: 'Analyst',
    })
    const { body } = await rig.call('GET', `/api/questions?${cell}`, { token })
    const served = getQuestions.response.parse(body)
    const sourceOf = (id: number) => served.find((question) => question.id === id)?.source
    expect(sourceOf(3006)).toBe('ASC 260-10-45-40')
    expect(served.some(({ source }) => source === undefined)).toBe(true)
    const { rows } = await rig.db.execute<{ cites: string }>(
      sql`select distinct cites from questions where family = 'if-converted-eps'`,
    )
    expect(rows).toEqual([{ cites: 'ASC 260-10-45-40' }])
  })

  it('does nothing the second time, even if several nodes load at the same time', async () => {
    const version = await bankVersion()
    const again = await Promise.all([1, 2, 3, 4].map(() => loadContent(rig.db, folder)))
    expect(again).toEqual([null, null, null, null])
    expect(await bankVersion()).toBe(version)
  })

  it('updates a changed question under its id, retires a removed one, and keeps imports', async () => {
    await rig.db.execute(sql`
      insert into questions (id, category, difficulty, question, answer_a, answer_b, answer_c, answer_d,
        correct_option, explanation, source)
      values (100000, 'Valuation & Corporate Finance', 'Intern', 'Own?', 'a', 'b', 'c', 'd', 'A', '', 'import')`)
    // Measured values don't come from content/.
    await rig.db.execute(sql`update questions set usual_ms = 9000 where id = 5006`)
    const version = (await bankVersion()) ?? 0
    const file = path.join(folder, CELL)
    const text = await readFile(file, 'utf8')
    const first = text.indexOf('- id: 5001')
    const second = text.indexOf('- id: 5002')
    const changed = `${text.slice(0, first)}${text.slice(second).replace('- id: 5002', '- id: 5002\n  retired: true')}`
    await writeFile(file, changed.replace('- id: 5006\n  topic: ', '- id: 5006\n  topic: changed-'))

    expect(await loadContent(rig.db, folder)).toBeGreaterThan(0)
    const { rows } = await rig.db.execute(sql`
      select id, retired, topic like 'changed-%' as changed, source, usual_ms as usual from questions
      where id in (5001, 5002, 5006, 5007, 100000) order by id`)
    expect(rows).toEqual([
      { id: 5001, retired: true, changed: false, source: 'content', usual: null },
      { id: 5002, retired: true, changed: false, source: 'content', usual: null },
      { id: 5006, retired: false, changed: true, source: 'content', usual: 9000 },
      { id: 5007, retired: false, changed: false, source: 'content', usual: null },
      { id: 100_000, retired: false, changed: null, source: 'import', usual: null },
    ])
    expect(await bankVersion()).toBe(version + 1)
  })

  it('changes nothing if a file is invalid', async () => {
    const version = await bankVersion()
    await writeFile(path.join(folder, CELL), '- id: 1\n  question: Only this?\n')
    await expect(loadContent(rig.db, folder)).rejects.toThrow()
    expect(await bankVersion()).toBe(version)
  })

  it('fills every cell with complete tests of ten', { tags: ['full'] }, async () => {
    await loadContent(rig.db)
    const { rows } = await rig.db.execute<{ category: string; difficulty: string; count: number }>(
      sql`select category, difficulty, count(*)::int as count from questions
        where not retired and id < 50000 group by 1, 2`,
    )
    expect(rows).toHaveLength(listCells().length)
    for (const row of rows) expect([row.category, row.count % 10]).toEqual([row.category, 0])
  })
})
