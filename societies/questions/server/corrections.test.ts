import { expect, it } from 'vitest'
import { makeSatTest, memberOfTest } from '../../../tests/rig/analysis-rig.ts'
import { organizerOf } from '../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { regradeItem } from '../../results/server/regrade.ts'
import type { ListedQuestion } from '../contract.ts'

// A ruling applies to its question everywhere (product 7.9.49). Here it replaces the last question's key A with B.
const rig = useRig()

async function season() {
  const test = await makeSatTest(rig)
  const owner = await memberOfTest(rig, test, 'owner')
  const copy = async (session: string) => {
    const code = `${test.code}_${session.toUpperCase()}`
    const body = { code, session, season: 'Autumn 2027' }
    expect((await owner.post('/copy', body)).status).toBe(201)
    const { get, post } = await memberOfTest(rig, { ...test, code }, 'owner')
    const questions = async () => (await get('/questions')).body.items as ListedQuestion[]
    return { code, get, post, questions, last: async () => (await questions()).at(-1) }
  }
  const rule = async () => {
    const ruling = { kind: 'replace', option: 'B' } as const
    const [{ count }] = (await rig.sql`select count(*)::int as count from assessment_items
      where assessment = ${test.code}`) as unknown as [{ count: number }]
    await regradeItem({ ...organizerOf(rig), code: test.code }, count, ruling, 'A misprint.')
    return count
  }
  await rig.sql`update assessment_items set correct_option = 'A' where assessment = ${test.code}
    and position = (select max(position) from assessment_items where assessment = ${test.code})`
  return { ...test, owner, copy, rule }
}

it('A copy has the key that a ruling gave its question, in a new version, and says so', async () => {
  const { copy, rule } = await season()
  await rule()
  const { last } = await copy('Spring')
  expect(await last()).toMatchObject({
    ...{ answer: 'B', version: 2 },
    correction: { from: 'A', to: 'B', isOpen: false },
  })
})

it('A test created before the ruling shows it as open until its key is replaced', async () => {
  const { copy, rule } = await season()
  const before = await copy('Before')
  expect(await before.last()).toMatchObject({ answer: 'A', correction: null })
  await rule()
  expect(await before.last()).toMatchObject({ answer: 'A', correction: { to: 'B', isOpen: true } })
  const { rows } = (await before.get('/overview')).body
  expect(rows.find(({ row }: { row: string }) => row === 'keys')).toMatchObject({
    ...{ state: 'attention', word: '1 corrected' },
  })
  await rig.sql`update assessment_items set correct_option = 'B' where assessment = ${before.code}
    and correct_option = 'A' and position = (select max(position) from assessment_items
      where assessment = ${before.code})`
  expect(await before.last()).toMatchObject({ answer: 'B', correction: { isOpen: false } })
})

it('A question taken from an earlier test has the new key', async () => {
  const { copy, rule } = await season()
  const other = await copy('Other')
  const { questionId } = (await other.last()) as ListedQuestion
  await rig.sql`delete from assessment_items where assessment = ${other.code}`
  await rule()
  const bank = (await other.get('/questions/bank')).body as ListedQuestion[]
  const listed = bank.find((one) => one.questionId === questionId)
  expect(listed).toMatchObject({ correctedAt: expect.any(String) })
  // Only members who can read keys get the letters.
  expect(listed).not.toHaveProperty('correction')
  expect((await other.post('/questions/take', { questions: [questionId] })).status).toBe(200)
  expect(await other.questions()).toMatchObject([{ questionId, answer: 'B' }])
})

it('A question with another text does not get the key of a ruling', async () => {
  const { copy, rule } = await season()
  const other = await copy('Other')
  await rig.sql`update assessment_items set question = 'Which is NOT true?' where assessment = ${other.code}`
  await rule()
  expect(await other.last()).toMatchObject({ answer: 'A', correction: null })
})

it('The test with the ruling shows it, and one with different options does not', async () => {
  const { copy, rule, owner } = await season()
  const other = await copy('Other')
  await rig.sql`update assessment_items set answer_b = 'another text' where assessment = ${other.code}`
  await rule()
  expect(await other.last()).toMatchObject({ correction: null })
  const { items } = (await owner.get('/questions')).body
  expect(items.at(-1)).toMatchObject({ answer: 'A', correction: { to: 'B', isOpen: false } })
})
