import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DAY } from '../../../tests/rig/assessment-rig.ts'
import { organizerOf, problemsOf } from '../../../tests/rig/organizer-rig.ts'
import { read } from '../../../tests/rig/questions/question-files-rig.ts'
import { sitThrough, useDesk, yamlOf } from '../../../tests/rig/questions/questions-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { parseAssessmentFile } from './authoring/assessment-file.ts'
import { loadAssessment } from './authoring/load-assessment.ts'
import { exportQuestions } from './exchange/export-questions.ts'

// Covers editing a test with two forms (product 7.19.1, 7.19.2).
const rig = useRig()
const at = useDesk(rig)
const { call, list, save, idsOf } = at
const formsOf = async () => (await list()).items.map(({ form }: { form: string | null }) => form)
const setDraft = (isDraft: boolean) =>
  rig.sql`update assessments set is_draft = ${isDraft} where code = ${at.desk.code}`

/** @param places in the list, from 0 */
async function assign(places: number[], form: 'A' | 'B' | null, was: 'A' | 'B' | null = null) {
  const ids = await idsOf()
  return call('POST', '/forms', {
    questions: places.map((place) => ({ questionId: ids[place], was })),
    form,
  })
}
const overview = (rest: string, body?: object) =>
  rig.call(
    body ? 'POST' : 'GET',
    `/api/societies/${at.desk.society.id}/assessments/${at.desk.code}/${rest}`,
    { token: at.desk.owner.token, body },
  )

describe("a question's form", () => {
  it('is set without a new version and survives saving and restoring', async () => {
    await setDraft(true)
    const before = (await list()).listVersion
    const answer = await assign([1, 2], 'A')
    expect(answer).toMatchObject({ status: 200, body: { listVersion: expect.any(String) } })
    expect(answer.body.listVersion).not.toBe(before)
    expect(await formsOf()).toEqual([null, 'A', 'A', null])
    const [, second] = (await list()).items
    expect(second.version).toBe(1)
    await save(second.questionId)
    expect(await formsOf()).toEqual([null, 'A', 'A', null])
    await call('POST', `/${second.questionId}/remove`, { version: 2 })
    await call('POST', `/${second.questionId}/restore`, { position: 2, form: 'A' })
    expect(await formsOf()).toEqual([null, 'A', 'A', null])
  })

  it('does not overwrite another member’s choice, and is locked once a candidate has started', async () => {
    await setDraft(true)
    await assign([0], 'A')
    expect((await assign([0, 1], 'B')).body.code).toBe('stale')
    expect(await formsOf()).toEqual(['A', null, null, null])
    expect((await assign([0], null, 'A')).status).toBe(200)
    await setDraft(false)
    await sitThrough(rig, at.desk.code, true)
    expect((await assign([1], 'A')).body.code).toBe('has_attempts')
  })

  it('limits its statistics to candidates who got the question', async () => {
    await setDraft(true)
    await assign([0, 1], 'A')
    await assign([2, 3], 'B')
    await setDraft(false)
    for (const isRight of [true, true, false, true]) await sitThrough(rig, at.desk.code, isRight)
    const rows = await rig.sql`
      select form, count(*)::int from attempts where assessment = ${at.desk.code} group by form order by form`
    expect(rows).toEqual([
      { form: 'A', count: 2 },
      { form: 'B', count: 2 },
    ])
    const copy = await overview('copy', { code: 'NEXT_TIME', session: null, season: 'Next' })
    const { items } = await at.desk.list(at.desk.owner, copy.body.code)
    const seen = ['A', 'A', 'B', 'B'].map((form) => ({ form, lastTime: { of: 2 } }))
    expect(items).toMatchObject(seen)
  })
})

describe('two forms of a test', () => {
  it('need equally many questions before publishing', async () => {
    await setDraft(true)
    await assign([1], 'A')
    const { body } = await overview('publication')
    expect(body.errors).toEqual([{ kind: 'uneven_forms', A: 4, B: 3 }])
    const pressed = await overview('publication', { version: body.version })
    expect(pressed.body).toMatchObject({ code: 'not_publishable' })
    expect(pressed.body.message).toContain(
      'Form A has 4 questions and form B 3; both need the same number.',
    )
    await assign([2], 'B')
    const even = (await overview('publication')).body
    expect(even.errors).toEqual([])
    expect(even.questionCount).toBe(3)
    expect(even.forms).toBe('Two forms of 3 questions, 2 in common, dealt at random')
    const { body: row } = await overview('overview')
    expect(JSON.stringify(row)).toContain('Two forms of 3 questions, 2 in common, dealt at random.')
  })

  it('stay equally long in a published test through every change', async () => {
    expect((await assign([0], 'A')).body).toMatchObject({ code: 'uneven_forms' })
    expect(await formsOf()).toEqual([null, null, null, null])
    await setDraft(true)
    await assign([0], 'A')
    await assign([1], 'B')
    await setDraft(false)
    const [first] = (await list()).items
    const removed = await call('POST', `/${first.questionId}/remove`, { version: 1 })
    expect(removed.body).toMatchObject({ code: 'uneven_forms' })
    // A shared question can be removed and added.
    const [, , third] = (await list()).items
    expect((await call('POST', `/${third.questionId}/remove`, { version: 1 })).status).toBe(200)
  })
})

const ITEMS = ['ID,Question,Answer A,Answer B,Answer C,Answer D,Correct Option,Form']
const csv = (...forms: string[]) =>
  [...ITEMS, ...forms.map((form, at) => `${at + 1},Asked ${at}?,a,b,c,d,A,${form}`)].join('\n')
const HEAD = yamlOf('TWO_FORMS', 'Test Society', false)

describe('files with forms', () => {
  it('of an assessment keep them in YAML and in the items’ CSV', async () => {
    const items = (forms: (string | null)[]) =>
      `${HEAD}items:\n${forms
        .map(
          (form, at) =>
            `  - { id: ${at + 1}, question: "Asked ${at}?", options: { A: a, B: b, C: c, D: d }, answer: A${form ? `, form: ${form}` : ''} }`,
        )
        .join('\n')}`
    const read = (yaml: string, table: string | null = null) =>
      parseAssessmentFile(yaml, table).items.map(({ form }) => form)
    expect(read(items([null, 'A', 'B']))).toEqual([null, 'A', 'B'])
    expect(read(HEAD, csv('', 'a', 'B'))).toEqual([null, 'A', 'B'])
    await loadAssessment(organizerOf(rig), { yaml: HEAD, itemsCsv: csv('', 'A', 'B') })
    const rows = await rig.sql`
      select form from assessment_items where assessment = 'TWO_FORMS' order by position`
    expect(rows.map(({ form }) => form)).toEqual([null, 'A', 'B'])
  })

  it('of an assessment are refused with unequal or unknown forms', async () => {
    const problems = (table: string) =>
      problemsOf(() => loadAssessment(organizerOf(rig), { yaml: HEAD, itemsCsv: table }))
    expect(await problems(csv('A', '', ''))).toEqual([
      'items: Form A has 3 questions and form B 2; both need the same number.',
    ])
    expect(await problems(csv('C', '', ''))).toEqual([
      'line 2: Form must be A or B, or left out if both forms have the question',
    ])
  })

  it('of questions keep them through a CSV file', async () => {
    await setDraft(true)
    await assign([0, 1], 'A')
    await assign([2, 3], 'B')
    const written = await exportQuestions({ ...organizerOf(rig), code: at.desk.code }, 'csv')
    expect(written.content.split('\n')[0]).toContain('Correct Option,Form')
    expect(read(written.content).importable.map(({ form }) => form)).toEqual(['A', 'A', 'B', 'B'])
  })

  it('of questions are not imported into a published test if its forms would differ', async () => {
    await setDraft(false)
    const question = {
      ...{ question: 'New?', options: { A: 'a', B: 'b', C: 'c', D: 'd' }, answer: 'A', form: 'A' },
      ...{ explanation: '', topic: '' },
    }
    const { status, body } = await call('POST', '/import', {
      ...{ id: randomUUID(), mode: 'append', fingerprint: '', questions: [question] },
    })
    expect([status, body.code]).toEqual([409, 'uneven_forms'])
    expect(body.message).toContain('Form A has 5 questions and form B 4')
  })
})

it('is dealt in a simulation too, where each candidate answers one form', async () => {
  await setDraft(true)
  await assign([0, 1], 'A')
  await assign([2, 3], 'B')
  const { beginSimulation } = await import('../../setup/server/rehearsal/simulation-store.ts')
  const begun = await beginSimulation(
    { ...organizerOf(rig), now: DAY, societyId: at.desk.society.id, code: at.desk.code },
    rig.dependencies.secretKey,
    { candidates: 10, minutes: 3 },
  )
  expect(begun.itemCount).toBe(2)
  const rows = await rig.sql`
    select form from assessment_items where assessment = ${begun.code} order by position`
  expect(rows.map(({ form }) => form)).toEqual(['A', 'A', 'B', 'B'])
})
